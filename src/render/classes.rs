//! The classes that authors write: what the style sheet of utilities is made for.

use rustc_hash::FxHashSet;

/// Longest class that may be a utility, bytes.
const MAX_CLASS_BYTES: usize = 200;
/// Most classes of a page that are looked at.
const MAX_PAGE_CLASSES: usize = 2_000;

/// The utilities that need no style sheet of their own: pictures for one color scheme (`templates/css/prose.css`).
const IN_THEME: [&str; 4] = ["block", "dark:block", "dark:hidden", "hidden"];

/// Classes of a page that may be utilities.
#[derive(Clone, Debug, Default)]
pub struct Classes(FxHashSet<String>);

impl Classes {
    /// Adds classes, separated by white space.
    pub fn add(&mut self, classes: &str) {
        for class in classes.split_ascii_whitespace() {
            if self.0.len() < MAX_PAGE_CLASSES && may_be_utility(class) && !self.0.contains(class) {
                self.0.insert(class.to_owned());
            }
        }
    }

    /// All of them, sorted; none if the theme has their rules.
    pub fn into_sorted(self) -> Vec<String> {
        if self.0.iter().all(|class| IN_THEME.contains(&class.as_str())) {
            return Vec::new();
        }
        let mut classes: Vec<String> = self.0.into_iter().collect();
        classes.sort_unstable();
        classes
    }
}

/// Utilities start with a small letter, a digit (`2xl:flex`), `!`, `-`, `@`, `*` or `[`; none has a backslash, a brace,
/// a semicolon or a double quote.
fn may_be_utility(class: &str) -> bool {
    class.len() <= MAX_CLASS_BYTES
        && class.starts_with(|c: char| {
            c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '!' | '-' | '@' | '*' | '[')
        })
        && !class.contains(['\\', '{', '}', ';', '"'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &[&str], expect: &[&str]) {
        let mut classes = Classes::default();
        written.iter().for_each(|written| classes.add(written));
        assert_eq!(classes.into_sorted(), expect);
    }

    #[test]
    fn classes_are_collected_once_and_sorted() {
        check(&["mt-4 flex", " flex\n!mt-2 "], &["!mt-2", "flex", "mt-4"]);
        check(&["Card 2xl ${x} a;b [&>p]:mt-2 content-['x']"], &["2xl", "[&>p]:mt-2", "content-['x']"]);
        check(&[&"x".repeat(201)], &[]);
    }

    #[test]
    fn pictures_of_a_scheme_need_no_sheet() {
        check(&["block dark:hidden", "hidden dark:block"], &[]);
        check(&["block dark:hidden", "w-4"], &["block", "dark:hidden", "w-4"]);
    }

    #[test]
    fn a_page_of_classes_stays_bounded() {
        let mut classes = Classes::default();
        (0..10_000).for_each(|number| classes.add(&format!("w-{number}")));
        assert_eq!(classes.into_sorted().len(), MAX_PAGE_CLASSES);
    }
}
