//! The file of `--report`: where it may go, and how it is written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use base::atomic_file::{self, Guarantees};
use bundle::resolve_output_path;

use super::harmless;

/// How every report begins, up to white space.
const BEGINNING: &[u8] = b"{\"offprint\":";

/// Checks, before anything is done, that a report would replace nothing but a report and will not lie in the bundle.
///
/// # Errors
/// A sentence that names the path.
pub(super) fn check_report_path(path: &Path, output: &Path) -> Result<(), String> {
    let refused = |why: &str| Err(format!("the report `{}` {why}", harmless(&path.display().to_string())));
    let place = resolve_output_path(path).ok().filter(|place| place.parent().is_some_and(Path::is_dir));
    let Some(place) = place else { return refused("cannot be written: there is no such folder") };
    if resolve_output_path(output).is_ok_and(|output| place.starts_with(output)) {
        return refused("would lie in the bundle; name a file elsewhere");
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => refused("is a folder; name a file"),
        Ok(metadata) if metadata.is_file() && metadata.len() > 0 && !is_report(path) => {
            refused("is another file; remove it first, or name another place")
        }
        _ => Ok(()),
    }
}

/// Writes a file beside its place and then gives it its name. What is no file (a pipe, a terminal) is written to.
pub(super) fn write_report_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    atomic_file::replace(path, Guarantees { is_durable: true, is_private: false }, write)
}

fn is_report(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(256).read_to_end(&mut start));
    start.retain(|byte| !byte.is_ascii_whitespace());
    read.is_ok() && start.starts_with(BEGINNING)
}
