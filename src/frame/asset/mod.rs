//! Files that are not pages. Of the local ones: which go into the bundle, under which names, and how large pictures
//! are; of those that pages load from elsewhere (`remote`): copies that stand in for them, style sheets (`css`) and
//! drawings (`svg`) made fit for a bundle.

// files of others are cut by what is found in them, never by counted bytes

mod css;
mod font_face;
mod hooks;
pub mod remote;
mod selectors;
mod svg;
mod svg_clean;
mod svg_loads;

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use base::FileId;
use base::bundle_path::{BundlePath, MANIFEST_PATH};
use base::isolate::catch_panic;
use load::Site;

pub use css::{CssTarget, rewrite_css};
pub use remote::Remote;
pub use selectors::widen_selectors;
use svg::svg_size;
pub use svg_clean::clean_svg;
pub use svg_loads::rewrite_svg;

/// Files of these types go into the bundle even when no page names them: authors link them from elsewhere.
const PUBLISHED: [&str; 46] = [
    "png",
    "jpg",
    "jpeg",
    "gif",
    "webp",
    "avif",
    "svg",
    "ico",
    "bmp",
    "tiff",
    "mp4",
    "webm",
    "mov",
    "ogg",
    "ogv",
    "mp3",
    "wav",
    "m4a",
    "json",
    "yaml",
    "yml",
    "css",
    "woff",
    "woff2",
    "ttf",
    "otf",
    "eot",
    "pdf",
    "txt",
    "xml",
    "csv",
    "tsv",
    "zip",
    "gz",
    "tgz",
    "7z",
    "doc",
    "docx",
    "xls",
    "xlsx",
    "ppt",
    "pptx",
    "vtt",
    "toml",
    "webmanifest",
    "ipynb",
];

/// Files without such a type that hosts look for at the root of a site.
const HOST_FILES: [&str; 5] = ["CNAME", "_headers", "_redirects", "_routes.json", ".nojekyll"];

/// The local files of a site.
#[derive(Debug)]
pub struct Assets<'a> {
    site: &'a Site,
    files: Vec<AssetEntry>,
    include_js: bool,
    /// By path in the bundle, once it is asked for: the first file that is copied there.
    by_path: OnceLock<FxHashMap<BundlePath, FileId>>,
}

#[derive(Debug)]
struct AssetEntry {
    path: BundlePath,
    used: AtomicBool,
    size: OnceLock<Option<(u32, u32)>>,
}

impl<'a> Assets<'a> {
    /// The files of a site; its own browser scripts count only with `include_js`.
    pub fn new(site: &'a Site, include_js: bool) -> Self {
        // of two files with one place, the second keeps its own
        let mut taken: FxHashSet<String> = FxHashSet::default();
        let mut place = |path: &str| match site.served(path).filter(|_| site.is_moved()) {
            Some(served) => {
                let served = BundlePath::sanitize(&served);
                if taken.insert(served.collision_key()) { served } else { BundlePath::sanitize(path) }
            }
            None => BundlePath::sanitize(path),
        };
        let mut entry =
            |path: &str| AssetEntry { path: place(path), used: AtomicBool::new(false), size: OnceLock::new() };
        let fetched = site.tree.fetched().map(|(_, file)| AssetEntry {
            path: file.path().clone(),
            used: AtomicBool::new(false),
            size: OnceLock::new(),
        });
        let files = site.tree.files.iter().map(|file| entry(&file.path)).chain(fetched).collect();
        Self { site, files, include_js, by_path: OnceLock::new() }
    }

    /// Whether a file may be part of the bundle: no page, snippet, configuration or script.
    pub fn is_asset(&self, file: FileId) -> bool {
        let source = self.site.tree.file(file);
        if self.site.tree.fetched_file(file).is_some() {
            return !source.ignored;
        }
        let script = matches!(lower_extension(&source.path).as_str(), "js" | "mjs" | "cjs");
        !source.ignored
            && self.site.served(&source.path).is_some()
            && !self.site.tree.is_withheld(file)
            && !matches!(lower_extension(&source.path).as_str(), "md" | "mdx" | "jsx" | "tsx" | "ts")
            && (!script || self.include_js)
            && !self.site.is_config(file)
    }

    /// The files of the source to copy, in order: those of known types, and those that pages use.
    pub fn published(&self) -> Vec<FileId> {
        (0..self.site.tree.files.len() as u32).map(FileId).filter(|file| self.is_published(*file)).collect()
    }

    /// Whether a file is part of the bundle.
    pub fn is_published(&self, file: FileId) -> bool {
        if self.site.tree.fetched_file(file).is_some() {
            return self.is_asset(file);
        }
        let known = |path: &str| {
            if is_host_file(self.files[file.0 as usize].path.as_str()) {
                return true;
            }
            let hidden = path.split('/').any(|segment| segment.starts_with('.') && segment != ".well-known");
            let extension = lower_extension(path);
            let published =
                !hidden && (PUBLISHED.contains(&extension.as_str()) || (extension == "js" && self.include_js));
            published && !(extension == "zip" && self.is_bundle(file))
        };
        self.is_asset(file)
            && (known(self.site.tree.path(file)) || self.files[file.0 as usize].used.load(Ordering::Relaxed))
    }

    /// Whether the author has a file that is copied to this path, whatever is linked. It wins over one that would be
    /// made there.
    pub fn has_own(&self, path: &str) -> bool {
        let by_path = self.by_path.get_or_init(|| {
            let mut by_path = FxHashMap::default();
            let own = (0..self.site.tree.files.len() as u32).map(FileId);
            for file in own.filter(|file| self.is_asset(*file)) {
                by_path.entry(self.path(file).clone()).or_insert(file);
            }
            by_path
        });
        by_path.get(&BundlePath::sanitize(path)).is_some_and(|file| self.is_published(*file))
    }

    /// Whether a zip archive is an export of earlier: it must not become part of the next.
    fn is_bundle(&self, file: FileId) -> bool {
        match self.site.tree.on_disk(file) {
            Some(path) => File::open(path).is_ok_and(|file| has_manifest(BufReader::new(file))),
            None => self.site.tree.read(file).is_ok_and(|bytes| has_manifest(Cursor::new(bytes))),
        }
    }

    /// The author's files with an extension, in order: style sheets and scripts that every page includes.
    pub fn with_extension(&self, extension: &str) -> Vec<FileId> {
        let files = (0..self.site.tree.files.len() as u32).map(FileId);
        files
            .filter(|file| {
                !self.site.tree.files[file.0 as usize].ignored
                    && lower_extension(self.site.tree.path(*file)) == extension
            })
            .collect()
    }

    /// A file's path in the bundle.
    pub fn path(&self, file: FileId) -> &BundlePath {
        &self.files[file.0 as usize].path
    }

    /// Notes that a page needs a file.
    pub fn mark_used(&self, file: FileId) {
        self.files[file.0 as usize].used.store(true, Ordering::Relaxed);
    }

    /// Width and height of a picture, read from its first bytes, once.
    pub fn size(&self, file: FileId) -> Option<(u32, u32)> {
        let read = || {
            let path = self.site.tree.path(file);
            if lower_extension(path) == "svg" {
                return svg_size(&self.site.tree.read_text(file, u64::MAX).ok()?);
            }
            let size = match self.site.tree.on_disk(file) {
                Some(path) => imagesize::size(path).ok()?,
                None => imagesize::blob_size(&self.site.tree.read(file).ok()?).ok()?,
            };
            Some((u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?))
                .filter(|(width, height)| *width > 0 && *height > 0)
        };
        // a picture without a size is no loss, and the page around it would be one
        *self.files[file.0 as usize].size.get_or_init(|| catch_panic(read).flatten())
    }
}

/// Whether hosts, search engines or programs look for a file of this path in the bundle by themselves.
fn is_host_file(path: &str) -> bool {
    let is_proof = |name: &str| {
        let code = name.strip_suffix(".html").and_then(|name| {
            name.strip_prefix("google").or_else(|| name.strip_prefix("yandex_")).filter(|code| code.len() >= 16)
        });
        code.is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    HOST_FILES.contains(&path) || path.starts_with(".well-known/") || is_proof(path)
}

/// Whether a zip archive has what every export has.
fn has_manifest(archive: impl Read + Seek) -> bool {
    zip::ZipArchive::new(archive).is_ok_and(|archive| archive.index_for_name(MANIFEST_PATH).is_some())
}

/// The lower-case extension of a path.
pub fn lower_extension(path: &str) -> String {
    base::extension::file_extension(path).to_ascii_lowercase()
}
