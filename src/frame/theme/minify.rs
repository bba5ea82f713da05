//! Smaller style sheets and scripts without a parser: comments and white space that cannot matter.

use base::cut::{SliceText as _, cut};

/// A style sheet without comments, line breaks, the spaces around `{ } ; , >` and those after `:`, quotes around words
/// in attribute selectors and zeros before a decimal point. Other strings stay as they are.
pub(super) fn minify_css(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    let mut space = false;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("/*") {
            rest = rest.slice(2..).split_once("*/").map_or("", |(_, after)| after);
            continue;
        }
        if c.is_ascii_whitespace() {
            (space, rest) = (true, rest.slice(1..));
            continue;
        }
        if std::mem::take(&mut space)
            && !out.is_empty()
            && !out.ends_with(['{', '}', ';', ',', '>', ':'])
            && !matches!(c, '{' | '}' | ';' | ',' | '>')
        {
            out.push(' ');
        }
        if c == '}' && out.ends_with(';') {
            out.pop();
        }
        let taken = match c {
            '"' | '\'' => string_end(rest, c),
            // an escaped quote in a selector starts no string
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            'u' | 'U' => address_end(rest),
            c => c.len_utf8(),
        };
        let (token, after) = cut(rest, taken);
        rest = after;
        let word = token.trim_matches(c);
        let bare = taken > 2
            && out.ends_with('=')
            && after.starts_with(']')
            && word.starts_with(|c: char| c.is_ascii_alphabetic())
            && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let is_zero = c == '0'
            && after.starts_with('.')
            && !out.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
        match (bare, is_zero) {
            (true, _) => out.push_str(word),
            (_, true) => {}
            _ => out.push_str(token),
        }
    }
    out
}

/// Length of the address without quotes that `text` starts with, `url(…)`; of one character if it is none.
fn address_end(text: &str) -> usize {
    let is_address = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("url("))
        && !text.slice(4..).trim_start().starts_with(['"', '\'']);
    if is_address { text.find(')').map_or(text.len(), |end| end + 1) } else { 1 }
}

/// Length of the string literal that `text` starts with, its quotes included.
fn string_end(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A script without indentation, blank lines and lines that are only a comment. Template literals over several lines
/// would change: our scripts have none, and a test holds them to it.
pub(super) fn js(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut in_comment = false;
    for line in source.lines().map(str::trim) {
        if in_comment || line.starts_with("/*") {
            in_comment = !line.contains("*/");
            continue;
        }
        if !line.is_empty() && !line.starts_with("//") {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_css(source: &str, expect: &str) {
        assert_eq!(minify_css(source), expect);
    }

    #[test]
    fn style_sheets_shrink_and_mean_the_same() {
        check_css(
            "/* a */\n.a :hover , .b > c {\n  color: red;\n  margin: 0 auto;\n}\n",
            ".a :hover,.b>c{color:red;margin:0 auto}",
        );
        check_css("a::before { content: \"/* {  } */ \\\" \"; }", "a::before{content:\"/* {  } */ \\\" \"}");
        check_css(
            "@media (min-width: 10px) and (x) { a { b: calc(1px + 2px) } }",
            "@media (min-width:10px) and (x){a{b:calc(1px + 2px)}}",
        );
        check_css(
            "a[b=\"c-d\"] { e: \"f\" } a[b=\"1\"], [b=\"c d\"] { e: 0.5em -0.5em 10.5 #000 }",
            "a[b=c-d]{e:\"f\"}a[b=\"1\"],[b=\"c d\"]{e:.5em -0.5em 10.5 #000}",
        );
        check_css(".a\\'b { c: d; }", ".a\\'b{c:d}");
        check_css("a { b: 'unclosed", "a{b:'unclosed");
        check_css("a { b: url(x) } /* unclosed", "a{b:url(x)}");
        check_css("a { b: url(/c/0.5,; d.png) , Url( \"e\" ) }", "a{b:url(/c/0.5,; d.png),Url( \"e\" )}");
    }

    #[test]
    fn scripts_keep_their_lines() {
        assert_eq!(
            js("/* doc\n of it */\n(function () {\n  // note\n  var a = \"//\";\n\n})();\n"),
            "(function () {\nvar a = \"//\";\n})();\n"
        );
    }
}
