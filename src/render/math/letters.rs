//! Letters of a style (bold, script, double-struck …) as characters of their own: browsers know no other styles of
//! letters in MathML.

/// First characters of the letters A to Z and a to z, sorted by style.
const LATIN: [(&str, u32); 13] = [
    ("bold", 0x1d400),
    ("bold-fraktur", 0x1d56c),
    ("bold-italic", 0x1d468),
    ("bold-sans-serif", 0x1d5d4),
    ("bold-script", 0x1d4d0),
    ("double-struck", 0x1d538),
    ("fraktur", 0x1d504),
    ("italic", 0x1d434),
    ("monospace", 0x1d670),
    ("sans-serif", 0x1d5a0),
    ("sans-serif-bold-italic", 0x1d63c),
    ("sans-serif-italic", 0x1d608),
    ("script", 0x1d49c),
];
/// First characters of the digits.
const DIGITS: [(&str, u32); 5] = [
    ("bold", 0x1d7ce),
    ("bold-sans-serif", 0x1d7ec),
    ("double-struck", 0x1d7d8),
    ("monospace", 0x1d7f6),
    ("sans-serif", 0x1d7e2),
];
/// First characters of the Greek letters.
const GREEK: [(&str, u32); 5] = [
    ("bold", 0x1d6a8),
    ("bold-italic", 0x1d71c),
    ("bold-sans-serif", 0x1d756),
    ("italic", 0x1d6e2),
    ("sans-serif-bold-italic", 0x1d790),
];
/// Greek signs that follow the letters α to ω, and ∇ before them, with their distance from the first.
const SIGNS: [(char, u32); 9] =
    [('ϴ', 17), ('∇', 25), ('∂', 51), ('ϵ', 52), ('ϑ', 53), ('ϰ', 54), ('ϕ', 55), ('ϱ', 56), ('ϖ', 57)];
/// Letters that had a character before the others.
const OLDER: [(&str, &str, &str); 4] = [
    ("double-struck", "CHNPQRZ", "ℂℍℕℙℚℝℤ"),
    ("fraktur", "CHIRZ", "ℭℌℑℜℨ"),
    ("italic", "h", "ℎ"),
    ("script", "BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ"),
];

/// A character in a style, if there is one.
pub(super) fn styled(c: char, style: &str) -> Option<char> {
    if let Some((_, from, to)) = OLDER.iter().find(|(known, from, _)| *known == style && from.contains(c)) {
        return from.chars().zip(to.chars()).find(|(plain, _)| *plain == c).map(|(_, older)| older);
    }
    let first = |table: &[(&str, u32)]| table.iter().find(|(known, _)| *known == style).map(|(_, first)| *first);
    let code = u32::from(c);
    let code = match c {
        'A'..='Z' => first(&LATIN)? + (code - u32::from('A')),
        'a'..='z' => first(&LATIN)? + 26 + (code - u32::from('a')),
        '0'..='9' => first(&DIGITS)? + (code - u32::from('0')),
        'Α'..='Ω' => first(&GREEK)? + (code - u32::from('Α')),
        'α'..='ω' => first(&GREEK)? + 26 + (code - u32::from('α')),
        _ => first(&GREEK)? + SIGNS.iter().find(|(sign, _)| *sign == c)?.1,
    };
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, style: &str, expect: &str) {
        assert_eq!(text.chars().map(|c| styled(c, style).unwrap_or(c)).collect::<String>(), expect);
    }

    #[test]
    fn letters_have_styles() {
        check("Az09é", "bold", "𝐀𝐳𝟎𝟗é");
        check("RQZa1", "double-struck", "ℝℚℤ𝕒𝟙");
        check("LFa", "script", "ℒℱ𝒶");
        check("gH", "fraktur", "𝔤ℌ");
        check("αΩ∇∂ϕ", "bold", "𝛂𝛀𝛁𝛛𝛟");
        check("hx", "italic", "ℎ𝑥");
        check("ab", "monospace", "𝚊𝚋");
        check("a", "normal", "a");
    }

    #[test]
    fn tables_name_every_style_once() {
        assert!(LATIN.is_sorted() && DIGITS.is_sorted() && GREEK.is_sorted());
        assert!(OLDER.iter().all(|(_, from, to)| from.chars().count() == to.chars().count()));
    }
}
