//! The files that pages show and link to, at the places whence they are served.

use std::sync::atomic::{AtomicBool, Ordering};

use base::Diagnostic;
use frame::asset::{Assets, lower_extension};
use load::Site;

use super::super::ExportError;
use super::target::Staged;

/// Files named in a message.
const MAX_SHOWN: usize = 5;

/// Copies the files of the source that are part of the site; returns how many.
pub(super) fn copy(
    assets: &Assets<'_>,
    site: &Site,
    staged: &Staged,
    cancel: &AtomicBool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<u64, ExportError> {
    let mut copied = 0;
    let mut styles = Vec::new();
    for file in assets.published() {
        let path = site.tree.path(file);
        if cancel.load(Ordering::Relaxed) {
            return Err(ExportError::Canceled);
        }
        // on a site of the format, every page has every one of these
        if matches!(lower_extension(path).as_str(), "css" | "js" | "mjs" | "cjs") {
            styles.push(path);
            continue;
        }
        match site.tree.read(file) {
            Ok(bytes) => {
                staged.write(assets.path(file).as_str(), &bytes)?;
                copied += 1;
            }
            Err(error) => {
                let message = format!("`{path}` cannot be read: {error}");
                diagnostics.push(Diagnostic::new("unreadable-file", message).at(path, 0, 0));
            }
        }
    }
    if let Some(first) = styles.first() {
        let names: Vec<String> = styles.iter().take(MAX_SHOWN).map(|path| format!("`{path}`")).collect();
        let more = if styles.len() > MAX_SHOWN { " …" } else { "" };
        let message = format!("style sheets and scripts are not copied: {}{more}", names.join(", "));
        diagnostics.push(Diagnostic::new("migrate-style", message).at(*first, 0, 0).hint(
            "every `.css` and `.js` file of the new folder is part of all its pages; copy those that suit its theme",
        ));
    }
    Ok(copied)
}
