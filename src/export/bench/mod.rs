//! The bench of the whole exporter: a generated site, an export of it, and figures.

mod fence;
pub mod layout;
mod prose;
pub mod site;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::{BundleFormat, BundleOutput, ExportOptions, Services};
use base::Severity;

/// What to measure.
#[derive(Clone, Debug)]
pub struct BenchSettings {
    /// Pages, not counting the home page and one page per group.
    pub pages: u32,
    /// Seed of the words.
    pub seed: u64,
    /// Threads; `None` means one per core.
    pub jobs: Option<usize>,
    /// Highlight code blocks.
    pub highlight: bool,
    /// Put a search index into the bundle.
    pub search: bool,
    /// Where the site (`source`) and the bundle (`bundle.zip`) go.
    pub folder: PathBuf,
}

/// What came out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    /// Pages in the bundle.
    pub pages: u64,
    /// Files in the bundle.
    pub files: u64,
    /// Bytes of all pages of the source.
    pub source_bytes: u64,
    /// Bytes of HTML in the bundle.
    pub html_bytes: u64,
    /// Bytes of the archive.
    pub bundle_bytes: u64,
    /// Elapsed time of the export; generating the site is not in it.
    pub seconds: f64,
    /// Processor time of the export over all threads; `None` where the system does not report it.
    pub cpu_seconds: Option<f64>,
    /// Most memory that the process ever had resident; `None` where the system does not report it.
    pub peak_bytes: Option<u64>,
    /// The stages, in order.
    pub stages: Vec<StageFigures>,
    /// Warnings and errors of the content: a generated site should have none.
    pub problems: u64,
}

/// What a stage took.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StageFigures {
    /// Its name.
    pub name: String,
    /// Elapsed milliseconds.
    pub wall_ms: f64,
    /// Microseconds summed over threads, where it runs in parallel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_us: Option<u64>,
}

impl Figures {
    /// Pages per second of elapsed time.
    pub fn pages_per_second(&self) -> f64 {
        self.pages as f64 / self.seconds
    }
    /// `bytes` per page.
    pub fn per_page(&self, bytes: u64) -> f64 {
        bytes as f64 / self.pages.max(1) as f64
    }
}

/// Why there are no figures.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The site cannot be generated.
    #[error("cannot generate a site in `{}`", folder.display())]
    Generate {
        /// Where.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The site cannot be exported.
    #[error(transparent)]
    Export(#[from] crate::ExportError),
}

/// Generates a site and exports it once.
///
/// # Errors
/// The folder cannot be written, the export failed, or `cancel` was set.
pub fn run_bench(settings: &BenchSettings, cancel: &AtomicBool) -> Result<Figures, BenchError> {
    let source = settings.folder.join("source");
    let generated = site::generate_site(&source, site::BenchPlan::new(settings.pages, settings.seed), cancel);
    let source_bytes = generated.map_err(|error| match error.kind() {
        io::ErrorKind::Interrupted => BenchError::Export(crate::ExportError::Canceled),
        _ => BenchError::Generate { folder: source.clone(), source: error },
    })?;
    let output = BundleOutput { path: settings.folder.join("bundle.zip"), format: BundleFormat::Zip };
    let options = ExportOptions {
        domain: Some("docs.example.com".to_owned()),
        jobs: settings.jobs,
        highlight: settings.highlight,
        services: Services { offline_search: settings.search, ..Services::default() },
        ..ExportOptions::new(source, output)
    };
    let (start, cpu_start) = (Instant::now(), cpu_seconds());
    let report = crate::export_site(&options, &|_| {}, cancel)?;
    let (seconds, cpu_end) = (start.elapsed().as_secs_f64(), cpu_seconds());
    Ok(Figures {
        pages: report.pages,
        files: report.files,
        source_bytes,
        html_bytes: report.html_bytes,
        bundle_bytes: report.bundle_bytes,
        seconds,
        cpu_seconds: cpu_start.zip(cpu_end).map(|(start, end)| end - start),
        peak_bytes: peak_bytes(Path::new("/proc/self/status")),
        stages: report
            .stages
            .iter()
            .map(|stage| StageFigures { name: stage.name.to_owned(), wall_ms: stage.wall_ms, busy_us: stage.busy_us })
            .collect(),
        problems: report.diagnostics.iter().filter(|found| found.severity >= Severity::Warning).count() as u64,
    })
}

/// Most memory resident so far, from the kernel's `VmHWM` line.
fn peak_bytes(status: &Path) -> Option<u64> {
    let status = std::fs::read_to_string(status).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Processor time of this process so far.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn cpu_seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 / 1e9)
}

/// Not implemented for this system.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn cpu_seconds() -> Option<f64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peak_memory_is_read_from_the_kernel() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("status");
        std::fs::write(&path, "Name:\toffprint\nVmPeak:\t  9 kB\nVmHWM:\t   1234 kB\n").unwrap();
        assert_eq!(peak_bytes(&path), Some(1234 * 1024));
        std::fs::write(&path, "VmHWM:\tmany\n").unwrap();
        assert_eq!(peak_bytes(&path), None);
        assert_eq!(peak_bytes(&folder.path().join("nothing")), None);
    }
}
