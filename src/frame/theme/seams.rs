//! Where long names may be broken: at the humps of `createUserSession`, behind the joints of `user_session.create` and
//! `/v1/sessions`.

use crate::base::html;

/// Characters of the longest word that is never broken: it fits the deepest row of the page tree.
const WHOLE: usize = 16;

/// A label as HTML. One with a long name is an element of its own, in which the name may be broken at its seams.
pub(super) fn html(label: &str) -> String {
    let text = html::text(label);
    if label.split_whitespace().all(|word| word.chars().count() <= WHOLE) {
        return text;
    }
    let chars: Vec<char> = label.chars().collect();
    let mut out = String::with_capacity(label.len() + 48);
    let mut from = 0;
    for at in 1..chars.len() {
        if is_seam(&chars, at) {
            push(&mut out, &chars[from..at]);
            out.push_str("<wbr>");
            from = at;
        }
    }
    if from == 0 {
        return text;
    }
    push(&mut out, &chars[from..]);
    format!("<span>{out}</span>")
}

fn push(out: &mut String, part: &[char]) {
    out.push_str(&html::text(&part.iter().collect::<String>()));
}

/// Whether a name may be broken before a character.
fn is_seam(chars: &[char], at: usize) -> bool {
    let (before, here) = (chars[at - 1], chars[at]);
    let next_is_small = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
    let is_hump = here.is_uppercase()
        && (before.is_lowercase() || before.is_ascii_digit() || before.is_uppercase() && next_is_small);
    is_hump || matches!(before, '_' | '.' | '/' | ':') && here.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn long_names_are_broken_at_their_seams() {
        assert_eq!(html("createUserSessionToken"), "<span>create<wbr>User<wbr>Session<wbr>Token</span>");
        assert_eq!(html("Get an HTTPServerConfiguration"), "<span>Get an HTTP<wbr>Server<wbr>Configuration</span>");
        assert_eq!(
            html("/v1/sessions/user_tokens<x>"),
            "<span>/<wbr>v1/<wbr>sessions/<wbr>user_<wbr>tokens&lt;x&gt;</span>"
        );
    }

    #[test]
    fn words_stay_whole() {
        for label in ["createSession", "Long titles of many short words", "Donaudampfschifffahrt", "naïve & co"] {
            assert!(!html(label).contains('<'), "{label}");
        }
    }
}
