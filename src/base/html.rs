//! Escaping: the only way source text reaches HTML.

/// Appends `text` as HTML text: `&`, `<` and `>` escaped.
pub fn push_text(out: &mut String, text: &str) {
    push_escaped(out, text, false);
}

/// Appends `text` as the inside of a double-quoted attribute.
pub fn push_attr(out: &mut String, text: &str) {
    push_escaped(out, text, true);
}

/// `text` as HTML text.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_text(&mut out, text);
    out
}

/// `text` as the inside of a double-quoted attribute.
pub fn attr(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_attr(&mut out, text);
    out
}

fn push_escaped(out: &mut String, text: &str, in_attribute: bool) {
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' if in_attribute => "&quot;",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        out.push_str(entity);
        from = at + 1;
    }
    out.push_str(&text[from..]);
}

/// `json` for the inside of a `<script>`: no `<`, `>`, `&`, U+2028 or U+2029 survives.
pub fn script_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_escape_quotes_and_text_does_not() {
        assert_eq!(attr("a\"<b>&"), "a&quot;&lt;b&gt;&amp;");
        assert_eq!(text("a\"<b>&"), "a\"&lt;b&gt;&amp;");
    }

    #[test]
    fn inline_data_cannot_close_its_script() {
        assert_eq!(script_json("\"</script>\u{2028}\""), "\"\\u003c/script\\u003e\\u2028\"");
    }
}
