//! Typed reading of configuration objects: what is wrong becomes a problem that names the JSON path, what is left over
//! is reported.

use rustc_hash::FxHashSet;

use base::diagnostic::list_in_backticks;
use base::printable::printable;
use base::{Diagnostic, spelling};

use super::json::{Json, JsonValue, Member};
use super::problems::LoadProblems;
use super::read_log::{Asked, ReadLog};
use super::values::Pair;

/// A value and its JSON path, such as `navbar.links[2].href`.
#[derive(Clone, Debug)]
pub struct FieldPath<'a> {
    /// The path, for messages.
    pub path: String,
    /// The value.
    pub json: &'a Json,
    /// Where it is noted what is asked of the value, if that is of interest.
    pub log: Option<&'a ReadLog>,
}

/// An object whose keys are taken one by one.
#[derive(Debug)]
pub struct ObjectFields<'a> {
    path: String,
    members: &'a [Member],
    taken: Vec<bool>,
    /// Every key that was looked up.
    known: Vec<&'static str>,
    log: Option<&'a ReadLog>,
}

/// What `docs.json` calls keys of `mint.json`: (object, key, path).
const RENAMED: [(&str, &str, &str); 20] = [
    ("`docs.json`", "analytics", "integrations"),
    ("`docs.json`", "anchors", "navigation.global.anchors"),
    ("`docs.json`", "asyncapi", "api.asyncapi"),
    ("`docs.json`", "backgroundImage", "background.image"),
    ("`docs.json`", "codeBlock", "styling.codeblocks"),
    ("`docs.json`", "eyebrow", "styling.eyebrows"),
    ("`docs.json`", "font", "fonts"),
    ("`docs.json`", "footerSocials", "footer.socials"),
    ("`docs.json`", "layout", "theme"),
    ("`docs.json`", "modeToggle", "appearance"),
    ("`docs.json`", "openapi", "api.openapi"),
    ("`docs.json`", "primaryTab", "navigation.tabs"),
    ("`docs.json`", "tabs", "navigation.tabs"),
    ("`docs.json`", "topAnchor", "navigation.anchors"),
    ("`docs.json`", "topbarCtaButton", "navbar.primary"),
    ("`docs.json`", "topbarLinks", "navbar.links"),
    ("`docs.json`", "versions", "navigation.versions"),
    ("`seo`", "indexHiddenPages", "seo.indexing"),
    ("`colors`", "background", "background.color"),
    ("`appearance`", "isHidden", "appearance.strict"),
];

/// What to do with keys that were not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadKeys {
    /// The object tolerates them: a warning.
    Warn,
    /// The format refuses them: an error.
    Refuse,
}

impl<'a> ObjectFields<'a> {
    /// The members of an object at a path (empty for the root).
    pub fn new(path: String, members: &'a [Member], log: Option<&'a ReadLog>) -> Self {
        Self { path, members, taken: vec![false; members.len()], known: Vec::new(), log }
    }

    fn note(&self, asked: impl FnOnce() -> Asked) {
        if let Some(log) = self.log {
            log.note(&self.path, asked());
        }
    }

    /// Takes a key; `None` if it is unset or null.
    pub fn take(&mut self, key: &'static str) -> Option<FieldPath<'a>> {
        self.known.push(key);
        self.note(|| Asked::Key(key));
        let at = self.members.iter().position(|member| member.key == key)?;
        self.taken[at] = true;
        let json = &self.members[at].json;
        if matches!(json.value, JsonValue::Null) {
            return None;
        }
        Some(FieldPath { path: join_field_path(&self.path, key), json, log: self.log })
    }

    /// Takes keys that are known and need no reading here.
    pub fn skip(&mut self, keys: &[&'static str]) {
        self.known.extend_from_slice(keys);
        for key in keys {
            self.note(|| Asked::Key(key));
        }
        for (member, taken) in self.members.iter().zip(&mut self.taken) {
            *taken |= keys.contains(&member.key.as_str());
        }
    }

    /// Takes a string.
    pub fn text(&mut self, key: &'static str, problems: &mut LoadProblems) -> Option<String> {
        self.take(key)?.text(problems)
    }

    /// Takes a truth value.
    pub fn flag(&mut self, key: &'static str, problems: &mut LoadProblems) -> Option<bool> {
        self.take(key)?.flag(problems)
    }

    /// Takes a number.
    pub fn number(&mut self, key: &'static str, problems: &mut LoadProblems) -> Option<f64> {
        self.take(key)?.number(problems)
    }

    /// Takes one of a list of words.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&str, T)],
        problems: &mut LoadProblems,
    ) -> Option<T> {
        self.take(key)?.choice(choices, problems)
    }

    /// Takes a string or `{light, dark}`.
    pub fn pair(&mut self, key: &'static str, rest: UnreadKeys, problems: &mut LoadProblems) -> Option<Pair> {
        self.take(key)?.pair(rest, problems)
    }

    /// Takes an object.
    pub fn object(&mut self, key: &'static str, problems: &mut LoadProblems) -> Option<ObjectFields<'a>> {
        self.take(key)?.object(problems)
    }

    /// Takes an array's items.
    pub fn list(&mut self, key: &'static str, problems: &mut LoadProblems) -> Vec<FieldPath<'a>> {
        self.take(key).map(|field| field.list(problems)).unwrap_or_default()
    }

    /// Takes `light` and `dark`; one stands in for the other.
    pub fn light_dark(&mut self, problems: &mut LoadProblems) -> Option<Pair> {
        let (light, dark) = (self.text("light", problems), self.text("dark", problems));
        let both = light.clone().or_else(|| dark.clone())?;
        Some(Pair { light: light.unwrap_or_else(|| both.clone()), dark: dark.unwrap_or(both) })
    }

    /// All members, as taken.
    pub fn all(&mut self) -> impl Iterator<Item = (&'a str, FieldPath<'a>)> {
        self.taken.fill(true);
        self.note(|| Asked::AnyKey);
        let (path, log) = (self.path.clone(), self.log);
        self.members.iter().map(move |member| {
            (member.key.as_str(), FieldPath { path: join_field_path(&path, &member.key), json: &member.json, log })
        })
    }

    /// Reports the keys that are left; `kind` names the object, e.g. `a group`.
    pub fn finish(self, kind: &'static str, rest: UnreadKeys, problems: &mut LoadProblems) {
        self.note(|| Asked::End(kind));
        let mut left =
            self.members.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|(member, _)| member).peekable();
        if left.peek().is_none() {
            return;
        }
        let keys: FxHashSet<&str> = self.members.iter().map(|member| member.key.as_str()).collect();
        let unset: Vec<&'static str> = self.known.iter().copied().filter(|known| !keys.contains(known)).collect();
        for member in left {
            let path = join_field_path(&self.path, &member.key);
            let hint = left_key_hint(kind, &member.key, &unset);
            match rest {
                UnreadKeys::Warn => problems.unknown_key(kind, &member.key, member.key_at, path, hint),
                UnreadKeys::Refuse => {
                    let message = format!("`{path}`: {kind} has no key `{}`", member.key);
                    problems.at(member.key_at, Diagnostic::error("config-unknown-key", message).hint(hint));
                }
            }
        }
    }
}

/// What to do about a key that was not read, where an object could have others.
fn left_key_hint(kind: &str, key: &str, unset: &[&'static str]) -> String {
    if let Some((_, _, now)) = RENAMED.iter().find(|(of, old, _)| *of == kind && *old == key) {
        return format!("the key in `docs.json` is `{now}`");
    }
    match spelling::nearest_word(key, unset.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("remove `{key}`, or check its spelling"),
    }
}

impl<'a> FieldPath<'a> {
    /// Notes what the value may be, where it is not read by a function of this type.
    pub fn note(&self, asked: impl FnOnce() -> Asked) {
        if let Some(log) = self.log {
            log.note(&self.path, asked());
        }
    }

    /// The string that it may be, among other things.
    pub fn as_str(&self) -> Option<&'a str> {
        self.note(|| Asked::Text);
        self.json.as_str()
    }

    /// The value as it is, whatever it is.
    pub fn anything(&self) -> serde_json::Value {
        self.note(|| Asked::Anything);
        self.json.to_value()
    }

    /// Says that the value is not what it must be.
    pub fn wrong(&self, expected: &str, problems: &mut LoadProblems) {
        problems.at(self.json.at, Diagnostic::error("config-value", self.must_be(expected)));
    }

    /// The same, and what to do.
    pub fn wrong_with(&self, expected: &str, hint: String, problems: &mut LoadProblems) {
        problems.at(self.json.at, Diagnostic::error("config-value", self.must_be(expected)).hint(hint));
    }

    /// The same of a value that changes nothing in a bundle: a warning.
    pub fn doubt(&self, expected: &str, problems: &mut LoadProblems) {
        problems.at(self.json.at, Diagnostic::warning("config-value", self.must_be(expected)));
    }

    /// Warns unless the value is one of a list of words.
    pub fn doubt_unless(&self, words: &[&str], problems: &mut LoadProblems) {
        self.doubt_unless_known(words, |word| words.contains(&word), problems);
    }

    /// The same where words are known in more spellings than those of the list.
    pub fn doubt_unless_known(&self, words: &[&str], is_known: impl Fn(&str) -> bool, problems: &mut LoadProblems) {
        self.note(|| Asked::Words(words.iter().copied().map(str::to_owned).collect()));
        let word = self.json.as_str();
        if word.is_some_and(is_known) {
            return;
        }
        let problem = Diagnostic::warning(
            "config-value",
            self.must_be(&format!("one of {}", list_in_backticks(words.iter().copied()))),
        );
        let near = word.and_then(|word| spelling::nearest_word(word, words.iter().copied()));
        problems.at(
            self.json.at,
            match near {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            },
        );
    }

    fn must_be(&self, expected: &str) -> String {
        let found = match &self.json.value {
            JsonValue::String(text) => format!("`{}`", shorten_value(text)),
            other => other.kind().to_owned(),
        };
        format!("`{}` must be {expected}, not {found}", self.path)
    }

    /// A string, trimmed.
    pub fn text(&self, problems: &mut LoadProblems) -> Option<String> {
        let text = self.as_str().map(|text| printable(text.trim()).into_owned());
        if text.is_none() {
            self.wrong("a string", problems);
        }
        text
    }

    /// A truth value.
    pub fn flag(&self, problems: &mut LoadProblems) -> Option<bool> {
        self.note(|| Asked::Flag);
        let flag = self.json.as_bool();
        if flag.is_none() {
            self.wrong("true or false", problems);
        }
        flag
    }

    /// A number.
    pub fn number(&self, problems: &mut LoadProblems) -> Option<f64> {
        self.note(|| Asked::Number);
        let number = if let JsonValue::Number(number) = &self.json.value { number.as_f64() } else { None };
        if number.is_none() {
            self.wrong("a number", problems);
        }
        number
    }

    /// One of a list of words.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)], problems: &mut LoadProblems) -> Option<T> {
        self.note(|| Asked::Words(choices.iter().map(|(name, _)| (*name).to_owned()).collect()));
        let word = self.json.as_str();
        let choice = word.and_then(|word| choices.iter().find(|(name, _)| *name == word));
        if choice.is_none() {
            let expected = format!("one of {}", list_in_backticks(choices.iter().map(|(name, _)| *name)));
            match word.and_then(|word| spelling::nearest_word(word, choices.iter().map(|(name, _)| *name))) {
                Some(near) => self.wrong_with(&expected, format!("did you mean `{near}`?"), problems),
                None => self.wrong(&expected, problems),
            }
        }
        choice.map(|(_, value)| *value)
    }

    /// A string for both schemes, or `{light, dark}` of which one may be missing (then both are the same).
    pub fn pair(&self, rest: UnreadKeys, problems: &mut LoadProblems) -> Option<Pair> {
        if let Some(text) = self.as_str() {
            return Some(Pair { light: text.trim().to_owned(), dark: text.trim().to_owned() });
        }
        if self.json.as_object().is_none() {
            self.wrong("a string or an object with `light` and `dark`", problems);
            return None;
        }
        let mut fields = self.object(problems)?;
        let pair = fields.light_dark(problems);
        fields.finish("a light and dark pair", rest, problems);
        pair
    }

    /// An object.
    pub fn object(&self, problems: &mut LoadProblems) -> Option<ObjectFields<'a>> {
        self.note(|| Asked::Object);
        let Some(members) = self.json.as_object() else {
            self.wrong("an object", problems);
            return None;
        };
        Some(ObjectFields::new(self.path.clone(), members, self.log))
    }

    /// The items of an array.
    pub fn list(&self, problems: &mut LoadProblems) -> Vec<FieldPath<'a>> {
        self.note(|| Asked::List);
        let Some(items) = self.json.as_array() else {
            self.wrong("an array", problems);
            return Vec::new();
        };
        self.items(items)
    }

    /// The items of an array; anything else counts as its only item.
    pub fn one_or_many(&self) -> Vec<FieldPath<'a>> {
        self.note(|| Asked::List);
        self.json.as_array().map_or_else(|| vec![self.clone()], |items| self.items(items))
    }

    fn items(&self, items: &'a [Json]) -> Vec<FieldPath<'a>> {
        let item = |(index, json)| FieldPath { path: format!("{}[{index}]", self.path), json, log: self.log };
        items.iter().enumerate().map(item).collect()
    }
}

fn join_field_path(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn shorten_value(text: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 60;
    if text.chars().count() <= MAX_SHOWN_CHARS {
        text.to_owned()
    } else {
        text.chars().take(MAX_SHOWN_CHARS).chain(['…']).collect()
    }
}
