//! Files that stand for others: Git LFS and git-annex put a pointer of a few lines in the place of a large file, and a
//! clone has only that where the tool itself has not run. Whatever a name promises, a pointer is none of it.

use crate::Diagnostic;

/// Largest pointer, bytes: the specification of Git LFS says less than 1024.
pub const MAX_POINTER_BYTES: u64 = 1024;
/// What a pointer of Git LFS begins with, and one of the time before it had that name.
const LFS_STARTS: [&[u8]; 2] =
    [b"version https://git-lfs.github.com/spec/", b"version https://hawser.github.com/spec/"];
/// What a pointer of git-annex begins with, in a file whose content is not here.
const ANNEX_START: &[u8] = b"/annex/objects/";
/// What a link of git-annex leads through.
const ANNEX_FOLDER: &str = ".git/annex/objects/";

/// The tool that put a pointer in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerKind {
    /// Git LFS.
    GitLfs,
    /// git-annex.
    GitAnnex,
}

impl PointerKind {
    /// The tool whose pointer some bytes are.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let has_digest = || memchr::memmem::find(bytes, b"\noid sha256:").is_some();
        match () {
            () if LFS_STARTS.iter().any(|start| bytes.starts_with(start)) && has_digest() => Some(Self::GitLfs),
            () if bytes.starts_with(ANNEX_START) => Some(Self::GitAnnex),
            () => None,
        }
    }

    /// What is said of the file at a path.
    pub fn diagnostic(self, path: &str) -> Diagnostic {
        let (tool, command) = match self {
            Self::GitLfs => ("Git LFS", "git lfs pull"),
            Self::GitAnnex => ("git-annex", "git annex get ."),
        };
        let message = format!("`{path}` is a pointer of {tool}, not the file that it stands for");
        Diagnostic::new("lfs-pointer", message).at(path, 0, 0).hint(format!("run `{command}` in the repository"))
    }
}

/// The diagnostic of a link whose file git-annex has not fetched.
pub fn annex_link(path: &str, target: &str) -> Option<Diagnostic> {
    target.contains(ANNEX_FOLDER).then(|| PointerKind::GitAnnex.diagnostic(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_known_by_their_words() {
        let lfs = "version https://git-lfs.github.com/spec/v1\r\noid sha256:0a0b\r\nsize 12\r\n";
        assert_eq!(PointerKind::of(lfs.as_bytes()), Some(PointerKind::GitLfs));
        let extended = "version https://git-lfs.github.com/spec/v1\next-0-x sha256:1\noid sha256:0a\nsize 1\n";
        assert_eq!(PointerKind::of(extended.as_bytes()), Some(PointerKind::GitLfs));
        assert_eq!(PointerKind::of(b"/annex/objects/SHA256E-s12--ab.png\n"), Some(PointerKind::GitAnnex));
        for other in ["", "version 1", "# Pointers\n\nversion https://git-lfs.github.com/spec/v1\noid sha256:0a\n"] {
            assert_eq!(PointerKind::of(other.as_bytes()), None, "{other}");
        }
    }
}
