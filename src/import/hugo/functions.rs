//! The functions of templates, by the last part of their names.

use std::cmp::Ordering;

use serde_json::Value as Json;

use base::cut::SliceText as _;
use base::github_slug::github_slug;

use super::config;
use super::data;
use super::run::{MAX_HUGO_VALUE_BYTES, TemplateBlock, TemplateRun, is_plain_pattern};
use super::value::HugoValue;

impl<'w> TemplateRun<'_, 'w, '_> {
    pub(super) fn function(&mut self, name: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        for (start, thing) in [("site", "Site"), ("hugo", "Hugo")] {
            match name.strip_prefix(start) {
                Some("") => return Some(HugoValue::Thing(thing)),
                Some(path) if path.starts_with('.') => {
                    let fields: Vec<String> = path.slice(1..).split('.').map(str::to_owned).collect();
                    return self.fields(HugoValue::Thing(thing), &fields, arguments);
                }
                _ => {}
            }
        }
        if let Some(path) = name.strip_prefix("page").filter(|path| path.is_empty() || path.starts_with('.')) {
            let fields: Vec<String> = path.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect();
            return self.fields(HugoValue::Page(self.writer.text.file), &fields, arguments);
        }
        if matches!(name, "resources.Get" | "resources.GetMatch") {
            let path = format!("{}assets/{}", self.writer.settings.folder, arguments.first()?.text().trim_matches('/'));
            return Some(self.writer.text.site.tree.find(&path).map_or(HugoValue::Nothing, HugoValue::Page));
        }
        let short = name.rsplit('.').next().unwrap_or(name).to_lowercase();
        match name.split_once('.').map(|(space, _)| space) {
            Some("path") => return of_path(&short, arguments),
            Some("time" | "crypto" | "images" | "openapi3" | "js" | "diagrams" | "debug" | "templates") => return None,
            _ => {}
        }
        self.text_function(&short, arguments)
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each function of texts")]
    fn text_function(&mut self, name: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let last = || arguments.last().map(HugoValue::text);
        let text = |text: String| Some(HugoValue::Text(text));
        // what changes a text would change what stands for the inside
        let bare = || last().filter(|text| is_plain_pattern(text));
        match name {
            "markdownify" | "renderstring" => self.rendered(arguments.last()?),
            "safehtml" | "safeurl" | "safehtmlattr" | "safecss" | "safejs" | "string" | "print" | "html"
            | "htmlunescape" | "emojify" | "htmlattr" | "relurl" | "absurl" | "rellangurl" | "abslangurl"
            | "tostring" => text(last()?),
            "errorf" | "warnf" | "warnidf" | "erroridf" | "getenv" | "println" => Some(HugoValue::Nothing),
            "htmlescape" => {
                let own = last()?;
                text(if is_plain_pattern(&own) { own.replace('&', "&amp;").replace('<', "&lt;") } else { own })
            }
            "plainify" => text(self.whole_text(&last()?).map(|text| plainify(&text))?),
            "trimspace" | "chomp" => text(last()?.trim().to_owned()),
            "trim" | "trimleft" | "trimright" => {
                // `trim TEXT SET` and `strings.TrimLeft SET TEXT`
                let is_set_first = name != "trim";
                let (one, set) = match arguments {
                    [set, one] if is_set_first => (one.text(), set.text()),
                    [one, set] => (one.text(), set.text()),
                    _ => return None,
                };
                let of_set = |c: char| set.contains(c);
                text(match name {
                    "trimleft" => one.trim_start_matches(of_set).to_owned(),
                    "trimright" => one.trim_end_matches(of_set).to_owned(),
                    _ => one.trim_matches(of_set).to_owned(),
                })
            }
            "lower" | "tolower" => text(bare()?.to_lowercase()),
            "upper" | "toupper" => text(bare()?.to_uppercase()),
            "firstupper" | "title" | "humanize" => {
                let own = bare()?;
                let own = if name == "humanize" { own.replace(['-', '_'], " ") } else { own };
                let of_word = |word: &str| {
                    let mut letters = word.chars();
                    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
                };
                let words: Vec<String> =
                    if name == "title" { own.split(' ').map(of_word).collect() } else { vec![of_word(&own)] };
                text(words.join(" "))
            }
            "urlize" | "anchorize" => text(github_slug(&bare()?)),
            "replace" => {
                let [one, from, to] = arguments else { return None };
                let (one, from, to) = (one.text(), from.text(), to.text());
                let most = one.matches(&from).count().saturating_mul(to.len()).saturating_add(one.len());
                (most <= MAX_HUGO_VALUE_BYTES).then(|| HugoValue::Text(one.replace(&from, &to)))
            }
            "trimprefix" => {
                let (own, part) = (last()?, arguments.first()?.text());
                text(own.strip_prefix(part.as_str()).unwrap_or(&own).to_owned())
            }
            "trimsuffix" => {
                let (own, part) = (last()?, arguments.first()?.text());
                text(own.strip_suffix(part.as_str()).unwrap_or(&own).to_owned())
            }
            "repeat" => {
                let (Some(&HugoValue::Number(count)), own) = (arguments.first(), bare()?) else { return None };
                (count >= 0.0 && own.len() as f64 * count < 65536.0)
                    .then(|| HugoValue::Text(own.repeat(count as usize)))
            }
            "substr" | "slicestr" => {
                let number = |at: usize| match arguments.get(at) {
                    Some(HugoValue::Number(number)) => Some(*number),
                    _ => None,
                };
                let letters: Vec<char> =
                    Some(arguments.first()?.text()).filter(|text| is_plain_pattern(text))?.chars().collect();
                let start = number(1)?;
                let start = if start < 0.0 { letters.len() as f64 + start } else { start }.max(0.0) as usize;
                let end = match number(2) {
                    None => letters.len(),
                    Some(end) if name == "slicestr" => end.max(0.0) as usize,
                    Some(count) if count < 0.0 => (letters.len() as f64 + count).max(0.0) as usize,
                    Some(count) => start.saturating_add(count as usize),
                };
                let end = end.min(letters.len());
                text(letters.get(start.min(end)..end)?.iter().collect())
            }
            "truncate" => text(bare()?.chars().take(200).collect()),
            "ref" | "relref" => {
                let path = match arguments.last()? {
                    map @ HugoValue::Map(_) => map.member("path")?.text(),
                    path => path.text(),
                };
                text(self.writer.target(&path))
            }
            "findre" | "findresubmatch" | "replacere" => self.pattern_function(name, arguments),
            "hasprefix" => Some(HugoValue::Bool(arguments.first()?.text().starts_with(&arguments.get(1)?.text()))),
            "hassuffix" => Some(HugoValue::Bool(arguments.first()?.text().ends_with(&arguments.get(1)?.text()))),
            "contains" => Some(HugoValue::Bool(arguments.first()?.text().contains(&arguments.get(1)?.text()))),
            "count" => Some(HugoValue::Number(bare()?.matches(&arguments.first()?.text()).count() as f64)),
            "len" if arguments.last().is_some_and(|value| value.count().is_none()) => {
                Some(HugoValue::Number(bare()?.chars().count() as f64))
            }
            "countwords" => Some(HugoValue::Number(self.whole_text(&last()?)?.split_whitespace().count() as f64)),
            "printf" => printf(arguments).map(HugoValue::Text),
            "highlight" => {
                let code = self.whole_text(&arguments.first()?.text())?;
                let lang = arguments.get(1).map(HugoValue::text).unwrap_or_default();
                let options = match arguments.get(2) {
                    Some(HugoValue::Text(options)) => super::fence::fence_options(options),
                    _ => String::new(),
                };
                Some(self.block(TemplateBlock::Code(format!("{lang} {options}").trim_end().to_owned(), code)))
            }
            "readfile" => {
                let path = arguments.first()?.text();
                let file = self.writer.find_file(path.trim_start_matches('/'))?;
                Some(self.block(TemplateBlock::File(file)))
            }
            "fileexists" => Some(HugoValue::Bool(
                self.writer.find_file(arguments.first()?.text().trim_start_matches('/')).is_some(),
            )),
            "unmarshal" => {
                let own = arguments.last()?;
                let (path, source) = match own {
                    HugoValue::Page(file) => {
                        let tree = &self.writer.text.site.tree;
                        (tree.path(*file).to_owned(), tree.text(*file)?)
                    }
                    own => (String::new(), self.whole_text(&own.text())?),
                };
                let ending = match source.trim_start().starts_with(['{', '[']) {
                    _ if path.contains('.') => path,
                    true => ".json".to_owned(),
                    false => ".yaml".to_owned(),
                };
                Some(HugoValue::of_json(&config::parse_as_written(&ending, &source)))
            }
            "jsonify" => {
                let value = arguments.last()?;
                text(json_of(value)?.to_string())
            }
            _ => self.choice(name, arguments),
        }
    }

    /// Functions that compare and choose.
    fn choice(&mut self, name: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let compared = || Some(compare_values(arguments.first()?, arguments.get(1)?));
        match name {
            "default" => {
                let [other, one] = arguments else { return arguments.first().cloned() };
                Some(if one.is_true() { one.clone() } else { other.clone() })
            }
            "cond" => {
                let [condition, one, other] = arguments else { return None };
                Some(if condition.is_true() { one.clone() } else { other.clone() })
            }
            "eq" => {
                let first = arguments.first()?;
                Some(HugoValue::Bool(arguments.iter().skip(1).any(|one| values_are_equal(one, first))))
            }
            "ne" => Some(HugoValue::Bool(!values_are_equal(arguments.first()?, arguments.get(1)?))),
            "lt" => Some(HugoValue::Bool(compared()? == Ordering::Less)),
            "le" => Some(HugoValue::Bool(compared()? != Ordering::Greater)),
            "gt" => Some(HugoValue::Bool(compared()? == Ordering::Greater)),
            "ge" => Some(HugoValue::Bool(compared()? != Ordering::Less)),
            "not" => Some(HugoValue::Bool(!arguments.first()?.is_true())),
            "and" => arguments.iter().find(|one| !one.is_true()).or(arguments.last()).cloned(),
            "or" => arguments.iter().find(|one| one.is_true()).or(arguments.last()).cloned(),
            "isset" => {
                let (set, key) = (arguments.first()?, arguments.get(1)?);
                let found = match (set, key) {
                    (HugoValue::Thing("Shortcode"), _) => None,
                    (set, HugoValue::Number(number)) => return Some(HugoValue::Bool(set.count()? as f64 > *number)),
                    (set, key) => self.field(set, &key.text(), &[]),
                };
                Some(HugoValue::Bool(found? != HugoValue::Nothing))
            }
            "ismap" => Some(HugoValue::Bool(matches!(
                arguments.first()?,
                HugoValue::Map(_) | HugoValue::Data(Json::Object(_))
            ))),
            "isslice" => Some(HugoValue::Bool(matches!(
                arguments.first()?,
                HugoValue::List(_) | HugoValue::Data(Json::Array(_))
            ))),
            "index" => {
                let (base, keys) = arguments.split_first()?;
                let keys = match keys {
                    [list @ HugoValue::List(_)] => list.entries()?.into_iter().map(|(_, key)| key).collect(),
                    keys => keys.to_vec(),
                };
                let mut value = base.clone();
                for key in keys {
                    value = self.at_key(&value, &key)?;
                }
                Some(value)
            }
            "int" | "float" | "toint" => match arguments.first()? {
                HugoValue::Number(number) => {
                    Some(HugoValue::Number(if name == "float" { *number } else { number.trunc() }))
                }
                one => one.text().trim().parse::<f64>().ok().map(HugoValue::Number),
            },
            "add" | "sub" | "mul" | "div" | "mod" | "modbool" | "max" | "min" => {
                let number = |value: &HugoValue<'_>| match value {
                    HugoValue::Number(number) => Some(*number),
                    HugoValue::Text(text) => text.parse::<f64>().ok(),
                    _ => None,
                };
                let (one, other) = (number(arguments.first()?)?, number(arguments.get(1)?)?);
                let are_whole = one.fract() == 0.0 && other.fract() == 0.0;
                Some(match name {
                    "add" => HugoValue::Number(arguments.iter().map(number).sum::<Option<f64>>()?),
                    "sub" => HugoValue::Number(one - other),
                    "mul" => HugoValue::Number(one * other),
                    "max" => HugoValue::Number(one.max(other)),
                    "min" => HugoValue::Number(one.min(other)),
                    _ if other == 0.0 => return None,
                    "div" => HugoValue::Number(if are_whole { (one / other).trunc() } else { one / other }),
                    "mod" => HugoValue::Number(one % other),
                    _ => HugoValue::Bool(one % other == 0.0),
                })
            }
            "ceil" | "floor" | "round" => {
                let Some(HugoValue::Number(number)) = arguments.first() else { return None };
                Some(HugoValue::Number(match name {
                    "ceil" => number.ceil(),
                    "floor" => number.floor(),
                    _ => number.round(),
                }))
            }
            _ => self.list_function(name, arguments),
        }
    }

    fn at_key(&mut self, base: &HugoValue<'w>, key: &HugoValue<'w>) -> Option<HugoValue<'w>> {
        match (base, key) {
            (list @ (HugoValue::List(_) | HugoValue::Data(Json::Array(_))), HugoValue::Number(number)) => {
                let found = list.entries()?.into_iter().nth(number.max(0.0) as usize);
                Some(found.map_or(HugoValue::Nothing, |(_, value)| value))
            }
            (HugoValue::Nothing, _) => Some(HugoValue::Nothing),
            (base, key) => self.field(base, &key.text(), &[]),
        }
    }

    /// Functions of lists and mappings, and those that run another template.
    #[allow(clippy::too_many_lines, reason = "a table: one arm for each function of lists")]
    fn list_function(&mut self, name: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let values = |value: &HugoValue<'w>| -> Option<Vec<HugoValue<'w>>> {
            Some(value.entries()?.into_iter().map(|(_, value)| value).collect())
        };
        let has = |all: &[HugoValue<'w>], one: &HugoValue<'w>| all.iter().any(|other| values_are_equal(other, one));
        match name {
            "split" => {
                let [one, by] = arguments else { return None };
                let (one, by) = (Some(one.text()).filter(|text| is_plain_pattern(text))?, by.text());
                let parts: Vec<&str> = if by.is_empty() { vec![one.as_str()] } else { one.split(&by).collect() };
                Some(HugoValue::List(parts.into_iter().map(|part| HugoValue::Text(part.to_owned())).collect()))
            }
            "fields" => {
                let own = Some(arguments.first()?.text()).filter(|text| is_plain_pattern(text))?;
                Some(HugoValue::List(own.split_whitespace().map(|part| HugoValue::Text(part.to_owned())).collect()))
            }
            "delimit" => {
                let all: Vec<String> = values(arguments.first()?)?.iter().map(HugoValue::text).collect();
                let by = arguments.get(1)?.text();
                (all.len().saturating_mul(by.len()) <= MAX_HUGO_VALUE_BYTES).then_some(())?;
                Some(HugoValue::Text(match (arguments.get(2), all.split_last()) {
                    (Some(end), Some((last, rest))) if !rest.is_empty() => {
                        format!("{}{}{last}", rest.join(&by), end.text())
                    }
                    _ => all.join(&by),
                }))
            }
            "partial" | "partialcached" | "include" | "includecached" => {
                let name = arguments.first()?.text();
                self.partial(&name, arguments.get(1).cloned().unwrap_or(HugoValue::Nothing))
            }
            "i18n" | "t" | "translate" => {
                let words = data::word(&self.writer.settings.words, &arguments.first()?.text()).unwrap_or_default();
                Some(HugoValue::Text(words.to_owned()))
            }
            "dict" | "dictionary" => {
                let pairs = arguments.chunks_exact(2).map(|pair| (pair[0].text(), pair[1].clone()));
                Some(HugoValue::Map(pairs.collect()))
            }
            "newscratch" => Some(HugoValue::Thing("Scratch")),
            "merge" => {
                let mut all = std::collections::BTreeMap::new();
                for one in arguments {
                    for (key, value) in one.entries()? {
                        all.insert(key.text(), value);
                    }
                }
                Some(HugoValue::Map(all))
            }
            "slice" => Some(HugoValue::List(arguments.to_vec())),
            "append" => {
                let (list, own) = arguments.split_last()?;
                let mut all = values(list)?;
                for one in own {
                    match one {
                        HugoValue::List(more) => all.extend(more.iter().cloned()),
                        one => all.push(one.clone()),
                    }
                }
                Some(HugoValue::List(all))
            }
            "seq" => {
                let number = |at: usize| match arguments.get(at) {
                    Some(HugoValue::Number(number)) => Some(*number as i64),
                    Some(HugoValue::Text(text)) => text.parse().ok(),
                    _ => None,
                };
                let (first, last) = if arguments.len() == 1 { (1, number(0)?) } else { (number(0)?, number(1)?) };
                let is_short = arguments.len() <= 2 && last.checked_sub(first).is_some_and(|count| count < 1000);
                is_short
                    .then(|| HugoValue::List((first..=last).map(|number| HugoValue::Number(number as f64)).collect()))
            }
            "first" | "after" | "last" => {
                let Some(&HugoValue::Number(count)) = arguments.first() else { return None };
                let (all, count) = (values(arguments.get(1)?)?, count.max(0.0) as usize);
                let selected = match name {
                    "first" => all.into_iter().take(count).collect(),
                    "after" => all.into_iter().skip(count).collect(),
                    _ => all.split_off_last(count),
                };
                Some(HugoValue::List(selected))
            }
            "len" => Some(HugoValue::Number(arguments.last()?.count()? as f64)),
            "in" => {
                let (set, one) = (arguments.first()?, arguments.get(1)?);
                let is_in = match values(set).filter(|_| set.count().is_some() || *set == HugoValue::Nothing) {
                    Some(all) => has(&all, one),
                    None => set.text().contains(&one.text()),
                };
                Some(HugoValue::Bool(is_in))
            }
            "union" | "intersect" | "complement" | "symdiff" => {
                let (one, other) = (values(arguments.first()?)?, values(arguments.get(1)?)?);
                self.writer.spend(one.len().saturating_mul(other.len()) / 16).then_some(())?;
                Some(HugoValue::List(match name {
                    "union" => {
                        let more: Vec<_> = other.into_iter().filter(|value| !has(&one, value)).collect();
                        one.into_iter().chain(more).collect()
                    }
                    "intersect" => one.into_iter().filter(|value| has(&other, value)).collect(),
                    "complement" => other.into_iter().filter(|value| !has(&one, value)).collect(),
                    _ => return None,
                }))
            }
            "uniq" => {
                let mut out: Vec<HugoValue<'w>> = Vec::new();
                for one in values(arguments.first()?)? {
                    self.writer.spend(1 + out.len() / 16).then_some(())?;
                    if !has(&out, &one) {
                        out.push(one);
                    }
                }
                Some(HugoValue::List(out))
            }
            "sort" => self.sorted(arguments),
            "where" => self.chosen(arguments),
            _ => None,
        }
    }

    /// `sort LIST KEY ORDER`.
    fn sorted(&mut self, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let key = arguments.get(1).map(HugoValue::text).filter(|key| !key.is_empty() && key != "value");
        let mut all = Vec::new();
        for (_, value) in arguments.first()?.entries()? {
            let by = match &key {
                Some(key) => self.at_path(&value, key)?,
                None => value.clone(),
            };
            all.push((by, value));
        }
        // an order of numbers beside texts would have circles: "9" < "10", "10" < "1a" and "1a" < "9"
        let are_numbers = all.iter().all(|(by, _)| by.text().parse::<f64>().is_ok());
        let are_versions = !are_numbers && all.iter().all(|(by, _)| parse_version(&by.text()).is_some());
        match () {
            () if are_numbers || are_versions => all.sort_by(|a, b| compare_values(&a.0, &b.0)),
            () => all.sort_by_cached_key(|(by, _)| (by.text().to_lowercase(), by.text())),
        }
        if arguments.get(2).is_some_and(|order| order.text() == "desc") {
            all.reverse();
        }
        Some(HugoValue::List(all.into_iter().map(|(_, value)| value).collect()))
    }

    /// `where LIST KEY [OPERATOR] VALUE`.
    fn chosen(&mut self, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let (list, key, operator, expected) = match arguments {
            [list, key, expected] => (list, key.text(), "eq".to_owned(), expected),
            [list, key, operator, expected] => (list, key.text(), operator.text(), expected),
            _ => return None,
        };
        let mut out = Vec::new();
        for (_, value) in list.entries()? {
            let own = self.at_path(&value, &key)?;
            let expected_values = || expected.entries().unwrap_or_default();
            let is_in = |one: &HugoValue<'w>| expected_values().iter().any(|(_, other)| values_are_equal(one, other));
            let order = compare_values(&own, expected);
            let is_met = match operator.to_lowercase().as_str() {
                "=" | "==" | "eq" => values_are_equal(&own, expected),
                "!=" | "<>" | "ne" => !values_are_equal(&own, expected),
                ">" | "gt" => order == Ordering::Greater,
                ">=" | "ge" => order != Ordering::Less,
                "<" | "lt" => order == Ordering::Less,
                "<=" | "le" => order != Ordering::Greater,
                "in" => is_in(&own) || matches!(expected, HugoValue::Text(_)) && expected.text().contains(&own.text()),
                "not in" => !is_in(&own),
                "intersect" => own.entries().unwrap_or_default().iter().any(|(_, one)| is_in(one)),
                _ => return None,
            };
            if is_met {
                out.push(value);
            }
        }
        Some(HugoValue::List(out))
    }
}

/// The last values of a list.
trait SplitOffLast {
    fn split_off_last(self, count: usize) -> Self;
}

impl<T> SplitOffLast for Vec<T> {
    fn split_off_last(mut self, count: usize) -> Self {
        let at = self.len().saturating_sub(count);
        self.split_off(at)
    }
}

fn values_are_equal(one: &HugoValue<'_>, other: &HugoValue<'_>) -> bool {
    match (one, other) {
        (HugoValue::Text(_) | HugoValue::Number(_) | HugoValue::Bool(_) | HugoValue::Nothing, _) => {
            one.text() == other.text()
        }
        _ => one == other,
    }
}

/// Numbers and versions by their values, texts as a dictionary has them.
fn compare_values(one: &HugoValue<'_>, other: &HugoValue<'_>) -> Ordering {
    let (one, other) = (one.text(), other.text());
    if let (Ok(one), Ok(other)) = (one.parse::<f64>(), other.parse::<f64>()) {
        return one.total_cmp(&other);
    }
    match (parse_version(&one), parse_version(&other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.to_lowercase().cmp(&other.to_lowercase()).then_with(|| one.cmp(&other)),
    }
}

/// The numbers of a version.
fn parse_version(text: &str) -> Option<Vec<u64>> {
    text.trim_start_matches('v').split('.').map(|part| part.parse().ok()).collect()
}

/// A value as JSON.
fn json_of(value: &HugoValue<'_>) -> Option<Json> {
    Some(match value {
        HugoValue::Nothing => Json::Null,
        HugoValue::Text(text) => Json::String(text.clone()),
        HugoValue::Number(number) if number.fract() == 0.0 => Json::from(*number as i64),
        HugoValue::Number(number) => Json::from(*number),
        HugoValue::Bool(on) => Json::Bool(*on),
        HugoValue::List(all) => Json::Array(all.iter().map(json_of).collect::<Option<_>>()?),
        HugoValue::Map(all) => {
            Json::Object(all.iter().map(|(key, value)| Some((key.clone(), json_of(value)?))).collect::<Option<_>>()?)
        }
        HugoValue::Data(data) => (*data).clone(),
        HugoValue::Page(_) | HugoValue::Params(_) | HugoValue::Thing(_) => return None,
    })
}

/// A text without tags.
fn plainify(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(rest.slice(..at));
        let is_tag = rest.slice(at + 1..).starts_with(|c: char| c == '/' || c == '!' || c.is_ascii_alphabetic());
        match rest.slice(at..).find('>').filter(|_| is_tag) {
            Some(end) => rest = rest.slice(at + end + 1..),
            None => {
                out.push('<');
                rest = rest.slice(at + 1..);
            }
        }
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// Functions of paths.
fn of_path<'d>(name: &str, arguments: &[HugoValue<'d>]) -> Option<HugoValue<'d>> {
    let mut parts = Vec::new();
    for one in arguments {
        match one.entries().filter(|_| one.count().is_some()) {
            Some(all) => parts.extend(all.into_iter().map(|(_, value)| value.text())),
            None => parts.push(one.text()),
        }
    }
    let whole = parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join("/");
    let base = whole.rsplit('/').next().unwrap_or_default();
    let dir = whole.rsplit_once('/').map_or("", |(dir, _)| dir);
    let text = |text: &str| Some(HugoValue::Text(text.to_owned()));
    match name {
        "join" | "clean" => {
            let is_whole = whole.starts_with('/');
            let mut out: Vec<&str> = Vec::new();
            for part in whole.split('/') {
                match part {
                    "" | "." => {}
                    ".." if out.last().is_some_and(|last| *last != "..") => {
                        out.pop();
                    }
                    ".." if is_whole => {}
                    part => out.push(part),
                }
            }
            text(&format!("{}{}", if is_whole { "/" } else { "" }, out.join("/")))
        }
        "base" => text(base),
        "dir" => text(if dir.is_empty() { "." } else { dir }),
        "ext" => text(base.rfind('.').map_or("", |at| base.slice(at..))),
        "basename" => text(base.rsplit_once('.').map_or(base, |(stem, _)| stem)),
        "split" => {
            let dir = if dir.is_empty() { String::new() } else { format!("{dir}/") };
            let file = ("File".to_owned(), HugoValue::Text(base.to_owned()));
            Some(HugoValue::Map([("Dir".to_owned(), HugoValue::Text(dir)), file].into()))
        }
        _ => None,
    }
}

/// `%s`, `%v`, `%d`, `%q` and `%T` in a format, with widths of texts.
fn printf(arguments: &[HugoValue<'_>]) -> Option<String> {
    let (format, mut values) = (arguments.first()?.text(), arguments.iter().skip(1));
    let mut out = String::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut options = String::new();
        while let Some(option) = chars.next_if(|c| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | '#')) {
            options.push(option);
        }
        let verb = chars.next()?;
        if verb == '%' {
            out.push('%');
            continue;
        }
        let value = values.next()?;
        let text = value.text();
        let (width, precision) = options.split_once('.').unwrap_or((&options, ""));
        let precision = precision.parse::<usize>().ok();
        match verb {
            's' | 'v' | 'd' | 't' => {
                let text: String = precision.map_or_else(|| text.clone(), |count| text.chars().take(count).collect());
                let padding = if width.starts_with('0') { "0" } else { " " };
                let width = width.parse::<usize>().unwrap_or(0).min(64);
                out.push_str(&padding.repeat(width.saturating_sub(text.chars().count())));
                out.push_str(&text);
            }
            'f' => {
                let HugoValue::Number(number) = value else { return None };
                out.push_str(&format!("{number:.*}", precision.unwrap_or(6).min(16)));
            }
            'q' => out.push_str(&format!("\"{}\"", text.replace('"', "\\\""))),
            'T' => out.push_str(match value {
                HugoValue::Text(text) if text == "true" || text == "false" => "bool",
                HugoValue::Bool(_) => "bool",
                HugoValue::Text(_) => "string",
                HugoValue::Number(_) => "int",
                HugoValue::Nothing => "<nil>",
                HugoValue::List(_) | HugoValue::Data(Json::Array(_)) => "[]interface {}",
                HugoValue::Map(_) | HugoValue::Data(_) => "map[string]interface {}",
                _ => "page",
            }),
            _ => return None,
        }
    }
    Some(out)
}
