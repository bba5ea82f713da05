//! The names of keys: `++ctrl+alt+del++`.

use base::cut::SliceText as _;

/// Names whose key says something else than their words with capitals.
const NAMES: &[(&str, &str)] = &[
    ("ctrl", "Ctrl"),
    ("control", "Ctrl"),
    ("left-control", "Left Ctrl"),
    ("right-control", "Right Ctrl"),
    ("cmd", "Cmd"),
    ("command", "Cmd"),
    ("left-command", "Left Cmd"),
    ("right-command", "Right Cmd"),
    ("opt", "Option"),
    ("windows", "Win"),
    ("win", "Win"),
    ("left-windows", "Left Win"),
    ("right-windows", "Right Win"),
    ("super", "Super"),
    ("esc", "Esc"),
    ("escape", "Esc"),
    ("del", "Del"),
    ("delete", "Del"),
    ("ins", "Ins"),
    ("insert", "Ins"),
    ("return", "Enter"),
    ("caps-lock", "Caps Lock"),
    ("backspace", "Backspace"),
    ("arrow-up", "Up"),
    ("arrow-down", "Down"),
    ("arrow-left", "Left"),
    ("arrow-right", "Right"),
    ("pg-up", "Page Up"),
    ("pg-dn", "Page Down"),
    ("page-up", "Page Up"),
    ("page-down", "Page Down"),
    ("backslash", "\\"),
    ("bar", "|"),
    ("pipe", "|"),
    ("brace-left", "{"),
    ("brace-right", "}"),
    ("bracket-left", "["),
    ("bracket-right", "]"),
    ("colon", ":"),
    ("comma", ","),
    ("double-quote", "\""),
    ("equal", "="),
    ("exclam", "!"),
    ("grave", "`"),
    ("greater", ">"),
    ("less", "<"),
    ("minus", "-"),
    ("period", "."),
    ("plus", "+"),
    ("question", "?"),
    ("semicolon", ";"),
    ("single-quote", "'"),
    ("slash", "/"),
    ("tilde", "~"),
    ("underscore", "_"),
    ("print-screen", "Print Screen"),
    ("num-lock", "Num Lock"),
    ("fn", "Fn"),
];

/// The keys that a text starts with between two pluses each, and its length.
pub(super) fn leading(text: &str) -> Option<(Vec<String>, usize)> {
    let inside = text.strip_prefix("++")?;
    let mut rest = inside;
    let mut keys = Vec::new();
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (words, after) =
                quoted.split_once('"').filter(|(words, _)| !words.is_empty() && !words.contains('\n'))?;
            keys.push(words.to_owned());
            rest = after;
        } else {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')))?;
            let name = rest.get(..end).filter(|name| !name.is_empty())?;
            keys.push(key_label(name));
            rest = rest.slice(end..);
        }
        if let Some(after) = rest.strip_prefix("++") {
            return Some((keys, text.len() - after.len()));
        }
        rest = rest.strip_prefix('+')?;
    }
}

/// What stands on a key.
fn key_label(name: &str) -> String {
    let name = name.to_lowercase();
    if let Some((_, shown)) = NAMES.iter().find(|(known, _)| *known == name) {
        return (*shown).to_owned();
    }
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect::<String>())
    };
    name.split('-').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_names() {
        assert_eq!(
            leading("++ctrl+alt+del++ x"),
            Some((vec!["Ctrl".to_owned(), "Alt".to_owned(), "Del".to_owned()], 16))
        );
        assert_eq!(leading("++\"My key\"+f12++"), Some((vec!["My key".to_owned(), "F12".to_owned()], 16)));
        assert_eq!((leading("++i"), leading("++ a ++"), leading("++a b++")), (None, None, None));
    }
}
