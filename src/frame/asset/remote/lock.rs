//! `offprint.lock`: which bytes each address elsewhere gave. Sorted by address, one table for each, so that two exports
//! of the same site write the same file and a review shows what changed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::cache::is_digest;
use base::atomic_file::{self, Guarantees};
use base::{Diagnostic, limits};

/// The name of the lock file, beside the configuration.
pub const LOCK_FILE: &str = "offprint.lock";
/// The version that is written and read.
const VERSION: u32 = 1;

/// What an address gave.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Locked {
    /// Digest of the bytes as they came.
    pub(crate) sha256: String,
    /// Media type, found by sniffing.
    #[serde(rename = "type")]
    pub(crate) media_type: String,
    /// Bytes.
    pub(crate) size: u64,
    /// Where redirects led: relative addresses in a style sheet count from there.
    #[serde(default)]
    pub(crate) base: Option<String>,
    /// What is known about its license. `licence` is how earlier versions wrote the key.
    #[serde(default, alias = "licence")]
    pub(crate) license: Option<String>,
}

/// A lock file.
#[derive(Debug)]
pub(crate) struct LockFile {
    path: PathBuf,
    /// It is never written.
    only_read: bool,
    /// What each address gave.
    pub(crate) entries: BTreeMap<String, Locked>,
    /// The file as it was read; `None` if it is not there.
    text: Option<String>,
    /// It is there and cannot be read: it is left alone.
    broken: bool,
}

#[derive(Deserialize)]
struct LockFileJson {
    version: u32,
    #[serde(default)]
    asset: Vec<Asset>,
}

#[derive(Deserialize)]
struct Asset {
    url: String,
    #[serde(flatten)]
    locked: Locked,
}

impl LockFile {
    /// Reads a lock file; there need not be one.
    pub(crate) fn read(path: PathBuf, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let text = read_text(&path);
        Self::of_text(path, text, diagnostics)
    }

    /// The lock file of a source that cannot be written, as far as it has one.
    pub(crate) fn of_source(bytes: Option<io::Result<Vec<u8>>>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let text = bytes.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()));
        let text = text.and_then(|bytes| {
            String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
        });
        Self::of_text(PathBuf::from(LOCK_FILE), text, diagnostics).only_read()
    }

    /// The lock file as one that is only read: it is never written.
    pub(crate) fn only_read(self) -> Self {
        Self { only_read: true, ..self }
    }

    fn of_text(path: PathBuf, text: io::Result<String>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut lock = Self { path, only_read: false, entries: BTreeMap::new(), text: None, broken: false };
        let hint = "correct the file, or delete it and export once with `--vendor on` to write it again";
        let shown = lock.shown();
        let mut problem =
            |message: String| diagnostics.push(Diagnostic::new("lock-unreadable", message).at(&shown, 0, 0).hint(hint));
        match text {
            Ok(text) => {
                match parse_lock(&text) {
                    Ok(entries) => lock.entries = entries,
                    Err(why) => {
                        lock.broken = true;
                        problem(format!("the lock file cannot be used: {why}"));
                    }
                }
                lock.text = Some(text);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                lock.broken = true;
                problem(format!("the lock file cannot be read: {error}"));
            }
        }
        lock
    }

    /// Writes the lock file if something changed. Entries of addresses that were not met stay if `partial`.
    pub(crate) fn write(&self, met: BTreeMap<String, Locked>, partial: bool) -> io::Result<()> {
        let mut entries = if partial { self.entries.clone() } else { BTreeMap::new() };
        entries.extend(met);
        let text = to_text(&entries);
        if self.only_read
            || self.broken
            || self.text.as_deref() == Some(&text)
            || self.text.is_none() && entries.is_empty()
        {
            return Ok(());
        }
        atomic_file::replace(&self.path, Guarantees::default(), |out| out.write_all(text.as_bytes()))
    }

    /// The file's name for messages.
    pub(crate) fn shown(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// Checks a lock file that an option names; it need not exist.
///
/// # Errors
/// A sentence: it cannot be read or understood.
pub fn check_lock(path: &Path) -> Result<(), String> {
    let shown = path.display();
    match read_text(path) {
        Ok(text) => parse_lock(&text).map(drop).map_err(|why| format!("the lock file `{shown}` cannot be used: {why}")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(format!("cannot read the lock file `{shown}`: {error}")),
    }
}

fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(limits::CONFIG_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn parse_lock(text: &str) -> Result<BTreeMap<String, Locked>, String> {
    let file: LockFileJson = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    if file.version != VERSION {
        return Err(format!("its version is {}; supported is {VERSION}", file.version));
    }
    let mut entries = BTreeMap::new();
    for Asset { url, locked } in file.asset {
        if !is_digest(&locked.sha256) {
            return Err(format!("the sha256 of `{url}` is not a digest"));
        }
        if entries.insert(url.clone(), locked).is_some() {
            return Err(format!("`{url}` is listed twice"));
        }
    }
    Ok(entries)
}

fn to_text(entries: &BTreeMap<String, Locked>) -> String {
    let mut out = format!(
        "# Written by `offprint export`: the remote assets of the site.\n# Commit this file. `offprint export --locked` accepts only these bytes.\nversion = {VERSION}\n"
    );
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    for (url, locked) in entries {
        out.push_str(&format!(
            "\n[[asset]]\nurl = {}\nsha256 = \"{}\"\ntype = {}\nsize = {}\n",
            quoted(url),
            locked.sha256,
            quoted(&locked.media_type),
            locked.size
        ));
        for (name, value) in [("base", &locked.base), ("license", &locked.license)] {
            if let Some(value) = value {
                out.push_str(&format!("{name} = {}\n", quoted(value)));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locked(digit: &str) -> Locked {
        Locked { sha256: digit.repeat(64), media_type: "image/png".into(), size: 3, base: None, license: None }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK_FILE);
        let mut problems = Vec::new();
        let lock = LockFile::read(path.clone(), &mut problems);
        lock.write(BTreeMap::new(), false).unwrap();
        assert!(!path.exists(), "a site without remote assets has no lock file");
        let odd = Locked { base: Some("https://b/\"\n".into()), license: Some("OFL-1.1".into()), ..locked("b") };
        let met = BTreeMap::from([("https://b/x".to_owned(), odd), ("https://a/\\'\"".to_owned(), locked("a"))]);
        lock.write(met.clone(), false).unwrap();
        let again = LockFile::read(path.clone(), &mut problems);
        assert_eq!((&again.entries, problems.len()), (&met, 0));
        again.write(BTreeMap::from([("https://c/".to_owned(), locked("c"))]), true).unwrap();
        assert_eq!(LockFile::read(path.clone(), &mut problems).entries.len(), 3, "a partial export forgets nothing");
        again.write(BTreeMap::new(), false).unwrap();
        assert_eq!(LockFile::read(path, &mut problems).entries.len(), 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_older_spelling_of_a_key_is_read() {
        let text = to_text(&BTreeMap::from([("u".to_owned(), Locked { license: Some("MIT".into()), ..locked("a") })]));
        let older = text.replace("license = ", "licence = ");
        assert!(older != text);
        assert_eq!(parse_lock(&older).unwrap(), parse_lock(&text).unwrap());
    }

    #[test]
    fn a_broken_lock_is_said_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK_FILE);
        for text in [
            "<<<<<<< ours",
            "version = 2",
            "version = 1\n[[asset]]\nurl = 'a'\nsha256 = '../x'\ntype = 'b'\nsize = 1",
            "version = 1\nasset = 3",
        ] {
            fs::write(&path, text).unwrap();
            let mut problems = Vec::new();
            let lock = LockFile::read(path.clone(), &mut problems);
            assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["lock-unreadable"], "{text}");
            lock.write(BTreeMap::from([("u".to_owned(), locked("a"))]), false).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
