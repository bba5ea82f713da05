//! Bundles that the exporter made: editions of one site which differ in every page.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::host::program::offprint;

const DOCS: &str = r##"{"theme": "mint", "name": "Test", "colors": {"primary": "#0F766E"},
"navigation": {"pages": ["index", "guides/index", "guides/start", "guides/long", "ünicode"]},
"redirects": [{"source": "/old", "destination": "/guides/start#install"}, {"source": "/for-now", "destination": "/guides/start", "permanent": false},
 {"source": "/tab", "destination": "/guides/start?tab=go#install"}, {"source": "/away", "destination": "https://example.com/x"}, {"source": "/wiki/:slug*", "destination": "/guides/:slug*"}, {"source": "/any/:slug*", "destination": "/:slug*"}]}"##;

/// The editions, each in its file.
pub(crate) struct Bundles {
    folder: TempDir,
}

impl Bundles {
    pub(crate) fn path(&self, edition: usize) -> PathBuf {
        self.folder.path().join(format!("v{edition}.zip"))
    }

    pub(crate) fn name(&self, edition: usize) -> String {
        self.path(edition).to_str().expect("a name").to_owned()
    }

    pub(crate) fn bytes(&self, edition: usize) -> Vec<u8> {
        fs::read(self.path(edition)).expect("a bundle")
    }

    pub(crate) fn sha256(&self, edition: usize) -> String {
        hex(&Sha256::digest(self.bytes(edition)))
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Three editions, exported once for all tests: v1, v2 and v3, of which v1 is the oldest by its own word.
pub(crate) fn bundles() -> &'static Bundles {
    static BUNDLES: OnceLock<Bundles> = OnceLock::new();
    BUNDLES.get_or_init(|| {
        let folder = TempDir::with_prefix("offprint-host-").expect("a temporary folder");
        (1..=3).for_each(|edition| export(folder.path(), edition));
        Bundles { folder }
    })
}

/// A fourth one.
pub(crate) fn export_other(output: &Path) {
    let folder = TempDir::with_prefix("offprint-host-").expect("a temporary folder");
    export(folder.path(), 4);
    fs::copy(folder.path().join("v4.zip"), output).expect("a copy");
}

fn export(folder: &Path, edition: usize) {
    let docs = folder.join(format!("docs{edition}"));
    let page = |path: &str, body: &str| {
        let path = docs.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, format!("---\ntitle: Page\n---\n\nEdition-{edition} of this page.\n\n{body}\n"))
            .expect("a page");
    };
    page("index.mdx", "See [how](/guides/start#install).");
    page("guides/index.mdx", "All guides.");
    page(
        "guides/start.mdx",
        "## Install\n\nWrite `offprint host` and <span style={{color: 'teal'}}>be done</span>. Telescopes help.",
    );
    // not so much alike that it would be stored as it is
    let sentence = |n| format!("Sentence {n} is written down many times, with words and more words in it.\n\n");
    page("guides/long.mdx", &(0..4_000).map(sentence).collect::<String>());
    page("ünicode.mdx", "Straße.");
    fs::write(docs.join("docs.json"), DOCS).expect("a file");
    fs::write(docs.join("picture.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"3\"><style>rect{fill:teal}</style><rect/></svg>").expect("a file");
    fs::write(docs.join("noise.png"), noise(300_000)).expect("a file");
    fs::write(docs.join("page.json"), "{\"a\": 1}").expect("a file");
    let output = folder.join(format!("v{edition}.zip"));
    let exported = offprint()
        .args([
            "export",
            docs.to_str().expect("a name"),
            "-o",
            output.to_str().expect("a name"),
            "--version",
            &format!("v{edition}"),
        ])
        .args([
            "--exported-at",
            &format!("2026-11-0{edition}T10:00:00Z"),
            "--domain",
            "docs.example.com",
            "--progress",
            "none",
            "--jobs",
            "2",
        ])
        .output()
        .expect("the program starts");
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
}

/// What nothing makes smaller.
fn noise(bytes: u32) -> Vec<u8> {
    let mut state = 7_u64;
    let step = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..bytes).map(step).collect()
}
