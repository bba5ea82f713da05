//! Whether the scanner is inside a drawing or a formula, where tags mean other things. It knows as long as every
//! element is closed in turn and none of them leads back to HTML; what is not that simple goes to the parser.

/// The elements that are open since a drawing or a formula began.
#[derive(Debug, Default)]
pub(super) struct Foreign<'a> {
    open: Vec<&'a [u8]>,
}

/// Elements of HTML that end a drawing or a formula when they begin in it, those whose inside is text, and those of
/// drawings and formulas whose inside is HTML again.
fn is_unsure(name: &str) -> bool {
    matches!(
        name,
        "annotation-xml"
            | "b"
            | "big"
            | "blockquote"
            | "body"
            | "br"
            | "center"
            | "code"
            | "dd"
            | "desc"
            | "div"
            | "dl"
            | "dt"
            | "em"
            | "embed"
            | "font"
            | "foreignobject"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "head"
            | "hr"
            | "i"
            | "iframe"
            | "img"
            | "li"
            | "listing"
            | "menu"
            | "meta"
            | "nobr"
            | "noembed"
            | "noframes"
            | "noscript"
            | "ol"
            | "p"
            | "plaintext"
            | "pre"
            | "ruby"
            | "s"
            | "script"
            | "select"
            | "small"
            | "span"
            | "strike"
            | "strong"
            | "style"
            | "sub"
            | "sup"
            | "table"
            | "template"
            | "textarea"
            | "title"
            | "tt"
            | "u"
            | "ul"
            | "var"
            | "xmp"
            | "frameset"
    )
}

impl<'a> Foreign<'a> {
    /// Whether an element begins a drawing or a formula.
    #[inline]
    pub(super) fn begins(name: &[u8]) -> bool {
        name.eq_ignore_ascii_case(b"svg") || name.eq_ignore_ascii_case(b"math")
    }

    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// An element begins; `None` if it is not clear what that means.
    pub(super) fn start(&mut self, name: &'a [u8], self_closing: bool) -> Option<()> {
        if name.len() <= 14 && (name[0] | 0x20).is_ascii_lowercase() {
            let mut buffer = [0; 14];
            let lower = &mut buffer[..name.len()];
            lower.copy_from_slice(name);
            lower.make_ascii_lowercase();
            let name = std::str::from_utf8(lower).ok()?;
            if is_unsure(name) {
                return None;
            }
        }
        if !self_closing {
            self.open.push(name);
        }
        Some(())
    }

    /// An element ends; `None` if it is not the one that began last.
    pub(super) fn end(&mut self, name: &[u8]) -> Option<()> {
        self.open.pop().filter(|open| open.eq_ignore_ascii_case(name)).map(drop)
    }
}
