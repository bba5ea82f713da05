//! The registry of diagnostic codes: each code once, with its severity, what it means and what to do about it.
//!
//! [`Diagnostic::new`](super::Diagnostic::new) takes the severity from here, `offprint check` decides here what it
//! reports, and the reference page of the documentation (`export/diagnostic-codes.mdx`) is written from here.
//! `tests/suite/codes.rs` compares the three, and finds codes in the source that have no row.

mod api;
mod bundle;
mod command;
mod migration;
mod page;
mod source;
mod text;

use super::severity::Severity;

/// What a command makes of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Always an error.
    Error,
    /// Always a warning.
    Warning,
    /// An error or a warning: where it is found decides.
    Either,
    /// The command does not report it.
    Silent,
}

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct CodeRow {
    /// The stable kebab-case name.
    pub name: &'static str,
    /// In an export.
    pub export: Level,
    /// In a check of a source or of a bundle.
    pub check: Level,
    /// One sentence: what is wrong, and what becomes of it. Markdown.
    pub meaning: &'static str,
    /// One sentence: what to do. Markdown.
    pub remedy: &'static str,
    /// A small source that provokes it; empty if there is none yet.
    ///
    /// `//- path` starts a file. Text before the first one is the body of `index.mdx`, in a site with the smallest
    /// `docs.json`. `//- docs.json …` has the keys that matter, beside those of that one.
    pub example: &'static str,
    /// Options of the command that the example needs, parted by spaces.
    pub options: &'static str,
}

/// Codes about one part of a source.
#[derive(Clone, Copy, Debug)]
pub struct CodeArea {
    /// The heading in the reference.
    pub title: &'static str,
    /// The codes, by name.
    pub codes: &'static [CodeRow],
}

const fn code_row(
    name: &'static str,
    export: Level,
    check: Level,
    meaning: &'static str,
    remedy: &'static str,
) -> CodeRow {
    CodeRow { name, export, check, meaning, remedy, example: "", options: "" }
}

impl CodeRow {
    const fn with_example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    const fn with_options(self, options: &'static str) -> Self {
        Self { options, ..self }
    }
}

/// Every code, by area.
pub const AREAS: &[CodeArea] = &[
    CodeArea { title: "Configuration", codes: source::CONFIGURATION },
    CodeArea { title: "Navigation", codes: source::NAVIGATION },
    CodeArea { title: "Front matter", codes: source::FRONT_MATTER },
    CodeArea { title: "MDX and Markdown", codes: text::TEXT },
    CodeArea { title: "Imports, snippets and components", codes: page::COMPONENTS },
    CodeArea { title: "Code, math, diagrams and icons", codes: page::RENDERING },
    CodeArea { title: "Links and redirects", codes: page::LINKS },
    CodeArea { title: "API descriptions", codes: api::API },
    CodeArea { title: "Files", codes: bundle::FILES },
    CodeArea { title: "Remote assets", codes: bundle::REMOTE },
    CodeArea { title: "Files beside the pages", codes: bundle::SIDE },
    CodeArea { title: "Only in a check", codes: command::CHECK },
    CodeArea { title: "Only in dev", codes: command::DEV },
    CodeArea { title: "Migration", codes: migration::MIGRATION },
];

/// A code by its name.
pub fn find_code(name: &str) -> Option<&'static CodeRow> {
    AREAS.iter().flat_map(|area| area.codes).find(|code| code.name == name)
}

/// The severity of a code in an export. Codes whose severity depends on where they are found count as warnings here.
pub(super) fn severity(name: &str) -> Severity {
    match find_code(name).map(|code| code.export) {
        Some(Level::Error) => Severity::Error,
        _ => Severity::Warning,
    }
}
