//! The texts of a source, parsed as they are written: nothing is imported or run.

use base::FileId;
use base::extension::is_markdown;
use load::Site;
use markup::ParsedFile;
use site::ConfigKind;
use site::front_matter::split_front_matter;
use site::page::Dialect;

/// The files of pages and snippets that are Markdown, and whether each is MDX.
pub(crate) fn text_files(site: &Site) -> Vec<(FileId, bool)> {
    let pages = site.pages.iter().filter_map(|page| Some((page.file?, page.dialect == Dialect::Mdx)));
    let snippets = site.imported.iter().map(|file| (*file, true));
    pages.chain(snippets).filter(|(file, _)| is_markdown(site.tree.path(*file))).collect()
}

/// The text of a file, parsed.
pub(crate) fn parse_body(site: &Site, file: FileId, text: &str, is_mdx: bool) -> ParsedFile {
    let split = split_front_matter(text);
    let body = text.get(split.body_offset..).unwrap_or_default();
    if is_mdx {
        markup::prepare_mdx(body, &site.config.variables, site.kind == ConfigKind::Plain).parse(file, split.body_line)
    } else {
        markup::parse_markdown(body, file, split.body_line)
    }
}
