//! What the scripts of a page need in the reader's browser.

use base::FileId;

/// What the islands of a page need.
#[derive(Clone, Debug, Default)]
pub struct Alive {
    /// Modules in the order in which they are evaluated.
    pub modules: Vec<LiveImport>,
    /// The page's own module, compiled.
    pub own: Option<(FileId, String)>,
    /// Expressions of the page whose values hold functions.
    pub thunks: Vec<Thunk>,
}

impl Alive {
    /// Whether the page has islands.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }
}

/// A module, and what it is given: `names` and `stars` as for the sandbox, in its JSON.
#[derive(Clone, Debug, Default)]
pub struct LiveImport {
    /// Its file.
    pub file: FileId,
    /// `[[local name, value], …]`
    pub names: String,
    /// `[module, …]`
    pub stars: String,
}

/// An expression, compiled, and the values of its free names in the sandbox's JSON.
#[derive(Clone, Debug, Default)]
pub struct Thunk {
    /// Its code.
    pub code: String,
    /// `[value, …]`
    pub names: String,
}
