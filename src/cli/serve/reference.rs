//! The pages about the interface: written, exported by a child like any other source, shown.

use std::fs;
use std::path::{Path, PathBuf};

use bundle::{BundleDeployment, ManifestFeatures};
use service::api::{self, Api};
use service::job::child::{self, ChildWork, JobSource, MachineLimits};

/// Has the pages exported, and shows them. Without them the service is as good as with them.
pub(super) async fn show_reference_pages(api: Api, limits: MachineLimits, folder: PathBuf) {
    if let Err(message) = export_reference_pages(&api, &limits, &folder).await {
        tracing::warn!(message, "the pages of the API reference cannot be served");
    }
}

async fn export_reference_pages(api: &Api, limits: &MachineLimits, folder: &Path) -> Result<(), String> {
    let (source, work) = (folder.join("source"), folder.join("work"));
    for old in [&source, &work] {
        match fs::remove_dir_all(old) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.to_string()),
            _ => {}
        }
    }
    for (path, content) in api::reference_pages(api.base_url()) {
        let file = source.join(path);
        let written = file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&file, content));
        written.map_err(|error| error.to_string())?;
    }
    let features = ManifestFeatures { offline_search: true, ..ManifestFeatures::default() };
    let work = ChildWork {
        source: JobSource::Folder { path: source },
        folder: work,
        domain: None,
        version: None,
        paths: Vec::new(),
        groups: Vec::new(),
        deployment: BundleDeployment::AirGapped,
        features,
        optimize_png: false,
        from: None,
        search: None,
        assistant: None,
        allow_private: Vec::new(),
    };
    let built =
        child::run_child(&work, limits, |_| {}, std::future::pending()).await.map_err(|failure| failure.message)?;
    let archive = folder.join("reference.zip");
    fs::rename(&built.archive, &archive).map_err(|error| error.to_string())?;
    api.show_reference(&archive)
}
