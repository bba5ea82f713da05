//! Names that are no component: their children stay, with a warning once per name and page. So do elements that show
//! nothing, without their children.

use crate::Renderer;
use crate::phrasing::all_phrasing;
use base::{Diagnostic, Place, html, spelling};
use markup::component;
use markup::tree::{Flaw, JsxElement};

pub(super) fn write_unknown(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.flaw {
        Flaw::None => warn(r, element),
        Flaw::NotImported => {}
        Flaw::Unclosed => return write_word(r, element),
    }
    // the paragraph around words has been opened already: see `phrasing::is_phrasing`
    if all_phrasing(&element.children) {
        r.nodes(&element.children);
    } else {
        r.flow(&element.children);
    }
}

/// Writes a tag that HTML does not have and nothing closes: a word in angle brackets.
pub(crate) fn write_word(r: &mut Renderer<'_>, element: &JsxElement) {
    let words = element.as_words();
    // the paragraph around words has been opened already: see `phrasing::is_phrasing`
    if all_phrasing(&element.children) {
        if let Some(words) = words {
            r.text(&words);
        }
        return r.nodes(&element.children);
    }
    if let Some(words) = words {
        r.raw("<p>");
        r.text(&words);
        r.raw("</p>\n");
    }
    r.flow(&element.children);
}

/// Says that HTML has no element of a name. Other letters than small ones are those of components, and names with a dash
/// may be an author's own.
pub(crate) fn tell_unknown(r: &mut Renderer<'_>, name: &str, place: Place) {
    let may_be_html = name.chars().all(|c| c.is_lowercase() || c.is_ascii_digit() || c == '_');
    if !may_be_html || html::is_html_tag(name) {
        return;
    }
    r.warn_once(&format!("<{name}>"), place, || {
        Diagnostic::new("unknown-element", format!("HTML has no element `{name}`: its tags show nothing"))
            .hint(format!("write `\\<{name}>`, or put it between backticks, where readers are to see it"))
    });
}

/// Says that an element is left out with what it says.
pub(crate) fn tell_dropped(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = element.name.as_str();
    r.warn_once(&format!("</{name}>"), element.place, || {
        Diagnostic::new("element-dropped", format!("a `<{name}>` shows nothing on a page, and is left out"))
            .hint("write what it says outside of it, or write `\\<` for a plain <")
    });
}

pub(crate) fn warn(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = element.name.as_str();
    r.warn_once(name, element.place, || {
        let diagnostic = Diagnostic::new("unknown-component", format!("there is no component named `{name}`"));
        diagnostic.hint(match nearest_component(name) {
            Some(near) => format!("did you mean `{near}`? Its content is shown without it"),
            None => "import it from a snippet, or export it on the page; its content is shown without it".to_owned(),
        })
    });
}

/// The component whose name is nearly this one.
fn nearest_component(name: &str) -> Option<&'static str> {
    spelling::nearest_word(name, component::suggested_names())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expect: Option<&str>) {
        assert_eq!(nearest_component(name), expect);
    }

    #[test]
    fn typing_errors_find_their_component() {
        check("INfo", Some("Info"));
        check("Wraning", Some("Warning"));
        check("CHECK", Some("Check"));
        check("CallOut", Some("Callout"));
        check("AccordionGroups", Some("AccordionGroup"));
        check("PricingTable", None);
        check("Foo", None);
    }
}
