//! What is known of the elements of HTML.

/// Whether HTML has a tag of this name (small letters), or had one.
pub fn is_html_tag(name: &str) -> bool {
    TAGS.binary_search(&name).is_ok()
}

/// In alphabetical order.
const TAGS: [&str; 138] = [
    "a",
    "abbr",
    "acronym",
    "address",
    "applet",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "basefont",
    "bdi",
    "bdo",
    "big",
    "blink",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "circle",
    "cite",
    "code",
    "col",
    "colgroup",
    "data",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "g",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "line",
    "link",
    "main",
    "map",
    "mark",
    "marquee",
    "math",
    "menu",
    "meta",
    "meter",
    "nav",
    "nobr",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "path",
    "picture",
    "polygon",
    "pre",
    "progress",
    "q",
    "rect",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "script",
    "search",
    "section",
    "select",
    "slot",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "text",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "use",
    "var",
    "video",
    "wbr",
];

/// Whether an element has neither content nor an end tag.
pub fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Whether what stands between the tags of an element is its own, whatever Markdown stands around it: drawings,
/// formulas, media with their sources, controls with what they hold, and what is no text of the page.
pub fn owns_content(name: &str) -> bool {
    is_verbatim(name)
        || matches!(
            name,
            "audio"
                | "canvas"
                | "datalist"
                | "map"
                | "math"
                | "meter"
                | "object"
                | "picture"
                | "progress"
                | "select"
                | "svg"
                | "template"
                | "video"
        )
}

/// Whether an element holds text and no tags.
pub fn is_verbatim(name: &str) -> bool {
    matches!(name, "iframe" | "script" | "style" | "textarea" | "title")
}

/// Whether a start tag of this name without attributes that nothing closes is a word in angle brackets, as in
/// `run <command>`: authors leave out the end tags of paragraphs, items and cells, and forget those of marks.
pub fn may_be_word(name: &str) -> bool {
    !matches!(
        name,
        "a" | "b"
            | "big"
            | "blockquote"
            | "br"
            | "center"
            | "dd"
            | "del"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "em"
            | "font"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "hr"
            | "i"
            | "img"
            | "input"
            | "ins"
            | "kbd"
            | "li"
            | "mark"
            | "nobr"
            | "ol"
            | "optgroup"
            | "option"
            | "p"
            | "pre"
            | "rb"
            | "rp"
            | "rt"
            | "s"
            | "script"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "style"
            | "sub"
            | "summary"
            | "sup"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "tt"
            | "u"
            | "ul"
            | "wbr"
    )
}

/// Whether the text of an element is shown as it was typed: code, and what forms are filled with.
pub fn is_code_element(name: &str) -> bool {
    matches!(name, "code" | "kbd" | "pre" | "samp" | "textarea" | "tt" | "var")
}

/// Whether an element and its content stay in a sentence.
pub fn is_phrasing(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "big"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "font"
            | "i"
            | "ins"
            | "kbd"
            | "mark"
            | "nobr"
            | "q"
            | "rp"
            | "rt"
            | "ruby"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
    )
}

/// Whether the words before and behind an element are not parts of one.
pub fn parts_words(name: &str) -> bool {
    !is_phrasing(name) && name != "wbr"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found() {
        assert!(TAGS.is_sorted());
        assert!(is_html_tag("a") && is_html_tag("wbr") && !is_html_tag("A") && !is_html_tag("x"));
        assert!(TAGS.iter().all(|name| !(is_void(name) && is_phrasing(name)) || *name == "wbr"));
    }
}
