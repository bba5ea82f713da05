//! Lines of code that are folded until readers ask for them: what rewrites the texts of other tools names them in the
//! info string of a fence, and the parser of Markdown takes them out again.

/// Stands before the numbers; authors have no reason to write the character.
const MARK: char = '\u{e005}';

/// The end of an info string that hides lines, by their numbers from 1 in ascending order; empty for none.
pub fn hidden_lines_suffix(lines: &[u32]) -> String {
    let Some((first, rest)) = lines.split_first() else { return String::new() };
    let mut ranges = vec![(*first, *first)];
    for line in rest {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let range = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    format!(" {MARK}{}", ranges.into_iter().map(range).collect::<Vec<_>>().join(","))
}

/// An info string without that end, and the numbers in it: `1,3-5`.
pub fn take_hidden_lines(info: &str) -> (&str, &str) {
    info.split_once(MARK).map_or((info, ""), |(info, lines)| (info.trim_end(), lines.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_marked_is_taken() {
        assert_eq!(hidden_lines_suffix(&[]), "");
        let info = format!("rust{}", hidden_lines_suffix(&[1, 2, 3, 7, 9, 10]));
        assert_eq!(take_hidden_lines(&info), ("rust", "1-3,7,9-10"));
        assert_eq!(take_hidden_lines("rust title=x"), ("rust title=x", ""));
    }
}
