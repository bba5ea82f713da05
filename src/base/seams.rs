//! Where long names may be broken: at the humps of `createUserSession`, behind the joints of `user_session.create` and
//! `/v1/sessions`.

use crate::cut::SliceText as _;

use super::html::push_html_text;

/// Characters of the longest word that is never broken: it fits the deepest row of the page tree.
const MAX_WHOLE_CHARS: usize = 16;

/// A label as HTML. One with a long name is an element of its own, in which the name may be broken at its seams.
pub fn label_with_seams(label: &str) -> String {
    let mut out = String::with_capacity(label.len() + 48);
    if push_with_seams(&mut out, label, "<wbr>") { format!("<span>{out}</span>") } else { out }
}

/// Writes a text, escaped, with a tag at each seam if it has a long name; whether it has one.
pub fn push_with_seams(out: &mut String, text: &str, tag: &str) -> bool {
    let mut from = 0;
    if text.split_whitespace().any(|word| word.chars().count() > MAX_WHOLE_CHARS) {
        let chars: Vec<(usize, char)> = text.char_indices().collect();
        for at in 1..chars.len() {
            if is_seam(&chars, at) {
                push_html_text(out, text.slice(from..chars[at].0));
                out.push_str(tag);
                from = chars[at].0;
            }
        }
    }
    push_html_text(out, text.slice(from..));
    from > 0
}

/// Whether a name may be broken before a character.
fn is_seam(chars: &[(usize, char)], at: usize) -> bool {
    let (before, here) = (chars[at - 1].1, chars[at].1);
    let next_is_small = chars.get(at + 1).is_some_and(|(_, next)| next.is_lowercase());
    let is_hump = here.is_uppercase()
        && (before.is_lowercase() || before.is_ascii_digit() || before.is_uppercase() && next_is_small);
    is_hump || matches!(before, '_' | '.' | '/' | ':') && here.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::label_with_seams;

    #[test]
    fn long_names_are_broken_at_their_seams() {
        assert_eq!(label_with_seams("createUserSessionToken"), "<span>create<wbr>User<wbr>Session<wbr>Token</span>");
        assert_eq!(
            label_with_seams("Get an HTTPServerConfiguration"),
            "<span>Get an HTTP<wbr>Server<wbr>Configuration</span>"
        );
        assert_eq!(
            label_with_seams("/v1/sessions/user_tokens<x>"),
            "<span>/<wbr>v1/<wbr>sessions/<wbr>user_<wbr>tokens&lt;x&gt;</span>"
        );
    }

    #[test]
    fn words_stay_whole() {
        for label in ["createSession", "Long titles of many short words", "Donaudampfschifffahrt", "naïve & co"] {
            assert!(!label_with_seams(label).contains('<'), "{label}");
        }
    }
}
