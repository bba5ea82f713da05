//! The part of a note that another one shows: all of it, what stands below a heading, or a block.

use base::lines::{Verbatim, starts_item};

use super::heading_anchor;

/// The lines of a part, as a range. `fragment`: the words of a heading, or `^` and the name of a block.
pub(super) fn find_part(lines: &[&str], fragment: Option<&str>) -> Option<std::ops::Range<usize>> {
    match fragment.filter(|fragment| !fragment.is_empty()) {
        None => Some(0..lines.len()),
        Some(block) if block.starts_with('^') => find_block(lines, block),
        Some(words) => find_section(lines, words),
    }
}

/// The level of a heading, and its words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let words = line.get(level..)?.strip_prefix([' ', '\t'])?;
    (1..=6).contains(&level).then_some((level, words.trim().trim_end_matches('#').trim_end()))
}

fn find_section(lines: &[&str], words: &str) -> Option<std::ops::Range<usize>> {
    let wanted = heading_anchor(words);
    let mut verbatim = Verbatim::default();
    let mut found: Option<(usize, usize)> = None;
    for (at, line) in lines.iter().enumerate() {
        if verbatim.takes(line.trim_start()) {
            continue;
        }
        let Some((level, words)) = heading(line) else { continue };
        match found {
            Some((start, least)) if level <= least => return Some(start..at),
            None if heading_anchor(words) == wanted => found = Some((at, level)),
            _ => {}
        }
    }
    found.map(|(start, _)| start..lines.len())
}

fn find_block(lines: &[&str], block: &str) -> Option<std::ops::Range<usize>> {
    let at = lines.iter().position(|line| line.trim_end().split(' ').next_back() == Some(block))?;
    let is_blank = |line: &str| line.trim().is_empty();
    if lines[at].trim() == block {
        // it stands below the block
        let end = (0..at).rev().find(|at| !is_blank(lines[*at])).map_or(at, |last| last + 1);
        let start = (0..end).rev().find(|at| is_blank(lines[*at])).map_or(0, |blank| blank + 1);
        return Some(start..end);
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    if starts_item(lines[at].trim_start()) {
        let below = lines[at + 1..].iter().take_while(|line| !is_blank(line) && indent(line) > indent(lines[at]));
        return Some(at..at + 1 + below.count());
    }
    let start = (0..at).rev().find(|at| is_blank(lines[*at])).map_or(0, |blank| blank + 1);
    Some(start..at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_by_name() {
        let lines: Vec<&str> =
            "# One\na\n## Two: x\nb\n\nlong\nline ^p1\n\n- i ^i1\n  - j\n- k\n\n|t|\n|-|\n\n^t1\n\n## Three\nc"
                .split('\n')
                .collect();
        let of = |name: &str| find_part(&lines, Some(name)).map(|range| lines[range].join("/"));
        assert_eq!(of("Two x").as_deref(), Some("## Two: x/b//long/line ^p1//- i ^i1/  - j/- k//|t|/|-|//^t1/"));
        assert_eq!(of("Three").as_deref(), Some("## Three/c"));
        assert_eq!(of("^p1").as_deref(), Some("long/line ^p1"));
        assert_eq!(of("^i1").as_deref(), Some("- i ^i1/  - j"));
        assert_eq!(of("^t1").as_deref(), Some("|t|/|-|"));
        assert_eq!((of("None"), of("^none")), (None, None));
        assert_eq!(find_part(&lines, None), Some(0..lines.len()));
    }
}
