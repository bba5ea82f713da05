//! The first lines of code blocks, whose parts VitePress takes in any order.

use base::cut::SliceText as _;
use base::lines::fence_of;

/// The first line of a code block with its option behind the language, and the title at its end:
/// `js [a.js]{1} :line-numbers=3` is `js:line-numbers=3 {1} [a.js]`. `None` if it is no such line, or is so already.
pub(super) fn in_order(line: &str) -> Option<String> {
    let inner = line.trim_start_matches([' ', '>']);
    let (_, count, info) = fence_of(inner)?;
    let end = info.find(|c: char| c.is_whitespace() || matches!(c, '{' | '[' | ':')).unwrap_or(info.len());
    let (language, rest) = info.split_at_checked(end)?;
    let (option, rest) = without_option(rest);
    let (rest, title) = without_title(&rest);
    let lead = line.len() - inner.len() + count;
    let written = format!("{}{language}{option}{rest}{title}", line.slice(..lead));
    (written.trim_end() != line.trim_end()).then_some(written)
}

/// What stands around the title, and the title: `[a.js]`.
fn without_title(rest: &str) -> (String, String) {
    let found = rest.find('[').and_then(|start| Some((start, rest.rfind(']').filter(|end| *end > start)? + 1)));
    let Some((start, end)) = found else { return (rest.to_owned(), String::new()) };
    let words = [rest.slice(..start), rest.slice(end..)].map(str::trim).join(" ");
    let words = words.trim();
    let lead = if words.is_empty() { "" } else { " " };
    (format!("{lead}{words}"), format!(" {}", rest.slice(start..end)))
}

/// `:line-numbers`, `:line-numbers=3` or `:no-line-numbers` outside of a title, and what else there is.
fn without_option(rest: &str) -> (&str, String) {
    let outside = |at: &usize| !rest.slice(..*at).contains('[') || rest.slice(..*at).contains(']');
    let marks = [":line-numbers", ":no-line-numbers"];
    let found = marks.iter().filter_map(|mark| rest.find(mark).filter(outside).map(|at| (at, at + mark.len()))).min();
    let Some((start, end)) = found else { return ("", rest.to_owned()) };
    let value =
        rest.slice(end..).strip_prefix('=').map_or(0, |value| 1 + value.bytes().take_while(u8::is_ascii_digit).count());
    let end = end + value;
    (rest.slice(start..end), format!("{}{}", rest.slice(..start), rest.slice(end..)))
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn parts_of_a_first_line_have_one_order() {
        for (line, expect) in [
            ("```js [a.js]{1} :line-numbers=3", Some("```js:line-numbers=3 {1} [a.js]")),
            ("> ~~~ts {2}:line-numbers [b]", Some("> ~~~ts:line-numbers {2} [b]")),
            ("```ts[b.ts]", Some("```ts [b.ts]")),
            ("```ts:no-line-numbers {1}", None),
            ("```ts [a:line-numbers]", None),
            ("```", None),
            ("words", None),
        ] {
            assert_eq!(in_order(line).as_deref(), expect, "{line}");
        }
    }
}
