//! Emphasis beside Chinese, Japanese and Korean text. CommonMark decides by spaces and punctuation whether `**` opens
//! or closes, and these scripts write no spaces: `**注意：**この` never closes by its rules. Where a run of `*` stands
//! between punctuation and such a letter, or between punctuation of these scripts and any letter, a mark hides the
//! punctuation from the parser; the tree never holds it.

use std::borrow::Cow;

use crate::cut::SliceText as _;

/// Neither space nor punctuation to the parser, and no character that a text may hold.
pub const MARK: char = '\u{FDD0}';

/// On which side of a run of `*` the mark has to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DelimiterSide {
    /// Before it.
    Before,
    /// After it.
    After,
}

/// Where a run between two characters needs the mark; `None` where CommonMark's rules already do.
pub fn side(before: char, after: char) -> Option<DelimiterSide> {
    if before.is_ascii() && after.is_ascii() || before.is_whitespace() || after.is_whitespace() {
        return None;
    }
    match (is_punctuation(before), is_punctuation(after)) {
        (true, false) if is_wide_mark(before) || is_letter(after) => Some(DelimiterSide::Before),
        (false, true) if is_wide_mark(after) || is_letter(before) => Some(DelimiterSide::After),
        _ => None,
    }
}

/// A text with the marks that it needs. It is read by the parser alone: no position in it is reported.
pub fn mark_cjk(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains('*') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr::memchr2(b'*', b'\\', &text.as_bytes()[at..]) {
        let from = at + found;
        if text.as_bytes()[from] == b'\\' {
            at = from + 1 + text.slice(from + 1..).chars().next().map_or(0, char::len_utf8);
            continue;
        }
        at = from + text.as_bytes()[from..].iter().take_while(|byte| **byte == b'*').count();
        let (before, after) = (text.slice(..from).chars().next_back(), text.slice(at..).chars().next());
        let Some(side) = before.zip(after).and_then(|(before, after)| side(before, after)) else { continue };
        let here = if side == DelimiterSide::Before { from } else { at };
        out.push_str(text.slice(copied..here));
        out.push(MARK);
        copied = here;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.slice(copied..));
    Cow::Owned(out)
}

/// Punctuation and signs, as the parser sees them: what is neither letter, digit, mark nor space.
fn is_punctuation(c: char) -> bool {
    is_wide_mark(c)
        || !(c.is_alphanumeric()
            || c.is_whitespace()
            || c.is_control()
            || matches!(c, '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{FE00}'..='\u{FE0F}'))
}

/// Punctuation and signs of these scripts.
fn is_wide_mark(c: char) -> bool {
    matches!(
        c,
        '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{3030}' | '\u{303D}' | '\u{30A0}' | '\u{30FB}' | '\u{FE30}'..='\u{FE4F}'
            | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}' | '\u{FFE0}'..='\u{FFEE}'
    )
}

/// Letters and digits of these scripts.
fn is_letter(c: char) -> bool {
    matches!(
        c,
        '\u{1100}'..='\u{11FF}' | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{302F}' | '\u{3031}'..='\u{303C}'
            | '\u{3041}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{318F}' | '\u{31A0}'..='\u{4DBF}' | '\u{4E00}'..='\u{A4CF}'
            | '\u{A960}'..='\u{A97F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}'
            | '\u{FF41}'..='\u{FF5A}' | '\u{FF66}'..='\u{FFDC}' | '\u{1B000}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFD}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: char, after: char, expect: Option<DelimiterSide>) {
        assert_eq!(side(before, after), expect, "{before}**{after}");
    }

    #[test]
    fn only_runs_beside_these_scripts_are_helped() {
        check('×', '。', None);
        check('：', 'こ', Some(DelimiterSide::Before));
        check('：', 'a', Some(DelimiterSide::Before));
        check(')', '対', Some(DelimiterSide::Before));
        check('>', '対', Some(DelimiterSide::Before));
        check('は', '「', Some(DelimiterSide::After));
        check('は', '`', Some(DelimiterSide::After));
        check('한', '(', Some(DelimiterSide::After));
        // what CommonMark reads without help, or what these scripts have no part in
        check('注', '対', None);
        check('：', ' ', None);
        check('：', '`', None);
        check(')', 'a', None);
        check('é', '(', None);
        check('…', 'é', None);
    }
}
