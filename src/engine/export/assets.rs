//! Files that are copied: the author's, and what pages load from elsewhere. All stay as they are but style sheets,
//! drawings that would act, and large PNG files.

use crate::base::{Diagnostic, limits};
use crate::frame::asset::remote::Remote;
use crate::frame::asset::{Assets, clean_svg, lower_extension};
use crate::frame::link::Resolver;
use crate::frame::theme::{Reach, insert_policy};
use crate::output::bundle::{Bundle, BundleEntry, Origin};

use super::{Error, Event, Export, own_file, png, styles};

/// Bytes of assets that are in memory at a time.
const ASSET_BATCH_BYTES: usize = 16 << 20;

/// Files that go into the bundle together: they are compressed on all cores.
struct Batch {
    entries: Vec<BundleEntry>,
    bytes: usize,
    optimize_png: bool,
}

impl Batch {
    fn new(optimize_png: bool) -> Self {
        Self { entries: Vec::new(), bytes: 0, optimize_png }
    }

    /// Adds a file; what is together then goes into the bundle if it is enough.
    fn add(&mut self, entry: BundleEntry, bundle: &mut Bundle) -> Result<(), Error> {
        self.bytes += entry.bytes.len();
        self.entries.push(entry);
        if self.bytes > ASSET_BATCH_BYTES { self.finish(bundle) } else { Ok(()) }
    }

    /// What is together goes into the bundle.
    fn finish(&mut self, bundle: &mut Bundle) -> Result<(), Error> {
        self.bytes = 0;
        if self.optimize_png {
            png::optimize(&mut self.entries);
        }
        bundle.add(std::mem::take(&mut self.entries))?;
        Ok(())
    }
}

impl Export<'_> {
    /// Copies assets, some at a time; returns their size.
    pub(super) fn add_assets(
        &self,
        reach: Reach,
        assets: &Assets<'_>,
        resolver: &Resolver<'_>,
        bundle: &mut Bundle,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<u64, Error> {
        let site = resolver.site();
        let mut total = 0;
        let mut batch = Batch::new(self.options.optimize_png);
        let output = self.options.output.path.canonicalize().ok();
        for file in assets.published() {
            let path = site.tree.path(file);
            if output.as_ref().is_some_and(|output| {
                site.tree.on_disk(file).and_then(|path| path.canonicalize().ok()).is_some_and(|path| path == *output)
            }) {
                continue; // the bundle of last time
            }
            let bytes = match site.tree.read(file) {
                Ok(bytes) => bytes,
                Err(error) => {
                    diagnostics.push(
                        Diagnostic::new("unreadable-file", format!("`{path}` cannot be read: {error}")).at(path, 0, 0),
                    );
                    continue;
                }
            };
            if bytes.len() as u64 > limits::ASSET_BYTES {
                let message = format!("`{path}` is {} MB large", bytes.len() >> 20);
                diagnostics.push(
                    Diagnostic::new("large-asset", message)
                        .at(path, 0, 0)
                        .hint("a smaller file makes the bundle easier to transfer"),
                );
            }
            let bytes = match lower_extension(path).as_str() {
                "css" => styles::author_sheet(&bytes, file, resolver, self.cancel, diagnostics)?,
                "svg" => styles::author_drawing(
                    still_svg(bytes, path, diagnostics),
                    file,
                    resolver,
                    self.cancel,
                    diagnostics,
                )?,
                "html" | "htm" | "xhtml" => insert_policy(&bytes, reach),
                _ => bytes,
            };
            total += bytes.len() as u64;
            batch.add(BundleEntry { path: assets.path(file).clone(), bytes, origin: Origin::Source }, bundle)?;
            self.check_canceled()?;
        }
        batch.finish(bundle)?;
        Ok(total)
    }

    /// Writes what pages load from elsewhere, some at a time, and reports what is missing.
    pub(super) fn add_remote(
        &self,
        remote: &Remote,
        bundle: &mut Bundle,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), Error> {
        let mut batch = Batch::new(self.options.optimize_png);
        for (path, bytes) in remote.files() {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(problem) => {
                    diagnostics.push(problem);
                    continue;
                }
            };
            batch.add(own_file(path, bytes), bundle)?;
            self.check_canceled()?;
        }
        batch.finish(bundle)?;
        for diagnostic in remote.diagnostics() {
            (self.progress)(Event::Diagnostic(diagnostic.clone()));
            diagnostics.push(diagnostic);
        }
        Ok(())
    }
}

/// An author's drawing without what would run if it were opened at its own address.
pub(super) fn still_svg(bytes: Vec<u8>, path: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<u8> {
    let Some((clean, left_out)) = clean_svg(&bytes) else { return bytes };
    let message = format!("the SVG is copied without {}", left_out.join(", "));
    let hint = "save it without scripts and embedded pages: opened directly, they could access the whole site";
    diagnostics.push(Diagnostic::new("svg-active", message).at(path, 0, 0).hint(hint));
    clean
}
