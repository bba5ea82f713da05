//! JSX attributes to HTML ones: names, booleans, styles; what could run a script or load something by itself is left
//! out.

use std::borrow::Cow;

use base::cut::{SliceText as _, cut};
use base::{Diagnostic, LoadKind, Place, html};
use markup::tree::{JsxElement, PropValue, number_text};

use super::{LoadSource, Renderer};

/// Writes `<tag attributes>` for an element. `class` is put before the author's classes.
pub(crate) fn open_element(r: &mut Renderer<'_>, tag: &str, element: &JsxElement, class: &str) {
    r.out.push('<');
    r.out.push_str(tag);
    write_attributes(r, tag, element, class, &[]);
    r.out.push('>');
}

/// Writes an element's attributes but those named in `without`. `class` is put before the author's classes.
pub(crate) fn write_attributes(r: &mut Renderer<'_>, tag: &str, element: &JsxElement, class: &str, without: &[&str]) {
    let props = &element.props.0;
    let mut class = Cow::Borrowed(class);
    for (at, (written, value)) in props.iter().enumerate() {
        let Some(name) = html_name(written) else { continue };
        // the last of two equal names wins
        if without.contains(&name.as_ref())
            || props[at + 1..].iter().any(|(later, _)| html_name(later).as_deref() == Some(name.as_ref()))
        {
            continue;
        }
        match name.as_ref() {
            "class" => {
                let theirs = classes_of(value);
                r.classes.add(&theirs);
                class = join_classes(&class, theirs);
            }
            "style" => write_style(r, value, element.place),
            "id" => write_id(r, value),
            // the old way to set an anchor
            "name" if element.name == "a" => {
                if element.props.text("id").is_none() {
                    write_id(r, value);
                }
            }
            "href" if !matches!(tag, "a" | "area") => {}
            "href" | "src" | "poster" | "srcset" | "cite" | "data" | "background" | "xlink:href" => {
                write_url(r, tag, &name, value, element.place)
            }
            name => write_plain(r, name, value),
        }
    }
    if !class.is_empty() {
        r.attr("class", &class);
    }
}

fn classes_of(value: &PropValue) -> Cow<'_, str> {
    match value {
        PropValue::String(text) => Cow::Borrowed(text.trim()),
        PropValue::Array(items) => items.iter().filter_map(PropValue::to_text).collect::<Vec<_>>().join(" ").into(),
        _ => Cow::Borrowed(""),
    }
}

fn join_classes<'c>(ours: &str, theirs: Cow<'c, str>) -> Cow<'c, str> {
    match (ours.is_empty(), theirs.is_empty()) {
        (true, _) => theirs,
        (false, true) => Cow::Owned(ours.to_owned()),
        (false, false) => Cow::Owned(format!("{ours} {theirs}")),
    }
}

fn write_id(r: &mut Renderer<'_>, value: &PropValue) {
    if let Some(id) = value.to_text().and_then(|id| r.ids.explicit(&id)) {
        r.attr("id", &id);
    }
}

fn write_plain(r: &mut Renderer<'_>, name: &str, value: &PropValue) {
    let is_word = name.starts_with("aria-") || name.starts_with("data-") || matches!(name, "draggable" | "spellcheck");
    match value {
        PropValue::Bool(true) if is_word => r.attr(name, "true"),
        PropValue::Bool(false) if is_word => r.attr(name, "false"),
        PropValue::Bool(true) => {
            r.out.push(' ');
            r.out.push_str(name);
        }
        PropValue::String(text) => r.attr(name, text),
        PropValue::Number(number) => r.attr(name, &number_text(*number)),
        _ => {}
    }
}

fn write_url(r: &mut Renderer<'_>, tag: &str, name: &str, value: &PropValue, place: Place) {
    let PropValue::String(url) = value else { return };
    let load = match (tag, name) {
        ("video" | "source" | "track", "src") => LoadKind::Film,
        ("audio", "src") => LoadKind::Sound,
        _ => LoadKind::Picture,
    };
    let resolved = match name {
        "srcset" => source_set(r, url, place),
        "href" | "cite" => r.resolve(url, place).url,
        _ => present(r.load(url, load, place)),
    };
    if !resolved.is_empty() {
        r.attr(name, &resolved);
    }
}

/// The URL of a load; empty for what the bundle does not have.
fn present(source: LoadSource) -> String {
    if source.absent { String::new() } else { source.url }
}

/// Resolves each candidate of a `srcset`.
fn source_set(r: &mut Renderer<'_>, set: &str, place: Place) -> String {
    let mut out = String::new();
    for candidate in set.split(", ").flat_map(|part| part.split(",\n")).map(str::trim).filter(|part| !part.is_empty()) {
        let (url, size) = candidate.split_once(char::is_whitespace).unwrap_or((candidate, ""));
        let url = present(r.source(url, place));
        if url.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&url);
        if !size.is_empty() {
            out.push(' ');
            out.push_str(size.trim());
        }
    }
    out
}

/// The HTML spelling of a JSX attribute; `None` for what never reaches the page: handlers, React's own props, names
/// that are not names, and what would run, load or send something by itself.
fn html_name(written: &str) -> Option<Cow<'_, str>> {
    if written.is_empty()
        || !written.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
    {
        return None;
    }
    let name: Cow<'_, str> = match written {
        "className" => "class".into(),
        "htmlFor" => "for".into(),
        "acceptCharset" => "accept-charset".into(),
        "xlinkHref" => "xlink:href".into(),
        "defaultValue" => "value".into(),
        "defaultChecked" => "checked".into(),
        _ if written.bytes().any(|byte| byte.is_ascii_uppercase()) => written.to_ascii_lowercase().into(),
        _ => written.into(),
    };
    let refused = name.starts_with("on")
        || matches!(
            name.as_ref(),
            "children"
                | "key"
                | "ref"
                | "dangerouslysetinnerhtml"
                | "suppresshydrationwarning"
                | "srcdoc"
                | "formaction"
                | "action"
                | "ping"
                | "crossorigin"
                | "integrity"
                | "nonce"
                | "is"
                | "autofocus"
                | "http-equiv"
                | "target"
                | "rel"
                | "fetchpriority"
                | "nozoom"
        )
        || name.starts_with("data-component")
        || name.starts_with("xmlns");
    (!refused).then_some(name)
}

fn write_style(r: &mut Renderer<'_>, value: &PropValue, place: Place) {
    let css = style_text(value);
    let css = css_urls(r, &css, place);
    if !css.is_empty() {
        r.attr("style", &css);
    }
}

/// A `style` prop as CSS declarations.
pub(crate) fn style_text(value: &PropValue) -> String {
    match value {
        PropValue::String(css) => css.trim().trim_end_matches(';').to_owned(),
        PropValue::Object(fields) => {
            let mut out = String::new();
            for (name, value) in fields {
                push_declaration(&mut out, name, value);
            }
            out
        }
        _ => String::new(),
    }
}

fn push_declaration(out: &mut String, name: &str, value: &PropValue) {
    let property = css_property(name);
    let text = match value {
        PropValue::Number(number) if *number == 0.0 || property.starts_with("--") || is_unitless(&property) => {
            number_text(*number)
        }
        PropValue::Number(number) => format!("{}px", number_text(*number)),
        PropValue::String(text) => text.trim().to_owned(),
        _ => return,
    };
    if text.is_empty() || !property.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return;
    }
    if !out.is_empty() {
        out.push(';');
    }
    out.push_str(&property);
    out.push(':');
    out.push_str(text.trim_end_matches(';'));
}

/// `fontSize` → `font-size`, `WebkitX` → `-webkit-x`, `msX` → `-ms-x`; custom properties stay.
fn css_property(name: &str) -> String {
    if name.starts_with("--") {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len() + 4);
    if name.starts_with("ms") && name.slice(2..).starts_with(|c: char| c.is_ascii_uppercase()) {
        out.push('-');
    }
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// The properties whose numbers are no lengths, as React knows them. `islands.js` has the same list.
fn is_unitless(property: &str) -> bool {
    matches!(
        property,
        "animation-iteration-count"
            | "aspect-ratio"
            | "border-image-outset"
            | "border-image-slice"
            | "border-image-width"
            | "column-count"
            | "columns"
            | "fill-opacity"
            | "flex"
            | "flex-grow"
            | "flex-shrink"
            | "flex-order"
            | "flood-opacity"
            | "font-weight"
            | "grid-area"
            | "grid-column"
            | "grid-column-end"
            | "grid-column-start"
            | "grid-row"
            | "grid-row-end"
            | "grid-row-start"
            | "line-clamp"
            | "-webkit-line-clamp"
            | "line-height"
            | "opacity"
            | "order"
            | "orphans"
            | "scale"
            | "stop-opacity"
            | "stroke-dasharray"
            | "stroke-dashoffset"
            | "stroke-miterlimit"
            | "stroke-opacity"
            | "stroke-width"
            | "tab-size"
            | "widows"
            | "z-index"
            | "zoom"
    )
}

/// CSS with its `url(…)`s resolved; those that are refused become `url()`. `@import`s stay if the bundle has what
/// stands elsewhere.
pub(crate) fn css_urls(r: &mut Renderer<'_>, css: &str, place: Place) -> String {
    if !css.contains("url(") && !css.contains("@import") && !css.contains("expression(") {
        return css.to_owned();
    }
    let (imports, css) = take_css_imports(r, css, place);
    let out = local_urls(r, &css, place);
    // imports count before everything else only
    imports + &out
}

/// Takes the `@import`s out of a style: those that the bundle has, written anew, and the rest of the style.
fn take_css_imports(r: &mut Renderer<'_>, css: &str, place: Place) -> (String, String) {
    let (mut imports, mut left) = (String::new(), String::with_capacity(css.len()));
    let mut rest = css;
    while let Some(at) = rest.find("@import") {
        left.push_str(rest.slice(..at));
        let (statement, after) = split_statement(rest.slice(at + "@import".len()..));
        rest = after;
        let statement = statement.trim();
        let argument = statement.strip_prefix("url(").map_or(statement, str::trim_start);
        let (address, media) = match argument.chars().next() {
            Some(quote @ ('"' | '\'')) => argument.slice(1..).split_once(quote).unwrap_or((argument.slice(1..), "")),
            _ => argument.find([')', ' ']).map_or((argument, ""), |end| cut(argument, end)),
        };
        let is_outside = ["https://", "http://", "//"].iter().any(|start| address.trim().starts_with(start));
        let source = if is_outside {
            r.load(address.trim(), LoadKind::Sheet, place)
        } else {
            LoadSource { external: true, ..LoadSource::default() }
        };
        if !source.external && !source.url.is_empty() {
            let media = media.trim_start_matches(')').trim();
            imports.push_str(&format!("@import \"{}\" {media};\n", source.url.replace(['"', '\\', '\n'], "")));
        } else if !source.absent {
            r.warn_once("css-import", place, || {
                Diagnostic::new("css-import", "`@import` in a style of the page is left out")
                    .hint("move the rules to a .css file of the source")
            });
        }
    }
    left.push_str(rest);
    (imports, left)
}

/// The text up to the `;` that ends a statement, and what follows it; one in an address ends none.
fn split_statement(text: &str) -> (&str, &str) {
    let mut quote = None;
    let mut in_parentheses = false;
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('(' | ')', None) => in_parentheses = c == '(',
            (';', None) if !in_parentheses => return (text.slice(..at), text.slice(at + 1..)),
            _ => {}
        }
    }
    (text, "")
}

fn local_urls(r: &mut Renderer<'_>, css: &str, place: Place) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find("url(") {
        let (before, after) = cut(rest, at + 4);
        out.push_str(before);
        let end = after.find(')').unwrap_or(after.len());
        let url = after.slice(..end).trim().trim_matches(['"', '\'']);
        let resolved = match url {
            "" => String::new(),
            url if url.starts_with('#') || url.starts_with("data:image/") || url.starts_with("data:font/") => {
                url.to_owned()
            }
            url => present(r.load(url, LoadKind::Style, place)),
        };
        out.push('"');
        out.push_str(&resolved.replace(['"', '\\', '\n'], ""));
        out.push('"');
        rest = after.slice(end..);
    }
    out.push_str(rest);
    out
}

/// A color that may stand in a style: a name, `#rgb`, `rgb(…)`, `oklch(…)`, `var(--x)`; nothing that could end the
/// declaration or load something.
pub(crate) fn safe_color(text: &str) -> Option<&str> {
    let text = text.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '(' | ')' | ',' | '.' | '%' | ' ' | '-' | '/');
    (!text.is_empty() && text.len() <= 64 && text.chars().all(plain) && !text.to_ascii_lowercase().contains("url"))
        .then_some(text)
}

/// Appends ` class="…"`: our class, then the author's `className`.
pub(crate) fn class_attr(r: &mut Renderer<'_>, ours: &str, element: &JsxElement) {
    let theirs = element.props.text("className").or_else(|| element.props.text("class")).unwrap_or_default();
    r.classes.add(&theirs);
    r.out.push_str(" class=\"");
    r.out.push_str(ours);
    if !theirs.trim().is_empty() {
        r.out.push(' ');
        html::push_attr(&mut r.out, theirs.trim());
    }
    r.out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: PropValue, expect: &str) {
        assert_eq!(style_text(&value), expect);
    }

    #[test]
    fn styles_become_css() {
        check(PropValue::String("color: red; ".into()), "color: red");
        check(
            PropValue::Object(vec![
                ("fontSize".into(), PropValue::Number(14.0)),
                ("lineHeight".into(), PropValue::Number(1.5)),
                ("WebkitMask".into(), PropValue::String("none".into())),
                ("--x".into(), PropValue::Number(3.0)),
                ("margin".into(), PropValue::Number(0.0)),
                ("display".into(), PropValue::Null),
            ]),
            "font-size:14px;line-height:1.5;-webkit-mask:none;--x:3;margin:0",
        );
    }

    #[test]
    fn names_that_act_are_refused() {
        for name in ["onClick", "onclick", "srcDoc", "dangerouslySetInnerHTML", "key", "a b", "x\"y", "autoFocus"] {
            assert_eq!(html_name(name), None, "{name}");
        }
        assert_eq!(html_name("colSpan").as_deref(), Some("colspan"));
        assert_eq!(html_name("aria-label").as_deref(), Some("aria-label"));
    }
}
