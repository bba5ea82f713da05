//! What is wrong in a text, before it is known under which path the text is reported.

use super::{Diagnostic, Place};

/// Something wrong in a text.
///
/// `P` is how its finder knows the place: a [`Place`] where texts have numbers, a byte offset in one text, line and
/// column, or the pointer of a part of a JSON document. What owns the paths of the files makes a [`Diagnostic`] of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem<P = Place> {
    /// Stable kebab-case name of the kind of problem.
    pub code: &'static str,
    /// One sentence, without a full stop, that names the thing.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Where.
    pub place: P,
}

impl<P> Problem<P> {
    /// One about which nothing has to be said beyond what is wrong.
    pub fn new(code: &'static str, message: impl Into<String>, place: P) -> Self {
        Self { code, message: message.into(), hint: None, place }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The same with its place known in another way.
    pub fn map_place<Q>(self, map: impl FnOnce(P) -> Q) -> Problem<Q> {
        Problem { code: self.code, message: self.message, hint: self.hint, place: map(self.place) }
    }

    /// What is reported of it. `position` finds the path of its file, line and column; both are 0 if unknown.
    pub fn into_diagnostic<'p>(self, position: impl FnOnce(P) -> (&'p str, u32, u32)) -> Diagnostic {
        let (file, line, column) = position(self.place);
        let diagnostic = Diagnostic::new(self.code, self.message).at(file, line, column);
        Diagnostic { hint: self.hint, ..diagnostic }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_keeps_its_words_on_the_way() {
        let found = Problem::new("broken-link", "m", 7_usize).hint("h");
        let placed = found.map_place(|offset| (1, u32::try_from(offset).unwrap_or_default()));
        let reported = placed.into_diagnostic(|(line, column)| ("a.md", line, column));
        assert_eq!(reported, Diagnostic::new("broken-link", "m").at("a.md", 1, 7).hint("h"));
    }
}
