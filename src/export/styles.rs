//! Style sheets and drawings that hold what authors wrote: their own sheets, that of the utility classes, SVG files.
//! None loads anything from outside.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::AtomicBool;

use base::source_text::decode_text;
use base::url::relative_url;
use base::{BundlePath, Diagnostic, FileId, LoadKind};
use frame::asset::remote::{AddressSpot, Canceled, FoundAsset, Requests};
use frame::asset::{CssTarget, rewrite_css, rewrite_svg, widen_selectors};
use frame::link::{LinkResolver, ResolvedTarget};
use frame::theme::{UTILITIES, Utilities, UtilityRules, utilities_path};
use site::problems::line_column;

/// An author's style sheet with addresses relative to itself and no loads from outside; its rules for first headings
/// hold in the content too, and those for parts of hosted documentation for the parts of the theme.
pub(super) fn author_sheet(
    bytes: &[u8],
    file: FileId,
    resolver: &LinkResolver<'_>,
    cancel: &AtomicBool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Canceled> {
    let (source, encoding) = decode_text(bytes);
    let path = resolver.site().tree.path(file);
    diagnostics.extend(encoding.problem(path));
    let css = local(
        &source,
        &PageSheet { path: resolver.assets.path(file).as_str(), file: Some(file), named: path },
        resolver,
        cancel,
        diagnostics,
    )?;
    Ok(widen_selectors(&css).into_bytes())
}

/// The style sheet of the utility classes of all pages. Addresses in classes count from the root of the site.
pub(super) fn utilities(
    started: io::Result<Utilities>,
    classes: &BTreeSet<String>,
    resolver: &LinkResolver<'_>,
    cancel: &AtomicBool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<String, Canceled> {
    let sheet = match started {
        Ok(utilities) => utilities.finish(classes).map_err(|failure| failure.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match sheet {
        Ok(css) => local(&css, &PageSheet { path: UTILITIES, file: None, named: "" }, resolver, cancel, diagnostics),
        Err(failure) => {
            let message = format!("the style sheet of utility classes cannot be generated: {failure}");
            diagnostics.push(
                Diagnostic::new("utilities-failed", message)
                    .hint("pages have no utility classes; look for a very long or deeply nested class"),
            );
            Ok(String::new())
        }
    }
}

/// The parts of that sheet that pages need, where they link them.
pub(super) fn styles_of_pages<'a>(
    sheet: &'a str,
    pages: &'a BTreeSet<Vec<String>>,
) -> impl Iterator<Item = (BundlePath, String)> + 'a {
    let rules = UtilityRules::of(sheet);
    pages.iter().map(move |classes| (BundlePath::sanitize(&utilities_path(classes)), rules.for_classes(classes)))
}

/// A style sheet whose addresses are rewritten.
struct PageSheet<'a> {
    /// In the bundle.
    path: &'a str,
    file: Option<FileId>,
    /// In diagnostics.
    named: &'a str,
}

/// The sheet with what it needs from elsewhere, once that is there.
fn local(
    css: &str,
    sheet: &PageSheet<'_>,
    resolver: &LinkResolver<'_>,
    cancel: &AtomicBool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<String, Canceled> {
    settled(resolver, cancel, diagnostics, |requests, found| rewrite_sheet(css, sheet, resolver, requests, found))
}

/// The result of `make` once every address that it requests is settled.
fn settled<T>(
    resolver: &LinkResolver<'_>,
    cancel: &AtomicBool,
    diagnostics: &mut Vec<Diagnostic>,
    make: impl Fn(&mut Requests, &mut Vec<Diagnostic>) -> T,
) -> Result<T, Canceled> {
    loop {
        let mut requests = Requests::default();
        let mut found = Vec::new();
        let result = make(&mut requests, &mut found);
        let pending = requests.take_pending();
        let Some(remote) = resolver.remote.filter(|_| !pending.is_empty()) else {
            diagnostics.extend(found);
            resolver.remote.into_iter().for_each(|remote| remote.commit(std::mem::take(&mut requests)));
            return Ok(result);
        };
        remote.wait(&pending, cancel)?;
    }
}

/// An author's drawing that loads from the bundle what it would load from elsewhere, or does not load it.
pub(super) fn author_drawing(
    bytes: Vec<u8>,
    file: FileId,
    resolver: &LinkResolver<'_>,
    cancel: &AtomicBool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Canceled> {
    let named = resolver.site().tree.path(file);
    let path = resolver.assets.path(file).as_str();
    let rewritten = settled(resolver, cancel, diagnostics, |requests, found| {
        rewrite_svg(&bytes, &mut |address, load| {
            let ResolvedTarget::Outside(url) = resolver.resolve(address, Some(file), named) else {
                return CssTarget::Drop;
            };
            from_elsewhere(&url, load, path, named, resolver, requests).unwrap_or_else(|| {
                let message = format!("`{url}` is left out of the SVG file: it is on another server");
                found.push(
                    Diagnostic::warning("outside-load", message)
                        .at(named, 0, 0)
                        .hint("embed it in the file, or export with `--vendor on`"),
                );
                CssTarget::Drop
            })
        })
    })?;
    Ok(rewritten.unwrap_or(bytes))
}

/// What a file at `path` loads instead of `url`; `None` where nothing is fetched.
fn from_elsewhere(
    url: &str,
    load: LoadKind,
    path: &str,
    named: &str,
    resolver: &LinkResolver<'_>,
    requests: &mut Requests,
) -> Option<CssTarget> {
    let spot = AddressSpot { file: named.to_owned(), line: 0, column: 0 };
    match resolver.remote.map_or(FoundAsset::Off, |remote| remote.look_up(url, load, spot, requests)) {
        FoundAsset::Here { path: copy, fragment, .. } => {
            Some(CssTarget::Inside(relative_url(path, copy.as_str()) + &fragment))
        }
        FoundAsset::Absent | FoundAsset::Pending => Some(CssTarget::Drop),
        FoundAsset::Off => None,
    }
}

fn rewrite_sheet(
    css: &str,
    sheet: &PageSheet<'_>,
    resolver: &LinkResolver<'_>,
    requests: &mut Requests,
    diagnostics: &mut Vec<Diagnostic>,
) -> String {
    // an address is a part of the text, whose place it has; the sheet of utility classes has no lines that an author
    // would know
    let place = |address: &str| {
        let offset = (address.as_ptr() as usize)
            .checked_sub(css.as_ptr() as usize)
            .filter(|offset| sheet.file.is_some() && *offset < css.len());
        offset.map_or((0, 0), |offset| line_column(css, offset))
    };
    let mut problem = |code: &'static str, address: &str, message: String, hint: &str| {
        let (line, column) = place(address);
        diagnostics.push(Diagnostic::new(code, message).at(sheet.named, line, column).hint(hint));
    };
    rewrite_css(css, |address, load| {
        if address.is_empty() || address.starts_with('#') || address.to_ascii_lowercase().starts_with("data:") {
            return CssTarget::Keep;
        }
        match resolver.resolve(address, sheet.file, sheet.named) {
            ResolvedTarget::Asset(target) => {
                resolver.assets.mark_used(target);
                CssTarget::Inside(relative_url(sheet.path, resolver.assets.path(target).as_str()))
            }
            ResolvedTarget::Outside(url) => from_elsewhere(&url, load, sheet.path, sheet.named, resolver, requests)
                .unwrap_or_else(|| {
                    problem(
                        "outside-load",
                        address,
                        format!("`{url}` is left out: it is on another server"),
                        "add the file to the source, or export with `--vendor on`",
                    );
                    CssTarget::Drop
                }),
            _ => {
                problem(
                    "missing-file",
                    address,
                    format!("the file `{address}` does not exist"),
                    "correct the address in the style sheet",
                );
                CssTarget::Drop
            }
        }
    })
}
