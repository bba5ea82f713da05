//! Attributes of HTML as those of JSX.

use base::cut::SliceText as _;
use markup::tree::{JsxElement, PropValue};

/// Names that have other capitals in JSX.
const NAMES: [&str; 41] = [
    "accessKey",
    "allowFullScreen",
    "autoComplete",
    "autoPlay",
    "cellPadding",
    "cellSpacing",
    "charSet",
    "className",
    "colSpan",
    "contentEditable",
    "crossOrigin",
    "dateTime",
    "encType",
    "fetchPriority",
    "formNoValidate",
    "frameBorder",
    "hrefLang",
    "htmlFor",
    "inputMode",
    "itemProp",
    "itemScope",
    "itemType",
    "marginHeight",
    "marginWidth",
    "maxLength",
    "minLength",
    "noValidate",
    "playsInline",
    "preserveAspectRatio",
    "radioGroup",
    "readOnly",
    "referrerPolicy",
    "rowSpan",
    "spellCheck",
    "srcDoc",
    "srcLang",
    "srcSet",
    "tabIndex",
    "useMap",
    "viewBox",
    "xlinkHref",
];

/// Writes the attributes of a tag of HTML as JSX has them. Handlers go: their texts are no functions.
pub(super) fn adapt_attributes(element: &mut JsxElement) {
    for (name, value) in &mut element.props.0 {
        *name = jsx_name(name);
        if let (true, PropValue::String(css)) = (name == "style", &*value) {
            *value = PropValue::Object(declarations(css));
        }
    }
    element.props.0.retain(|(name, value)| {
        let is_handler = name.len() > 2 && name.starts_with("on") && matches!(value, PropValue::String(_));
        !is_handler && !matches!(value, PropValue::Object(fields) if name == "style" && fields.is_empty())
    });
}

fn jsx_name(name: &str) -> String {
    match name {
        "class" => return "className".to_owned(),
        "for" => return "htmlFor".to_owned(),
        "accept-charset" => return "acceptCharset".to_owned(),
        _ if name.starts_with("data-") || name.starts_with("aria-") => return name.to_owned(),
        _ => {}
    }
    let joined = style_camel_case(name, |c| matches!(c, '-' | ':'));
    let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(&joined));
    known.map_or(joined, |known| (*known).to_owned())
}

fn style_camel_case(name: &str, is_joint: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(name.len());
    let mut is_next_capital = false;
    for c in name.chars() {
        if is_joint(c) {
            is_next_capital = true;
        } else if std::mem::take(&mut is_next_capital) {
            out.push(c.to_ascii_uppercase());
        } else {
            out.push(c);
        }
    }
    out
}

/// The declarations of a style attribute.
fn declarations(css: &str) -> Vec<(String, PropValue)> {
    let mut out = Vec::new();
    let mut depth = 0i32;
    let mut quote = None;
    let parts = css.split(|c: char| {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        c == ';' && depth <= 0 && quote.is_none()
    });
    for part in parts {
        let Some((name, value)) = part.split_once(':') else { continue };
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() {
            continue;
        }
        let name = if name.starts_with("--") {
            name.to_owned()
        } else {
            let name = name.to_ascii_lowercase();
            // React writes this prefix alone with a small letter
            style_camel_case(if name.starts_with("-ms-") { name.slice(1..) } else { &name }, |c| c == '-')
        };
        out.push((name, PropValue::String(value.to_owned())));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::migrate::mdx::jsx;
    use markup::html::fragment;
    use markup::tree::Node;

    #[test]
    fn attributes_of_html_become_those_of_jsx() {
        for (html, expect) in [
            (
                "<div class='a' for=b data-x-y=1 aria-label=c>",
                "<div className=\"a\" htmlFor=\"b\" data-x-y=\"1\" aria-label=\"c\"",
            ),
            (
                "<p style='color: red; --a: 1; -webkit-line-clamp: 2; background: url(\"a;b\")'>",
                r#"<p style={{ color: "red", "--a": "1", WebkitLineClamp: "2", background: "url(\"a;b\")" }}"#,
            ),
            ("<td colspan=2 onclick='x()' style=''>", "<td colSpan=\"2\""),
            ("<iframe allowfullscreen frameborder=0>", "<iframe allowFullScreen frameBorder=\"0\""),
            (
                "<svg stroke-width=1 viewBox='0 0 1 1' xlink:href='#a'>",
                "<svg strokeWidth=\"1\" viewBox=\"0 0 1 1\" xlinkHref=\"#a\"",
            ),
        ] {
            let mut nodes = fragment(html, "div", Default::default());
            let Some(Node::Element(element)) = nodes.first_mut() else { panic!("{html}") };
            adapt_attributes(element);
            assert_eq!(jsx::write_start_tag(element), expect);
        }
    }
}
