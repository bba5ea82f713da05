//! Snippets and scripts that pages import: parsed once, when a page first needs them.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use sha2::{Digest as _, Sha256};

use base::cut::cut;
use base::extension::is_markdown;
use base::printable::printable;
use base::{FileId, limits};
use frame::theme::ThemeFile;
use load::Site;
use load::inventory::resolve_import;
use markup::component::is_known_component;
use markup::expand::Modules;
use markup::js::compile::{self, ScriptError};
use markup::tree::PropValue;
use markup::{ParsedFile, esm};
use site::ConfigKind;
use site::front_matter::{front_matter_values, split_front_matter};
use site::page::Dialect;

use super::rewriting;

/// The files of a site as modules.
#[derive(Debug)]
pub(super) struct Snippets<'a> {
    site: &'a Site,
    /// See [`Modules::now`].
    now: Option<u64>,
    documents: Vec<OnceLock<Option<Arc<ParsedFile>>>>,
    scripts: Vec<OnceLock<Option<Arc<CompiledSnippet>>>>,
    browser: Vec<OnceLock<Option<Arc<ThemeFile>>>>,
    numbers: OnceLock<Numbers>,
    /// What the project knows, by name.
    known: Mutex<FxHashMap<String, Option<Arc<str>>>>,
}

/// What scripts call files, made of their paths.
#[derive(Debug, Default)]
struct Numbers {
    of: Vec<u32>,
    files: FxHashMap<u32, FileId>,
}

impl Numbers {
    fn of(site: &Site) -> Self {
        let mut numbers = Self::default();
        for (file, source) in site.tree.iter() {
            let digest: [u8; 32] = Sha256::digest(&source.path).into();
            // 31 bits: a larger number is no integer to the engine, which then finds no property by it
            let mut number = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]) >> 1;
            // of two files that would have the same number, one takes the next
            while numbers.files.contains_key(&number) {
                number = (number + 1) & (u32::MAX >> 1);
            }
            numbers.of.push(number);
            numbers.files.insert(number, file);
        }
        numbers
    }
}

type CompiledSnippet = Result<compile::CompiledModule, ScriptError>;

impl<'a> Snippets<'a> {
    /// `now`: what time it is for scripts, seconds since 1970, if that was said.
    pub(super) fn new(site: &'a Site, now: Option<u64>) -> Self {
        let files = site.tree.files.iter();
        Self {
            site,
            now,
            documents: files.clone().map(|_| OnceLock::new()).collect(),
            scripts: files.clone().map(|_| OnceLock::new()).collect(),
            browser: files.map(|_| OnceLock::new()).collect(),
            numbers: OnceLock::new(),
            known: Mutex::default(),
        }
    }

    /// The script file of a module, made once.
    pub(super) fn browser_script(
        &self,
        file: FileId,
        make: impl FnOnce(&str) -> Arc<ThemeFile>,
    ) -> Option<Arc<ThemeFile>> {
        let build =
            || self.script(file).and_then(|compiled| compiled.as_ref().as_ref().ok().map(|module| make(&module.code)));
        self.browser[file.0 as usize].get_or_init(build).clone()
    }

    fn numbers(&self) -> &Numbers {
        self.numbers.get_or_init(|| Numbers::of(self.site))
    }

    fn parse(&self, file: FileId) -> Option<Arc<ParsedFile>> {
        let document = if self.is_markdown(file) {
            let text = self.site.tree.text(file)?;
            let split = split_front_matter(&text);
            let (_, body) = cut(&text, split.body_offset);
            let (lines, _) = rewriting::rewrite_page_text(self.site, "", (file, split.body_line), &text, body);
            let body = lines.map_or(Cow::Borrowed(body), |lines| Cow::Owned(rewriting::join_source_lines(lines)));
            let source = markup::prepare_mdx(&body, &self.site.config.variables, self.site.kind == ConfigKind::Plain);
            source.with_punctuation(rewriting::punctuation(self.site, Dialect::Mdx)).parse(file, split.body_line)
        } else {
            let text = self.site.tree.read_text(file, limits::PAGE_BYTES).ok()?;
            let text = printable(&text);
            let project = self.site.project.as_ref();
            let own = project.and_then(|project| project.rewrite_script(self.site, self.path(file), &text));
            ParsedFile {
                module: esm::parse_script(own.as_deref().unwrap_or(&text)),
                first_line: 1,
                ..ParsedFile::default()
            }
        };
        Some(Arc::new(document))
    }
}

impl Modules for Snippets<'_> {
    fn document(&self, file: FileId) -> Option<Arc<ParsedFile>> {
        self.documents.get(file.0 as usize)?.get_or_init(|| self.parse(file)).clone()
    }

    fn resolve(&self, from: FileId, path: &str) -> Option<FileId> {
        resolve_import(&self.site.tree, self.site.tree.path(from), path)
    }

    fn now(&self) -> Option<u64> {
        self.now
    }

    fn is_markdown(&self, file: FileId) -> bool {
        is_markdown(self.site.tree.path(file))
    }

    fn runs(&self, file: FileId) -> bool {
        self.site.project.as_ref().is_some_and(|project| project.runs(self.path(file)))
    }

    fn known(&self, name: &str) -> Option<Arc<str>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || self.site.project.as_ref()?.known(self.site, name).map(Arc::from);
        known.entry(name.to_owned()).or_insert_with(make).clone()
    }

    fn front_matter(&self, file: FileId) -> Option<PropValue> {
        if !self.is_markdown(file) {
            return None;
        }
        front_matter_values(&self.site.tree.text(file)?).map(PropValue::from)
    }

    fn script(&self, file: FileId) -> Option<Arc<CompiledSnippet>> {
        let compiled = || {
            self.document(file).map(|document| Arc::new(compile::module(&document.module.script, is_known_component)))
        };
        self.scripts.get(file.0 as usize)?.get_or_init(compiled).clone()
    }

    fn path(&self, file: FileId) -> &str {
        self.site.tree.path(file)
    }

    fn number(&self, file: FileId) -> u32 {
        self.numbers().of.get(file.0 as usize).copied().unwrap_or_default()
    }

    fn numbered(&self, number: u32) -> Option<FileId> {
        self.numbers().files.get(&number).copied()
    }
}
