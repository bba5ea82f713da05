//! The highlighter that all pages share.

use std::borrow::Cow;

use crate::base::{Diagnostic, html};
use crate::site::config::CodeStyle;

/// What a highlighter is made of.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `styling.codeblocks`.
    pub style: CodeStyle,
    /// Custom TextMate grammars: (source path, JSON text).
    pub languages: Vec<(String, String)>,
}

/// Highlights code with caches that all pages share. Results depend on the language and the code alone.
#[derive(Debug, Default)]
pub struct Highlighter {}

impl Highlighter {
    /// Makes a highlighter; what is wrong with themes and custom grammars comes back beside it.
    pub fn new(_options: Options) -> (Self, Vec<Diagnostic>) {
        (Self::default(), Vec::new())
    }

    /// The rules that colour highlighted code, for the stylesheet.
    pub fn css(&self) -> String {
        String::new()
    }

    /// A language's name for people; `None` if it is plain text or unknown.
    pub fn label(&self, _lang: &str) -> Option<&str> {
        None
    }

    /// The HTML of code: elements never span lines, the text is the code's.
    pub fn html<'a>(&self, _lang: &str, code: &'a str) -> Cow<'a, str> {
        html::text(code).into()
    }
}
