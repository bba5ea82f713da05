//! Files that pages of a plain folder include, by the paths of other generators.

use crate::base::FileId;
use crate::base::extension::is_markdown;
use crate::page::markup::{Files, Included};
use crate::source::site::front_matter;
use crate::source::site::tree::{self, SourceTree};

/// The files of a site.
pub(super) struct Includes<'a>(pub(super) &'a SourceTree);

impl Files for Includes<'_> {
    /// Paths lead from the including file's folder (mdBook, VitePress), from the folder of the book, or from the one
    /// around it, of which the export may have seen only `docs` (MkDocs): the nearest that has the file is meant.
    fn included(&self, from: FileId, path: &str) -> Option<Included> {
        let mut folder = tree::folder(self.0.path(from));
        let path = path.trim_start_matches('/');
        let file = loop {
            let found = tree::join(folder, path).and_then(|path| self.0.find(&path));
            match found {
                Some(file) => break file,
                None if folder.is_empty() => break self.0.find(path.strip_prefix("docs/")?)?,
                None => folder = tree::folder(folder),
            }
        };
        let text = self.0.text(file).filter(|text| !text.contains('\0'))?;
        let split = is_markdown(self.0.path(file)).then(|| front_matter::split(&text));
        let (text, first_line) =
            split.map_or((text.as_str(), 1), |split| (&text[split.body_offset..], split.body_line));
        Some(Included { file, text: text.to_owned(), first_line })
    }
}
