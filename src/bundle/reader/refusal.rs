//! Why an archive is not read: one reason each, none of them a matter of taste.

use std::io;
use std::path::Path;

/// Why a bundle cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system could not read it.
    #[error("{context}")]
    Io {
        /// What was being done, with the path.
        context: String,
        /// Why it failed.
        source: io::Error,
    },
    /// It is not what the exporter writes: damaged, or made to harm.
    #[error("{}{refusal}", entry_place(.name.as_deref()))]
    Refused {
        /// The entry that caused it; characters as they stand in the archive. `None`: the archive as a whole.
        name: Option<String>,
        /// What is wrong.
        refusal: EntryRefusal,
    },
}

impl ReadError {
    pub(crate) fn archive(refusal: EntryRefusal) -> Self {
        Self::Refused { name: None, refusal }
    }

    pub(super) fn entry(name: impl Into<String>, refusal: EntryRefusal) -> Self {
        Self::Refused { name: Some(name.into()), refusal }
    }

    pub(super) fn io(context: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let context = context.into();
        move |source| Self::Io { context, source }
    }

    /// The reason, if the bundle was refused rather than unreadable.
    pub fn refusal(&self) -> Option<&EntryRefusal> {
        match self {
            Self::Refused { refusal, .. } => Some(refusal),
            Self::Io { .. } => None,
        }
    }

    /// The message with its cause and the bundle that it is about, on one line.
    pub fn of(&self, bundle: &Path) -> String {
        let shown = bundle.display();
        match self {
            Self::Io { .. } => self.full(),
            Self::Refused { name: None, refusal } => format!("`{shown}` {refusal}"),
            Self::Refused { .. } => format!("`{shown}`: {self}"),
        }
    }

    /// The message with its cause, on one line.
    pub fn full(&self) -> String {
        match self {
            Self::Io { context, source } => format!("{context}: {source}"),
            Self::Refused { .. } => self.to_string(),
        }
    }
}

fn entry_place(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!("`{name}`: "))
}

/// What is wrong with an archive or one of its entries.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryRefusal {
    /// No end record where the file ends.
    #[error("is not a zip archive, or is incomplete")]
    NotAnArchive,
    /// Something follows the end record, or a comment stands in it: readers would not agree on where the archive ends.
    #[error("has a comment, or data after its end")]
    TrailingBytes,
    /// More than one disk.
    #[error("is one part of several")]
    SeveralDisks,
    /// The Zip64 records are missing or contradict the others.
    #[error("has Zip64 records that contradict the others")]
    Zip64,
    /// The central directory does not lie where the end record says, or is not as long.
    #[error("has a directory at a wrong position, or a damaged one")]
    Directory,
    /// No bundle, but what changed from one to another.
    #[error("is a delta: `offprint apply` combines it with the earlier bundle")]
    Delta,
    /// More entries than a bundle may have.
    #[error("has {found} files, more than the {limit} that a bundle may have")]
    TooManyEntries {
        /// So many.
        found: u64,
        /// At most so many.
        limit: u64,
    },
    /// Larger than a bundle may be.
    #[error("holds more than {limit} bytes")]
    TooLarge {
        /// At most so many bytes.
        limit: u64,
    },
    /// Inflates to so many times its size that it can only be meant to fill a disk.
    #[error("has a compression ratio of more than {limit}")]
    Ratio {
        /// At most so many times.
        limit: u64,
    },
    /// An entry lies where another one lies.
    #[error("shares bytes of the archive with another file")]
    Overlap,
    /// Bytes that belong to no entry, or entries that do not lie in the order of the directory.
    #[error("has bytes before it that belong to no file")]
    Gap,
    /// Encrypted.
    #[error("is encrypted")]
    Encrypted,
    /// Sizes follow the content instead of standing before it.
    #[error("does not have its size before its content")]
    Streamed,
    /// A flag that bundles do not use.
    #[error("has flags that bundles do not have")]
    Flags,
    /// Neither stored nor deflated.
    #[error("is compressed by method {0}, not by deflate")]
    Method(u16),
    /// An additional field that has a second name.
    #[error("has a second name")]
    SecondName,
    /// An additional field that bundles do not use.
    #[error("has a field {0:#06x} that bundles do not have")]
    Field(u16),
    /// A comment.
    #[error("has a comment")]
    Comment,
    /// Stored, but with two sizes.
    #[error("is stored with two different sizes")]
    Sizes,
    /// The local header says something else than the directory.
    #[error("has different metadata in the directory and at its content")]
    LocalHeader,
    /// A folder.
    #[error("is an entry for a folder")]
    Folder,
    /// A symbolic link.
    #[error("is a symbolic link")]
    SymbolicLink,
    /// A device, a pipe, a socket, or a file with the set-user-ID or set-group-ID bit.
    #[error("is neither a file nor a folder, or has special permissions")]
    Special,
    /// The name is not UTF-8, or not marked as such.
    #[error("its name is not UTF-8 text")]
    NameEncoding,
    /// The name is not safe on every system.
    #[error("its name {0}")]
    Name(NameFault),
    /// The same name twice.
    #[error("is there twice")]
    Duplicate,
    /// Another name that some systems take for the same, or a file where another entry needs a folder.
    #[error("collides with `{0}` on some systems")]
    Collision(String),
    /// The deflated data are broken, or end early or late.
    #[error("its compressed content is damaged")]
    Deflate,
    /// It inflates to more or less than it says.
    #[error("its content does not have the stated size")]
    Length,
    /// The checksum differs.
    #[error("its content is damaged: the checksum differs")]
    Checksum,
    /// More than may be held in memory at once.
    #[error("is too large to be held in memory")]
    TooLargeToHold,
}

impl EntryRefusal {
    /// Stable kebab-case name of the reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAnArchive => "not-an-archive",
            Self::TrailingBytes => "trailing-bytes",
            Self::SeveralDisks => "several-disks",
            Self::Zip64 => "zip64",
            Self::Directory => "directory",
            Self::Delta => "delta",
            Self::TooManyEntries { .. } => "too-many-files",
            Self::TooLarge { .. } => "too-large",
            Self::Ratio { .. } => "ratio",
            Self::Overlap => "overlap",
            Self::Gap => "gap",
            Self::Encrypted => "encrypted",
            Self::Streamed => "streamed",
            Self::Flags => "flags",
            Self::Method(_) => "method",
            Self::SecondName => "second-name",
            Self::Field(_) => "field",
            Self::Comment => "comment",
            Self::Sizes => "sizes",
            Self::LocalHeader => "local-header",
            Self::Folder => "folder",
            Self::SymbolicLink => "symbolic-link",
            Self::Special => "special-file",
            Self::NameEncoding => "name-encoding",
            Self::Name(fault) => fault.code(),
            Self::Duplicate => "duplicate",
            Self::Collision(_) => "collision",
            Self::Deflate => "deflate",
            Self::Length => "length",
            Self::Checksum => "checksum",
            Self::TooLargeToHold => "too-large-to-hold",
        }
    }
}

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing left of it.
    #[error("is empty")]
    Empty,
    /// `/x`, `C:\x`, `\\server\x`.
    #[error("is an absolute path")]
    Absolute,
    /// `..` or `.` or an empty segment.
    #[error("has a segment that leads out of the folder")]
    Traversal,
    /// A backslash: a separator on some systems.
    #[error("has a backslash")]
    Backslash,
    /// A control character or one of `<>:"|?*`.
    #[error("has a character that some systems cannot store")]
    Character,
    /// `con`, `nul` …
    #[error("is that of a device on some systems")]
    Device,
    /// A segment that ends in a dot or a space.
    #[error("has a segment that ends in a dot or a space")]
    Ending,
    /// Not in Unicode's composed form.
    #[error("is not in Unicode's composed form")]
    Form,
    /// Longer than a bundle's names are.
    #[error("is too long")]
    TooLong,
}

impl NameFault {
    fn code(self) -> &'static str {
        match self {
            Self::Empty => "name-empty",
            Self::Absolute => "name-absolute",
            Self::Traversal => "name-traversal",
            Self::Backslash => "name-backslash",
            Self::Character => "name-character",
            Self::Device => "name-device",
            Self::Ending => "name-ending",
            Self::Form => "name-form",
            Self::TooLong => "name-too-long",
        }
    }

    /// What is wrong with a name that [`base::BundlePath::parse`] refused.
    pub(super) fn of(name: &str) -> Self {
        use unicode_normalization::is_nfc;

        let mut segments = name.split('/');
        let drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
        match () {
            () if name.is_empty() => Self::Empty,
            () if name.starts_with(['/', '\\']) || drive => Self::Absolute,
            () if name.contains('\\') => Self::Backslash,
            () if segments.clone().any(|segment| matches!(segment, "" | "." | "..")) => Self::Traversal,
            () if name.contains(|c: char| c.is_control() || "<>:\"|?*".contains(c)) => Self::Character,
            () if segments.any(|segment| segment.ends_with(['.', ' '])) => Self::Ending,
            () if name.chars().count() > base::limits::BUNDLE_PATH_CHARS => Self::TooLong,
            () if !is_nfc(name) => Self::Form,
            () => Self::Device,
        }
    }
}
