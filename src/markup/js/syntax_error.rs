//! Why a script cannot be compiled, and where.

/// Why a script cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// What is wrong.
    pub message: String,
    /// Line in the script, from 1.
    pub line: u32,
}

/// The line of a byte offset, from 1.
pub(super) fn line_of(source: &str, offset: u32) -> u32 {
    let end = source.floor_char_boundary(offset as usize);
    memchr::memchr_iter(b'\n', &source.as_bytes()[..end]).count() as u32 + 1
}
