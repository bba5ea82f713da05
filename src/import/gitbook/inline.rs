//! What stands among the words of a line: anchors of headings, icons, colors, values, formulas.

use crate::attribute::find_attribute;
use base::cut::SliceText as _;
use base::html::{self, escape_html_text};
use base::lines::outside_code;

/// A line outside of code as it is written in Markdown. `values`: what pages show, by name.
pub(super) fn rewrite_inline(line: String, values: &[(String, String)]) -> String {
    let mut line = line;
    if line.starts_with('#') && line.contains(" id=\"") {
        line = with_anchor(&line);
    }
    if line.contains("class=\"expression\"") {
        line = with_values(&line, values);
    }
    if line.contains("<i ") || line.contains("<mark") {
        line = outside_code(&line, |part| rewrite_colored_marks(&without_icon_words(part)));
    }
    if line.contains("$$") {
        line = outside_code(&line, with_formulas);
    }
    line
}

/// `## Words <a href="#x" id="x"></a>`: the anchor is that of the heading.
fn with_anchor(line: &str) -> String {
    let mut out = line.to_owned();
    let mut own = None;
    while let Some(start) = out.find("<a ") {
        let Some(end) = out.slice(start..).find("</a>").map(|end| start + end) else { break };
        let Some((tag, inside)) = out.slice(start..end).split_once('>') else { break };
        let Some(id) = find_attribute(tag.slice(2..), "id").filter(|_| inside.is_empty()) else { break };
        out.replace_range(start..end + 4, "");
        own.get_or_insert(id);
    }
    match own.filter(|id| !id.is_empty() && !id.contains(['{', '}', ' '])) {
        Some(id) => format!("{} {{#{id}}}", out.trim_end()),
        None => line.to_owned(),
    }
}

/// `<i class="fa-bolt">:bolt:</i>`: the words are the name of the icon.
fn without_icon_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<i ") {
        let Some((tag, after)) = rest.slice(start..).split_once('>') else { break };
        let words = after.split("</i>").next().unwrap_or_default();
        let is_name = words.starts_with(':') && words.ends_with(':') && !words.contains(' ');
        out.push_str(rest.slice(..start));
        out.push_str(tag);
        out.push('>');
        rest = if is_name && tag.contains("fa-") { after.slice(words.len()..) } else { after };
    }
    out.push_str(rest);
    out
}

/// The name of the icon of a tag.
pub(super) fn icon_of(text: &str) -> Option<&str> {
    let (_, classes) = text.split_once("<i class=\"")?;
    let classes = classes.split('"').next().unwrap_or_default();
    classes.split_whitespace().filter_map(|class| class.strip_prefix("fa-")).find(|name| !STYLES.contains(name))
}

/// Classes of Font Awesome that say how an icon is drawn.
const STYLES: [&str; 7] = ["solid", "regular", "light", "thin", "brands", "duotone", "sharp"];

/// The colors of GitBook in a light and a dark page.
const COLORS: [(&str, &str, &str); 13] = [
    ("red", "#c0262d", "#f87171"),
    ("orange", "#b4510f", "#fb923c"),
    ("yellow", "#8a6100", "#facc15"),
    ("green", "#17783c", "#4ade80"),
    ("blue", "#1d5fd0", "#60a5fa"),
    ("purple", "#7e3fc9", "#c084fc"),
    ("pink", "#b8297d", "#f472b6"),
    ("$primary", "", ""),
    ("$info", "#1d5fd0", "#60a5fa"),
    ("$success", "#17783c", "#4ade80"),
    ("$warning", "#8a6100", "#facc15"),
    ("$danger", "#c0262d", "#f87171"),
    ("$tint", "", ""),
];

/// `<mark style="color:blue;">`: words in a color, and with one behind them.
fn rewrite_colored_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // what ends the marks that are open
    let mut open: Vec<&str> = Vec::new();
    while let Some(start) = rest.find("<mark").into_iter().chain(rest.find("</mark>")).min() {
        out.push_str(rest.slice(..start));
        let Some((tag, after)) = rest.slice(start..).split_once('>') else {
            rest = rest.slice(start..);
            break;
        };
        rest = after;
        if tag == "</mark" {
            out.push_str(open.pop().unwrap_or("</mark>"));
            continue;
        }
        let style = find_attribute(tag.trim_start_matches("<mark"), "style").unwrap_or_default();
        let of = |key: &str| {
            let declarations = style.split(';').filter_map(|one| one.split_once(':'));
            let value = declarations.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim()).next();
            value.filter(|value| *value != "default")
        };
        let mut written = Vec::new();
        let back = of("background-color");
        if let Some(color) = of("color").and_then(shown_color) {
            written.push(format!("color:{color}"));
        }
        if let Some(color) = back.and_then(shown_color) {
            written.push(format!("background:color-mix(in oklab, {color} 16%, transparent)"));
        }
        let style = written.join(";");
        let name = if back.is_some() { "mark" } else { "span" };
        match style.as_str() {
            "" => out.push_str(&format!("<{name}>")),
            style => out.push_str(&format!("<{name} style=\"{}\">", html::attr(style))),
        }
        open.push(if back.is_some() { "</mark>" } else { "</span>" });
    }
    out.push_str(rest);
    out
}

/// A color that can be read on both pages.
fn shown_color(name: &str) -> Option<String> {
    let known = COLORS.iter().find(|(known, ..)| *known == name);
    match known {
        Some((_, "", _)) => None,
        Some((_, light, dark)) => Some(format!("light-dark({light}, {dark})")),
        None => name.starts_with('#').then(|| name.to_owned()),
    }
}

/// `<code class="expression">space.vars.version</code>`
fn with_values(line: &str, values: &[(String, String)]) -> String {
    const OPEN: &str = "<code class=\"expression\">";
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let Some((expression, after)) = after.split_once("</code>") else { break };
        let name = expression.trim().rsplit('.').next().unwrap_or_default();
        let value = values.iter().find(|(known, _)| known == name).map(|(_, value)| escape_html_text(value));
        out.push_str(before);
        out.push_str(&value.unwrap_or_else(|| format!("<code>{expression}</code>")));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `$$x$$` among words stands in their line.
fn with_formulas(text: &str) -> String {
    let alone = text.trim();
    let is_alone =
        alone.starts_with("$$") && (alone.len() == 2 || alone.ends_with("$$") && alone.matches("$$").count() == 2);
    if is_alone {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("$$") {
        let Some((tex, after)) = after.split_once("$$") else { break };
        out.push_str(&format!("{before}$`{}`$", tex.trim()));
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let values = [("version".to_owned(), "2.1 <b>".to_owned())];
        assert_eq!(rewrite_inline(line.to_owned(), &values), expect, "{line}");
    }

    #[test]
    fn headings_have_their_anchors() {
        check("## Use it <a href=\"#use\" id=\"use\"></a>", "## Use it {#use}");
        check("# A <a href=\"x\">link</a> id=\"y\"", "# A <a href=\"x\">link</a> id=\"y\"");
        check("## Two <a href=\"#a\" id=\"a\"></a><a href=\"#b\" id=\"b\"></a>", "## Two {#a}");
    }

    #[test]
    fn what_stands_among_words() {
        check("<i class=\"fa-bolt\">:bolt:</i> Fast", "<i class=\"fa-bolt\"></i> Fast");
        check("Version <code class=\"expression\">space.vars.version</code>", "Version 2.1 &lt;b&gt;");
        check("<code class=\"expression\">x.y</code>", "<code>x.y</code>");
        check(
            "A <mark style=\"color:red;\">b</mark> `<mark>`",
            "A <span style=\"color:light-dark(#c0262d, #f87171)\">b</span> `<mark>`",
        );
        check(
            "<mark style=\"background-color:green;\">b</mark>",
            "<mark style=\"background:color-mix(in oklab, light-dark(#17783c, #4ade80) 16%, transparent)\">b</mark>",
        );
        check("<mark style=\"color:$primary;\">b</mark>", "<span>b</span>");
        check("sum $$a_1$$ and $$b$$.", "sum $`a_1`$ and $`b`$.");
        check("$$ a $$", "$$ a $$");
        check("$$", "$$");
        assert_eq!(icon_of("<i class=\"fa-solid fa-bolt\">"), Some("bolt"));
    }

    proptest! {
        #[test]
        fn no_text_panics(line in "(<i |<mark|>|</mark>|</i>|:a:|\\$\\$|# |<a | id=\"|\"|</a>|class=\"expression\"|`|é){0,20}") {
            let _ = rewrite_inline(line, &[]);
        }
    }
}
