//! Style sheets that hold what authors wrote: their own, and that of the utility classes. Neither loads anything from outside.

use std::collections::BTreeSet;
use std::io;

use crate::asset::{CssTarget, rewrite_css};
use crate::base::{Diagnostic, FileId, url};
use crate::link::{Resolver, Target};
use crate::theme::{UTILITIES, Utilities};

/// An author's style sheet with addresses relative to itself and no loads from outside.
pub(super) fn author_sheet(bytes: &[u8], file: FileId, resolver: &Resolver<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<u8> {
    let source = String::from_utf8_lossy(bytes);
    let path = resolver.site().tree.path(file);
    let css = local(&source, Sheet { path: resolver.assets.path(file).as_str(), file: Some(file), named: path }, resolver, diagnostics);
    css.into_bytes()
}

/// The style sheet of the utility classes of all pages. Addresses in classes count from the root of the site.
pub(super) fn utilities(started: io::Result<Utilities>, classes: &BTreeSet<String>, resolver: &Resolver<'_>, diagnostics: &mut Vec<Diagnostic>) -> String {
    let made = match started {
        Ok(utilities) => utilities.finish(classes).map_err(|failure| failure.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match made {
        Ok(css) => local(&css, Sheet { path: UTILITIES, file: None, named: "" }, resolver, diagnostics),
        Err(failure) => {
            let message = format!("the style sheet of utility classes could not be made: {failure}");
            diagnostics.push(Diagnostic::warning("utilities-failed", message).hint("pages show without their utility classes; look for a class that is very long or very deep"));
            String::new()
        }
    }
}

/// A style sheet whose addresses are rewritten.
struct Sheet<'a> {
    /// In the bundle.
    path: &'a str,
    file: Option<FileId>,
    /// In diagnostics.
    named: &'a str,
}

fn local(css: &str, sheet: Sheet<'_>, resolver: &Resolver<'_>, diagnostics: &mut Vec<Diagnostic>) -> String {
    let mut problem =
        |code: &'static str, message: String, hint: &str| diagnostics.push(Diagnostic::warning(code, message).at(sheet.named, 0, 0).hint(hint));
    rewrite_css(css, |address| {
        if address.is_empty() || address.starts_with('#') || address.to_ascii_lowercase().starts_with("data:") {
            return CssTarget::Keep;
        }
        match resolver.resolve(address, sheet.file, sheet.named) {
            Target::Asset(target) => {
                resolver.assets.mark_used(target);
                CssTarget::Inside(url::relative(sheet.path, resolver.assets.path(target).as_str()))
            }
            Target::Outside(url) => {
                problem("outside-load", format!("`{url}` is left out: a bundle loads nothing from elsewhere"), "add the file to the repository");
                CssTarget::Drop
            }
            _ => {
                problem("missing-file", format!("the file `{address}` does not exist"), "correct the address in the style sheet");
                CssTarget::Drop
            }
        }
    })
}
