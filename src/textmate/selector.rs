//! Scope selectors of injections: `L:meta.script.astro (source.js | source.ts) - comment`.

use base::cut::cut;

/// One selector with its priority.
pub(super) struct Selector {
    /// -1 (`L:`) wins over the grammar's own rules at the same place; 1 (`R:`) loses to other injections.
    pub priority: i8,
    expression: Expression,
}

enum Expression {
    /// Scopes that must follow each other in the stack, gaps allowed.
    Path(Vec<String>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Not(Box<Expression>),
}

/// Nesting of parentheses that is read; deeper selectors match nothing.
const DEPTH: usize = 16;

impl Selector {
    /// The selectors of a comma-separated list.
    pub(super) fn parse_all(text: &str) -> Vec<Self> {
        let mut parser = SelectorParser { tokens: tokens(text), at: 0, depth: 0 };
        let mut selectors = Vec::new();
        while let Some(token) = parser.peek() {
            let priority = match token {
                "L:" => -1,
                "R:" => 1,
                _ => 0,
            };
            parser.at += usize::from(priority != 0);
            selectors.extend(parser.all_of().map(|expression| Self { priority, expression }));
            // the comma
            parser.at += 1;
        }
        selectors
    }

    /// Whether it applies to a stack of scopes, outermost first.
    pub(super) fn matches(&self, scopes: &[&str]) -> bool {
        self.expression.matches(scopes)
    }
}

impl Expression {
    fn matches(&self, scopes: &[&str]) -> bool {
        match self {
            Self::Path(path) => {
                let mut rest = scopes.iter();
                path.iter().all(|part| rest.any(|scope| is_or_is_within(scope, part)))
            }
            Self::And(parts) => parts.iter().all(|part| part.matches(scopes)),
            Self::Or(parts) => parts.iter().any(|part| part.matches(scopes)),
            Self::Not(part) => !part.matches(scopes),
        }
    }
}

/// Whether `scope` is `selector` or more specific: `string.quoted` for `string`.
pub(super) fn is_or_is_within(scope: &str, selector: &str) -> bool {
    scope.strip_prefix(selector).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

struct SelectorParser<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    depth: usize,
}

impl<'a> SelectorParser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).copied()
    }

    fn operand(&mut self) -> Option<Expression> {
        match self.peek()? {
            "-" if self.depth < DEPTH => {
                self.at += 1;
                self.depth += 1;
                let inner = self.operand();
                self.depth -= 1;
                inner.map(|inner| Expression::Not(Box::new(inner)))
            }
            "(" if self.depth < DEPTH => {
                self.at += 1;
                self.depth += 1;
                let inner = self.any_of();
                self.depth -= 1;
                if self.peek() == Some(")") {
                    self.at += 1;
                }
                inner
            }
            token if is_scope_name(token) => {
                let mut path = Vec::new();
                while let Some(token) = self.peek().filter(|token| is_scope_name(token)) {
                    path.push(token.to_owned());
                    self.at += 1;
                }
                Some(Expression::Path(path))
            }
            _ => None,
        }
    }

    fn all_of(&mut self) -> Option<Expression> {
        let mut parts = Vec::new();
        while let Some(part) = self.operand() {
            parts.push(part);
        }
        if parts.len() > 1 { Some(Expression::And(parts)) } else { parts.pop() }
    }

    fn any_of(&mut self) -> Option<Expression> {
        let mut parts: Vec<Expression> = self.all_of().into_iter().collect();
        while matches!(self.peek(), Some("|" | ",")) {
            self.at += 1;
            parts.extend(self.all_of());
        }
        if parts.len() > 1 { Some(Expression::Or(parts)) } else { parts.pop() }
    }
}

fn is_scope_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '*'))
        && !matches!(token, "L:" | "R:")
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("L:") || rest.starts_with("R:") {
            2
        } else if c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '*') {
            rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '*' | '-')))
                .unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let (token, after) = cut(rest, length);
        if !token.trim().is_empty() {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(selector: &str, scopes: &str, expect: bool) {
        let scopes: Vec<&str> = scopes.split(' ').collect();
        assert_eq!(
            Selector::parse_all(selector).iter().any(|selector| selector.matches(&scopes)),
            expect,
            "{selector} on {scopes:?}"
        );
    }

    #[test]
    fn selectors_match_stacks() {
        check("source.js", "text.html source.js.embedded", true);
        check("source.js", "source.json", false);
        check("L:text.html meta.tag - comment", "text.html.basic meta.tag.x string", true);
        check("L:text.html meta.tag - comment", "text.html meta.tag comment.block", false);
        check("a (b | c) - (d e)", "a c d", true);
        check("a (b | c) - (d e)", "a c d e", false);
        check("x, R:y", "y", true);
    }

    #[test]
    fn deep_selectors_end() {
        Selector::parse_all(&"(".repeat(100_000));
        Selector::parse_all(&"-".repeat(100_000));
    }
}
