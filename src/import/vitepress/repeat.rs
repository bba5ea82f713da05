//! Elements that Vue repeats for data that is known: `<li v-for="entry of entries">` once for each entry.

use serde_json::Value;

use base::html::tag::{HtmlTag, MarkupToken, read_html_token};
use base::html::{attr, escape_html_text, is_void};

use super::elements::{TemplatePart, element, template_parts};
use super::values::BoundValues;

/// Most entries of a list.
const MAX_REPEAT_ENTRIES: usize = 1_000;
/// Most bytes that one element becomes.
const MAX_REPEAT_BYTES: usize = 256 << 10;
/// Elements in each other.
const MAX_REPEAT_DEPTH: usize = 32;
/// Most entries of all lists in one element: lists in each other multiply, also where nothing is written.
const MAX_REPEAT_ROUNDS: usize = 2_048;

/// What an element becomes.
#[derive(Default)]
struct RepeatOutput {
    html: String,
    /// Entries so far.
    rounds: usize,
}

/// What the element at the start of a text becomes, and what follows it; `None` if something of it is not known.
pub(super) fn expand_repeated_element<'t>(html: &'t str, values: &BoundValues) -> Option<(String, &'t str)> {
    let (MarkupToken::Start(tag), rest) = read_html_token(html)? else { return None };
    let (inside, after) = element(&tag, rest);
    Some((repeated_element(&tag, inside, values)?, after))
}

/// The same of an element whose start tag is read.
pub(super) fn repeated_element(tag: &HtmlTag<'_>, inside: &str, values: &BoundValues) -> Option<String> {
    let mut out = RepeatOutput::default();
    repeat(tag, inside, values, 0, &mut out)?;
    Some(out.html)
}

fn repeat(tag: &HtmlTag<'_>, inside: &str, values: &BoundValues, depth: usize, out: &mut RepeatOutput) -> Option<()> {
    let (names, list) =
        tag.value("v-for").and_then(|text| text.split_once(" of ").or_else(|| text.split_once(" in ")))?;
    let names = names.trim().trim_start_matches('(').trim_end_matches(')');
    let entries: Vec<(Value, Value)> = match values.value_of(list.trim())? {
        Value::Array(entries) => entries.into_iter().enumerate().map(|(at, entry)| (entry, at.into())).collect(),
        Value::Object(entries) => entries.into_iter().map(|(name, entry)| (entry, name.into())).collect(),
        Value::Number(count) => {
            (0..count.as_u64()?.min(MAX_REPEAT_ENTRIES as u64)).map(|at| ((at + 1).into(), at.into())).collect()
        }
        _ => return None,
    };
    if entries.len() > MAX_REPEAT_ENTRIES {
        return None;
    }
    // every entry sets the same names
    let mut scope = values.clone();
    for (entry, key) in entries {
        out.rounds += 1;
        if out.rounds > MAX_REPEAT_ROUNDS {
            return None;
        }
        match names.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((fields, _)) => {
                for field in fields.split(',').map(str::trim).filter(|field| !field.is_empty()) {
                    let (field, local) = field.split_once(':').unwrap_or((field, field));
                    scope.set(local.trim(), entry.get(field.trim()).cloned().unwrap_or_default());
                }
            }
            None => {
                let mut names = names.split(',').map(str::trim);
                scope.set(names.next()?, entry);
                if let Some(name) = names.next() {
                    scope.set(name, key);
                }
            }
        }
        write_repeated_element(tag, inside, &scope, depth, out)?;
    }
    Some(())
}

/// Writes an element without its directives.
fn write_repeated_element(
    tag: &HtmlTag<'_>,
    inside: &str,
    values: &BoundValues,
    depth: usize,
    out: &mut RepeatOutput,
) -> Option<()> {
    if depth > MAX_REPEAT_DEPTH || out.html.len() > MAX_REPEAT_BYTES {
        return None;
    }
    let is_element = tag.name != "template";
    let mut own = None;
    if is_element {
        out.html.push('<');
        out.html.push_str(tag.name);
    }
    for given in tag.attributes() {
        let (name, value) = match given.name.strip_prefix(':').or_else(|| given.name.strip_prefix("v-bind:")) {
            Some(name) => (name, values.text_of(given.value.unwrap_or_default())),
            None => (given.name, Some(given.value.unwrap_or_default().to_owned())),
        };
        match name {
            "v-html" => own = Some(values.text_of(given.value?)?),
            "v-text" => own = Some(escape_html_text(&values.text_of(given.value?)?)),
            "key" | "ref" | "class" | "style" => {}
            name if !is_element || name.starts_with(['@', '#']) || name.starts_with("v-") => {}
            name => {
                let Some(value) = value else { continue };
                out.html.push_str(&format!(" {name}=\"{}\"", attr(&value)));
            }
        }
    }
    if is_element {
        out.html.push_str(if tag.is_self_closing() && !is_void(tag.name) { "/>" } else { ">" });
    }
    match own {
        Some(own) => out.html.push_str(&own),
        None => template(inside, values, depth + 1, out)?,
    }
    if is_element && !tag.is_self_closing() && !is_void(tag.name) {
        out.html.push_str(&format!("</{}>", tag.name));
    }
    Some(())
}

fn template(html: &str, values: &BoundValues, depth: usize, out: &mut RepeatOutput) -> Option<()> {
    // whether the last condition held
    let mut is_done = false;
    for part in template_parts(html) {
        let (tag, inside) = match part {
            TemplatePart::Words(text) => {
                write_element_words(text, values, out)?;
                continue;
            }
            TemplatePart::Bracket => {
                out.html.push_str("&lt;");
                continue;
            }
            TemplatePart::Element(tag, inside) => (tag, inside),
        };
        let has = |name: &str| tag.attributes().any(|attribute| attribute.name == name);
        let is_other = has("v-else") || has("v-else-if");
        if is_other && is_done {
            continue;
        }
        if let Some(condition) = tag.value("v-if").or_else(|| tag.value("v-else-if")) {
            is_done = is_true(&values.value_of(condition.trim()).unwrap_or_default());
            if !is_done {
                continue;
            }
        }
        if has("v-for") {
            repeat(&tag, inside, values, depth, out)?
        } else {
            write_repeated_element(&tag, inside, values, depth, out)?
        }
    }
    Some(())
}

fn write_element_words(html: &str, values: &BoundValues, out: &mut RepeatOutput) -> Option<()> {
    let mut rest = html;
    while let Some((before, after)) = rest.split_once("{{") {
        let (expression, after) = after.split_once("}}")?;
        out.html.push_str(before);
        out.html.push_str(&escape_html_text(&values.text_of(expression.trim())?));
        rest = after;
    }
    out.html.push_str(rest);
    Some(())
}

/// As JavaScript has it.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Number(number) => number.as_f64() != Some(0.0),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn elements_are_repeated() {
        let mut values = BoundValues::default();
        values
            .set("all", json!([{ "n": "a", "to": "/a?b&c", "in": ["x", "y"] }, { "n": "<b>", "to": "/b", "in": [] }]));
        for (html, expect) in [
            (
                "<li v-for=\"one of all\" :key=\"one.n\"><a :href=\"one.to\" @click=\"f()\">{{ one.n }}</a></li>!",
                "<li><a href=\"/a?b&amp;c\">a</a></li><li><a href=\"/b\">&lt;b&gt;</a></li>|!",
            ),
            (
                "<p v-for=\"({ n, in: list }, at) in all\">{{ n }}<i v-for=\"x in list\">{{ x }}</i></p>",
                "<p>a<i>x</i><i>y</i></p><p>&lt;b&gt;</p>|",
            ),
            (
                "<template v-for=\"(one, at) in all\"><b v-if=\"at\">{{ at }}</b><i v-else>0</i><br></template>",
                "<i>0</i><br><b>1</b><br>|",
            ),
            ("<i v-for=\"x in 2\" v-text=\"x\"/>", "<i/>1<i/>2|"),
        ] {
            let found = expand_repeated_element(html, &values).map(|(out, rest)| format!("{out}|{rest}"));
            assert_eq!(found.as_deref(), Some(expect), "{html}");
        }
        let deep = format!("{}{}", "<template v-for=\"x in 9\">".repeat(20), "</template>".repeat(20));
        for html in
            [&deep, "<li v-for=\"one of gone\">a</li>", "<li v-for=\"one of all\">{{ f(one) }}</li>", "<li>a</li>"]
        {
            assert_eq!(expand_repeated_element(html, &values), None, "{html}");
        }
    }
}
