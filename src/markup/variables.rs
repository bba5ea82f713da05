//! `{{variables}}`: their values take their place before anything is parsed. What is then said of the text is said of
//! places in the source.

use std::borrow::Cow;

use base::cut::SliceText as _;
use base::variables::{VariableReference, Variables, next_variable, text_between_braces};
use base::{FileId, Place, Problem};
use load::tool::Dashes;

use super::tree::{Node, PropValue};
use super::{ParsedFile, parse_mdx_with};

/// A text whose variables have been replaced.
#[derive(Clone, Debug, Default)]
pub struct PreparedText<'a> {
    pub(super) text: Cow<'a, str>,
    /// How quotes, dashes and dots become typographic; `None` if they stay as they are written.
    pub(super) punctuation: Option<Dashes>,
    moves: Vec<Move>,
    /// Names that have no value, and where the first of each stands in the source.
    unknown: Vec<(String, TextSpot)>,
}

/// Line and column in characters, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct TextSpot {
    line: u32,
    column: u32,
}

impl TextSpot {
    fn advance(&mut self, text: &str) {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u32;
        let last = text.rsplit('\n').next().unwrap_or_default().chars().count() as u32;
        *self = Self { line: self.line + lines, column: if lines == 0 { self.column + last } else { last } };
    }
}

/// Where a value stands in the new text, and its name in the source.
#[derive(Clone, Copy, Debug)]
struct Move {
    value: (TextSpot, TextSpot),
    name: (TextSpot, TextSpot),
}

impl PreparedText<'_> {
    /// Gives it the punctuation of a site's tool.
    pub fn with_punctuation(mut self, punctuation: Option<Dashes>) -> Self {
        self.punctuation = punctuation;
        self
    }

    /// Parses it; its first line is line `first_line` of `file`.
    pub fn parse(&self, file: FileId, first_line: u32) -> ParsedFile {
        let mut document = parse_mdx_with(&self.text, file, first_line, self.punctuation);
        if !self.moves.is_empty() {
            let home = |place: &mut Place| self.home(place, first_line);
            relocate(&mut document.nodes, &home);
            document.problems.iter_mut().for_each(|problem| home(&mut problem.place));
            document.module.imports.iter_mut().for_each(|import| home(&mut import.place));
        }
        for (name, spot) in &self.unknown {
            let problem = unknown(name, Place { file, line: first_line + spot.line, column: spot.column + 1 });
            // in text it has been found already
            if !document.problems.iter().any(|known| known.message == problem.message) {
                document.problems.push(problem);
            }
        }
        document
    }

    /// A place of the new text becomes that of the source.
    fn home(&self, place: &mut Place, first_line: u32) {
        let (Some(line), Some(column)) = (place.line.checked_sub(first_line), place.column.checked_sub(1)) else {
            return;
        };
        let spot = TextSpot { line, column };
        let Some(last) = self.moves.partition_point(|one| one.value.0 <= spot).checked_sub(1) else { return };
        let Move { value, name } = self.moves[last];
        let source = if spot < value.1 {
            name.0
        } else if spot.line == value.1.line {
            TextSpot { line: name.1.line, column: name.1.column + spot.column - value.1.column }
        } else {
            TextSpot { line: name.1.line + spot.line - value.1.line, column }
        };
        (place.line, place.column) = (first_line + source.line, source.column + 1);
    }
}

/// Replaces `{{name}}` by its value, in code as well, and records what stood where.
pub(super) fn substitute_page_variables<'a>(source: &'a str, variables: &Variables) -> PreparedText<'a> {
    if variables.is_empty() || !source.contains("{{") {
        return PreparedText { text: Cow::Borrowed(source), ..PreparedText::default() };
    }
    let mut out = PreparedText { text: Cow::Owned(String::with_capacity(source.len())), ..PreparedText::default() };
    let text = out.text.to_mut();
    let (mut here, mut there) = (TextSpot::default(), TextSpot::default());
    let mut at = 0;
    while let Some(VariableReference { start, end, name, value }) = next_variable(source, at, variables) {
        let before = source.slice(at..start);
        here.advance(before);
        there.advance(before);
        text.push_str(before);
        let from = (here, there);
        here.advance(source.slice(start..end));
        match value {
            Some(value) => {
                there.advance(value);
                text.push_str(value);
                out.moves.push(Move { value: (from.1, there), name: (from.0, here) });
            }
            None => {
                there.advance("{{");
                text.push_str("{{");
                // `style={{color}}` is none, and `${{x}}` is another tool's
                let name = name.filter(|name| is_variable_name(name) && !source.slice(..start).ends_with(['=', '$']));
                if let Some(name) = name.filter(|name| !out.unknown.iter().any(|(known, _)| known == name)) {
                    out.unknown.push((name.to_owned(), from.0));
                }
            }
        }
        at = end;
    }
    text.push_str(source.slice(at..));
    out
}

/// The name and the length of `{{name}}` at the start of a text.
pub(super) fn variable_reference(rest: &str) -> Option<(&str, usize)> {
    let name = text_between_braces(rest)?;
    is_variable_name(name.trim_matches(' ')).then(|| (name.trim_matches(' '), name.len() + 4))
}

fn is_variable_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
}

/// What is said of a name without a value.
pub(super) fn unknown(name: &str, place: Place) -> Problem {
    Problem::new(
        "undefined-variable",
        format!(
            "`{{{{{name}}}}}`: this variable is not defined in `docs.json`; it is removed from text and kept in code"
        ),
        place,
    )
    .hint("add it to `variables` in `docs.json`, or correct the name")
}

fn relocate(nodes: &mut [Node], home: &dyn Fn(&mut Place)) {
    for node in nodes {
        match node {
            Node::Html { place, .. } | Node::Math { place, .. } => home(place),
            Node::Fence(fence) => home(&mut fence.place),
            Node::Expr(expr) => home(&mut expr.1),
            Node::Block(block) => {
                home(&mut block.place);
                relocate(&mut block.children, home);
            }
            Node::Element(element) => {
                home(&mut element.place);
                relocate(&mut element.children, home);
                for (_, value) in &mut element.props.0 {
                    if let PropValue::Nodes(nodes) = value {
                        relocate(nodes, home);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_source() {
        let variables = [("ml".to_owned(), "a\nb\nc".to_owned()), ("v".to_owned(), "LONG-LONG".to_owned())];
        let prepared = substitute_page_variables("{{v}} x {{ v }} y\n\n{{ml}} text\n\nz", &variables);
        assert_eq!(prepared.text, "LONG-LONG x LONG-LONG y\n\na\nb\nc text\n\nz");
        let home = |line, column| {
            let mut place = Place { line, column, ..Place::default() };
            prepared.home(&mut place, 5);
            (place.line, place.column)
        };
        assert_eq!(home(5, 11), (5, 7), "x");
        assert_eq!(home(5, 15), (5, 9), "inside the second value");
        assert_eq!(home(5, 23), (5, 17), "y");
        assert_eq!(home(8, 1), (7, 1), "inside the value of three lines");
        assert_eq!(home(9, 3), (7, 8), "text");
        assert_eq!(home(11, 1), (9, 1), "z");
        assert_eq!(home(0, 0), (0, 0));
    }

    #[test]
    fn names_without_a_value_are_found() {
        let variables = [("v".to_owned(), "x".to_owned())];
        let unknown = |source| {
            substitute_page_variables(source, &variables).unknown.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(unknown("{{a}} {{v}} `{{a.b}}` {{a}}"), ["a", "a.b"]);
        assert_eq!(unknown("<b style={{color}}> ${{ x }} ${{x}} {{ jinja }} {{#if}}"), [""; 0]);
    }
}
