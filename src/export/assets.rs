//! Files that are copied: the author's, and what pages load from elsewhere. All stay as they are but style sheets,
//! drawings that would act, and, if an option says so, large PNG files.

use base::isolate::{LEFT_OUT, catch_panic, isolate};
use base::{Diagnostic, FileId, limits};
use bundle::{Bundle, BundleEntry, EntryOrigin};
use frame::asset::remote::{Canceled, Remote};
use frame::asset::{Assets, clean_svg, lower_extension};
use frame::link::LinkResolver;
use frame::theme::{PageReach, insert_policy};

use super::png::{PngOptimizer, PngSavings, SavingsEstimate};
use super::{ExportError, ExportEvent, ExportOptions, RunningExport, own_file, styles};

/// Bytes of assets that are in memory at a time.
const ASSET_BATCH_BYTES: usize = 16 << 20;

/// What happens to large PNG files.
#[derive(Debug)]
pub(super) enum PngTreatment {
    /// They are optimized.
    Optimize(PngOptimizer),
    /// They are copied, and an export says what optimizing would save.
    Estimate(SavingsEstimate),
}

impl PngTreatment {
    pub(super) fn new(options: &ExportOptions) -> Self {
        match options.optimize_png {
            true => Self::Optimize(PngOptimizer::new(options.remote.cache.as_deref())),
            false => Self::Estimate(SavingsEstimate::default()),
        }
    }

    /// What is to be said once all files are copied.
    pub(super) fn finish(self) -> Option<PngSavings> {
        match self {
            Self::Optimize(optimizer) => {
                optimizer.finish();
                None
            }
            Self::Estimate(estimate) => estimate.finish(),
        }
    }
}

/// Files that go into the bundle together: they are compressed on all cores.
struct AssetBatch<'a> {
    entries: Vec<BundleEntry>,
    bytes: usize,
    png: &'a mut PngTreatment,
    bundle: &'a mut Bundle,
}

impl<'a> AssetBatch<'a> {
    fn new(png: &'a mut PngTreatment, bundle: &'a mut Bundle) -> Self {
        Self { entries: Vec::new(), bytes: 0, png, bundle }
    }

    /// Adds a file; what is together then goes into the bundle if it is enough.
    fn add(&mut self, entry: BundleEntry, diagnostics: &mut Vec<Diagnostic>) -> Result<(), ExportError> {
        self.bytes += entry.bytes.len();
        if let PngTreatment::Estimate(estimate) = &mut *self.png
            && lower_extension(entry.path.as_str()) == "png"
        {
            // the hint is no loss
            let _ = catch_panic(|| estimate.note(&entry.bytes));
        }
        self.entries.push(entry);
        if self.bytes > ASSET_BATCH_BYTES { self.finish(diagnostics) } else { Ok(()) }
    }

    /// What is together goes into the bundle.
    fn finish(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Result<(), ExportError> {
        self.bytes = 0;
        if let PngTreatment::Optimize(optimizer) = &*self.png {
            optimizer.optimize(&mut self.entries, diagnostics);
        }
        self.bundle.add(std::mem::take(&mut self.entries))?;
        Ok(())
    }
}

/// What becomes of an author's file that is rewritten. One whose reading panics is left out, but a style sheet, to which
/// pages link, is empty then.
fn rewritten(
    path: &str,
    diagnostics: &mut Vec<Diagnostic>,
    rewrite: impl FnOnce(&mut Vec<Diagnostic>) -> Result<Vec<u8>, Canceled>,
) -> Result<Option<Vec<u8>>, Canceled> {
    let is_sheet = lower_extension(path) == "css";
    let outcome = if is_sheet { "the bundle has an empty style sheet in its place" } else { LEFT_OUT };
    isolate(path, outcome, diagnostics, rewrite).map_or(Ok(is_sheet.then(Vec::new)), |made| made.map(Some))
}

impl RunningExport<'_> {
    /// Copies assets, some at a time; returns their size.
    pub(super) fn add_assets(
        &self,
        reach: PageReach,
        assets: &Assets<'_>,
        resolver: &LinkResolver<'_>,
        (png, bundle): (&mut PngTreatment, &mut Bundle),
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<u64, ExportError> {
        let site = resolver.site();
        let mut total = 0;
        let mut batch = AssetBatch::new(png, bundle);
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
            let finish = |found: &mut Vec<Diagnostic>| self.author_file(bytes, file, reach, resolver, found);
            let Some(bytes) = rewritten(path, diagnostics, finish)? else { continue };
            total += bytes.len() as u64;
            let entry = BundleEntry { path: assets.path(file).clone(), bytes, origin: EntryOrigin::Source };
            batch.add(entry, diagnostics)?;
            self.check_canceled()?;
        }
        batch.finish(diagnostics)?;
        Ok(total)
    }

    /// A file of the author as the bundle holds it.
    fn author_file(
        &self,
        bytes: Vec<u8>,
        file: FileId,
        reach: PageReach,
        resolver: &LinkResolver<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Vec<u8>, Canceled> {
        let path = resolver.site().tree.path(file);
        Ok(match lower_extension(path).as_str() {
            "css" => styles::author_sheet(&bytes, file, resolver, self.cancel, diagnostics)?,
            "svg" => {
                let still = still_svg(bytes, path, diagnostics);
                styles::author_drawing(still, file, resolver, self.cancel, diagnostics)?
            }
            "html" | "htm" | "xhtml" => insert_policy(&bytes, reach),
            _ => bytes,
        })
    }

    /// Writes what pages load from elsewhere, some at a time, and reports what is missing.
    pub(super) fn add_remote(
        &self,
        remote: &Remote,
        (png, bundle): (&mut PngTreatment, &mut Bundle),
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), ExportError> {
        let mut batch = AssetBatch::new(png, bundle);
        for (path, bytes) in remote.files() {
            let bytes = match bytes {
                Ok(bytes) => bytes,
                Err(problem) => {
                    diagnostics.push(problem);
                    continue;
                }
            };
            batch.add(own_file(path, bytes), diagnostics)?;
            self.check_canceled()?;
        }
        batch.finish(diagnostics)?;
        for diagnostic in remote.diagnostics() {
            (self.progress)(ExportEvent::Diagnostic(diagnostic.clone()));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_whose_reading_panics_is_named_and_the_others_go_on() {
        for (path, left) in [("styles/ofen.css", Some(Vec::new())), ("ofen.svg", None), ("old/ofen.html", None)] {
            let mut diagnostics = Vec::new();
            let made = rewritten(path, &mut diagnostics, |_| panic!("made to fail"));
            assert_eq!(made.unwrap(), left, "{path}");
            let found: Vec<_> = diagnostics.iter().map(|found| (found.code, found.file.as_str())).collect();
            assert_eq!(found, [("file-failed", path)]);
        }
        let mut diagnostics = Vec::new();
        assert_eq!(rewritten("a.svg", &mut diagnostics, |_| Ok(b"<svg/>".to_vec())).unwrap(), Some(b"<svg/>".to_vec()));
        assert_eq!(diagnostics, []);
    }
}
