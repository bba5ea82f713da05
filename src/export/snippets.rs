//! Snippets and scripts that pages import: parsed once, when a page first needs them.

use std::sync::{Arc, OnceLock};

use crate::base::{FileId, limits};
use crate::markup::expand::Modules;
use crate::markup::{self, Document, esm};
use crate::site::{Site, front_matter};

/// The files of a site as modules.
#[derive(Debug)]
pub(super) struct Snippets<'a> {
    site: &'a Site,
    documents: Vec<OnceLock<Option<Arc<Document>>>>,
}

impl<'a> Snippets<'a> {
    pub(super) fn new(site: &'a Site) -> Self {
        Self { site, documents: site.tree.files.iter().map(|_| OnceLock::new()).collect() }
    }

    fn parse(&self, file: FileId) -> Option<Arc<Document>> {
        let bytes = self.site.tree.read_at_most(file, limits::PAGE_BYTES).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let document = if self.is_markdown(file) {
            let body = front_matter::split(&text);
            let source = markup::substitute(body.text, &self.site.config.variables);
            markup::parse_mdx(&source, file, body.line)
        } else {
            Document { module: esm::parse_script(&text), ..Document::default() }
        };
        Some(Arc::new(document))
    }
}

impl Modules for Snippets<'_> {
    fn document(&self, file: FileId) -> Option<Arc<Document>> {
        self.documents[file.0 as usize].get_or_init(|| self.parse(file)).clone()
    }

    fn resolve(&self, from: FileId, path: &str) -> Option<FileId> {
        self.site.resolve_import(from, path)
    }

    fn is_markdown(&self, file: FileId) -> bool {
        let path = self.site.tree.path(file);
        path.ends_with(".mdx") || path.ends_with(".md")
    }
}
