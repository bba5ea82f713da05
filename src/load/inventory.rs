//! Which files are pages, and under which names.
//!
//! 1. Every Markdown file and script is read once, in parallel, and only its facts are kept.
//! 2. What others import and what lies in a folder of snippets is no page, unless the navigation lists it; nor are
//!    ignored files and what only the platform reads.
//! 3. Pages with access groups stay out unless a group is requested, pages with `url:` are links.
//! 4. Names are made unique without regard to case.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use base::diagnostic::list_in_backticks;
use base::extension::{has_extension, is_markdown};
use base::isolate::{LEFT_OUT, catch_panic, file_failed};
use base::limits::PAGE_BYTES;
use base::lines::with_line_feeds;
use base::printable::into_printable;
use base::source_text::decode_text;
use base::variables::Variables;
use base::{BundlePath, Description, Diagnostic, FileId};
use site::ConfigKind;
use site::ignored::{is_of_repository, is_snippet, page_only_in_navigation};
use site::page::{Dialect, FrontMatter, PageEntry, UrlPage, Visibility, title_of_slug, without_number};
use site::title::Heading;
use site::tree::{self, SourceTree};
use spec::groups::ReaderGroups;

use super::foreign_syntax::tell_foreign_syntax;
use super::loaded_site::{Site, docusaurus_folders};
use super::scan::{self, Scan, scan_markdown, scan_script};
use super::tool::{self, Project};

/// The pages of a site before their order is fixed.
#[derive(Debug, Default)]
pub struct Inventory {
    /// The pages, by path of their files.
    pub pages: Vec<PageEntry>,
    /// Other names of pages: (name, slug).
    pub aliases: Vec<(String, String)>,
    /// Former addresses of pages: (address, slug).
    pub redirects: Vec<(String, String)>,
    /// `url:` pages by slug.
    pub url_pages: FxHashMap<String, UrlPage>,
    /// Slugs of pages that access groups keep out.
    pub grouped: FxHashSet<String>,
    /// Files that others import, in order.
    pub imported: Vec<FileId>,
    /// Link targets into anchors of other pages, by file.
    pub fragments: Vec<(FileId, String)>,
    /// Files that say that they are drafts.
    pub drafts: Vec<FileId>,
    /// Digests of what was taken from each text, see [`Scan::facts`].
    pub facts: FxHashMap<FileId, u64>,
    /// What is wrong, by path.
    pub problems: Vec<Diagnostic>,
}

/// The Markdown files and scripts of a site, read.
#[derive(Debug, Default)]
pub struct ScannedFiles {
    scans: Vec<(FileId, Box<Scan>)>,
    /// Why some could not be.
    problems: Vec<Diagnostic>,
}

/// Takes stock of what was read. `listed` holds the slugs that the navigation names. `project`: that of a tool.
pub fn take_inventory(
    files: &SourceTree,
    kind: ConfigKind,
    scanned: ScannedFiles,
    listed: &FxHashSet<String>,
    project: Option<&dyn Project>,
    readers: ReaderGroups<'_>,
) -> Inventory {
    let docusaurus = docusaurus_folders(files, kind);
    let ScannedFiles { scans, problems } = scanned;
    let inventory = Inventory { problems, pages: Vec::with_capacity(scans.len()), ..Inventory::default() };
    let mut stock = Stock { files, kind, project, docusaurus, listed, readers, taken: FxHashMap::default(), inventory };
    let imported = imported_files(files, &scans);
    stock.inventory.imported = imported.iter().copied().collect();
    stock.inventory.imported.sort_unstable();
    let plain_index = plain_index_files(files, kind);
    let folded: FxHashSet<String> = imported.iter().map(|id| tree::folded(files.path(*id))).collect();
    stock.inventory.facts = scans.iter().map(|(id, scan)| (*id, scan.facts())).collect();
    for (id, mut scan) in scans {
        if !is_page_file(files.path(id), project) || files.file(id).ignored {
            if imported.contains(&id) {
                stock.tell_encoding(&mut scan);
            }
            continue;
        }
        stock.file(id, *scan, &folded, plain_index.contains(&id));
    }
    stock.tell_drafts();
    stock.tell_changed_names();
    stock.inventory
}

struct Stock<'a> {
    files: &'a SourceTree,
    kind: ConfigKind,
    /// What a tool says of the files.
    project: Option<&'a dyn Project>,
    /// Folders of Docusaurus sites.
    docusaurus: Vec<String>,
    listed: &'a FxHashSet<String>,
    readers: ReaderGroups<'a>,
    /// Index of the page that has a name already, by what names of one bundle may not share.
    taken: FxHashMap<String, usize>,
    inventory: Inventory,
}

impl Stock<'_> {
    /// Of a part of pages, only the encoding is told here: what else is wrong with it, its pages say.
    fn tell_encoding(&mut self, scan: &mut Scan) {
        self.inventory.problems.extend(scan.problems.drain(..).filter(|problem| problem.code == "not-utf8"));
    }

    /// Puts a Markdown file where it belongs. `stands_for_folder`: a README that is its folder's page.
    fn file(&mut self, id: FileId, mut scan: Scan, imported: &FxHashSet<String>, stands_for_folder: bool) {
        let path = self.files.path(id);
        let written = stem(path);
        let placed = scan.placed.take().unwrap_or_default();
        let Some(place) = self.place(written, &placed) else { return };
        let fragments = std::mem::take(&mut scan.fragments);
        self.inventory.fragments.extend(fragments.into_iter().map(|target| (id, target)));
        let is_part = !self.is_listed(written) && (is_snippet(path) || imported.contains(&tree::folded(path)));
        if self.is_left_out(path, &scan, &placed, is_part) {
            if is_part {
                self.tell_encoding(&mut scan);
            }
            return;
        }
        if scan.is_draft {
            self.inventory.drafts.push(id);
            return;
        }
        self.inventory.problems.append(&mut scan.problems);
        if !self.readers.may_see(&scan.meta.groups) {
            self.inventory.grouped.insert(written.to_owned());
            return;
        }
        if let Some(target) = scan.meta.url.take() {
            self.inventory.url_pages.insert(written.to_owned(), UrlPage { target, meta: *scan.meta });
            return;
        }
        let is_index = stands_for_folder && placed.address.is_none();
        let slug = if is_index { with_name(&place, "index") } else { place.clone().into_owned() };
        scan.dialect = placed.dialect;
        self.add_names(&slug, place.into_owned(), written, *placed, scan.address.take());
        let page = self.page(id, slug, scan);
        self.insert(page, path);
    }

    /// Whether a file is no page of its own. `is_part`: others import it, or its folder says so, and the navigation does
    /// not name it.
    fn is_left_out(&self, path: &str, scan: &Scan, placed: &scan::Placed, is_part: bool) -> bool {
        match self.kind {
            // Markdown knows no imports: a folder of that name holds pages
            ConfigKind::Plain if placed.address.is_some() => placed.is_part,
            ConfigKind::Plain => {
                placed.is_part
                    || is_partial(path)
                    || is_part && self.dialect(path, scan) == Dialect::Mdx
                    || is_of_repository(path) && !self.is_listed(stem(path))
            }
            _ => is_part || (!self.is_listed(stem(path)) && page_only_in_navigation(path)),
        }
    }

    /// Adds the other names of a page: where it would be, where its file is, and what its front matter and its tool call
    /// it.
    fn add_names(&mut self, slug: &str, place: String, written: &str, placed: scan::Placed, address: Option<String>) {
        let Inventory { aliases, redirects, .. } = &mut self.inventory;
        let mut add = |name: String| aliases.push((name, slug.to_owned()));
        if slug != place && written != place {
            add(place);
        }
        if slug != written {
            add(written.to_owned());
        }
        placed.aliases.into_iter().for_each(&mut add);
        redirects.extend(placed.redirects.into_iter().map(|from| (from, slug.to_owned())));
        if let Some(address) = address {
            let from = if address.starts_with('/') { "" } else { tree::folder(written) };
            tree::join_document_path(from, &address).into_iter().for_each(&mut add);
        }
    }

    /// The address of a file; `None` if it is no page of the project.
    fn place<'p>(&self, written: &'p str, placed: &scan::Placed) -> Option<Cow<'p, str>> {
        let Some(project) = self.project else { return Some(Cow::Borrowed(written)) };
        if let Some(address) = &placed.address {
            return Some(Cow::Owned(address.clone()));
        }
        let mounts = &project.layout().mounts;
        if mounts.is_empty() {
            Some(Cow::Borrowed(written))
        } else {
            tool::mounted_address(mounts, written).map(Cow::Owned)
        }
    }

    /// Says once which drafts are left out.
    fn tell_drafts(&mut self) {
        const MAX_SHOWN_ENDINGS: usize = 5;
        let drafts = &self.inventory.drafts;
        let Some(first) = drafts.first() else { return };
        let mut names = list_in_backticks(drafts.iter().take(MAX_SHOWN_ENDINGS).map(|id| self.files.path(*id)));
        if drafts.len() > MAX_SHOWN_ENDINGS {
            names.push_str(" …");
        }
        let message = if drafts.len() == 1 {
            format!("{names} is left out: it is a draft")
        } else {
            format!("{} drafts are left out: {names}", drafts.len())
        };
        let hint = "remove `draft: true` or `published: false` from their front matter to publish them";
        self.inventory
            .problems
            .push(Diagnostic::new("page-draft", message).at(self.files.path(*first), 0, 0).hint(hint));
    }

    /// Says which pages get another name than that of their file.
    fn tell_changed_names(&mut self) {
        for page in &self.inventory.pages {
            let (Some(name), Some(file)) = (changed_name(&page.slug), page.file) else { continue };
            let hint = "links, and hosts that support redirects, lead from the old name to the new one; rename the file to have one name everywhere";
            self.inventory
                .problems
                .push(changed_names(&page.slug, &name, 1).at(self.files.path(file), 0, 0).hint(hint));
        }
    }

    /// Whether the navigation names the page, or the folder whose index it is.
    fn is_listed(&self, written: &str) -> bool {
        self.listed.contains(written)
            || written.strip_suffix("/index").is_some_and(|folder| self.listed.contains(folder))
    }

    /// What lies beside a configuration of Docusaurus, as a README, is not part of its site.
    fn dialect(&self, path: &str, scan: &Scan) -> Dialect {
        if let Some(dialect) = scan.dialect {
            return dialect;
        }
        let is_mdx = self.kind != ConfigKind::Plain || scan.is_mdx || has_extension(path, &["mdx"]);
        let is_of_docusaurus = || {
            self.docusaurus
                .iter()
                .any(|folder| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.contains('/')))
        };
        if is_mdx || is_of_docusaurus() { Dialect::Mdx } else { Dialect::Markdown }
    }

    fn page(&self, id: FileId, slug: String, scan: Scan) -> PageEntry {
        let dialect = self.dialect(self.files.path(id), &scan);
        let mut meta = scan.meta;
        if self.kind == ConfigKind::Plain {
            complete_plain_meta(&mut meta);
        }
        let heading =
            scan.heading.filter(|_| self.kind == ConfigKind::Plain || !meta.title_given).map(|mut heading| {
                heading.text = into_printable(heading.text);
                heading
            });
        let title_in_body = self.enter_title(&mut meta, heading, &slug);
        PageEntry {
            slug,
            file: Some(id),
            dialect,
            body_offset: scan.body_offset,
            body_line: scan.body_line,
            meta,
            title_in_body,
            endpoint: scan.endpoint,
            preface: None,
            in_navigation: false,
            hidden: false,
            visibility: Visibility::default(),
        }
    }

    /// Enters the title, if the page has none of its own; whether it is that of a heading in the body.
    fn enter_title(&self, meta: &mut FrontMatter, heading: Option<Heading>, slug: &str) -> bool {
        let is_title = |heading: &Heading| {
            heading.level == 1 && (!meta.title_given || heading.is_first || says_same(&meta.title, &heading.text))
        };
        let title_in_body = heading.as_ref().is_some_and(is_title);
        if meta.title_given {
            // other tools show no title above a page that begins with one
            meta.heading = heading
                .map(|heading| heading.text)
                .filter(|text| title_in_body && *text != meta.title)
                .or(meta.heading.take());
        } else {
            meta.title_given = heading.is_some();
            meta.title_of_part = !title_in_body;
            meta.title = heading.map_or_else(|| derived_title(slug, self.kind), |heading| heading.text);
        }
        title_in_body
    }

    /// Adds a page under a name that no other has. `.mdx` takes the place of `.md`. Of names that one bundle cannot
    /// hold both, the page that the navigation lists keeps its own, else the first; the other gets a number.
    fn insert(&mut self, page: PageEntry, path: &str) {
        let other = match self.taken.entry(collision_key(&page.slug)) {
            Entry::Occupied(other) => *other.get(),
            Entry::Vacant(free) => {
                free.insert(self.inventory.pages.len());
                return self.inventory.pages.push(page);
            }
        };
        let files = self.files;
        let other_path = self.inventory.pages[other].file.map_or("", |id| files.path(id));
        if self.inventory.pages[other].slug == page.slug {
            let (retained, dropped) = if path.ends_with(".mdx") { (path, other_path) } else { (other_path, path) };
            let message = format!("`{dropped}` is left out: `{retained}` is the same page");
            self.inventory
                .problems
                .push(Diagnostic::new("page-repeated", message).at(dropped, 0, 0).hint("remove one of the two files"));
            if path.ends_with(".mdx") {
                self.inventory.pages[other] = page;
            }
            return;
        }
        let mut moved = self.inventory.pages.len();
        let (mut path, mut other_path) = (path, other_path);
        if self.listed.contains(&page.slug) && !self.listed.contains(&self.inventory.pages[other].slug) {
            self.taken.insert(collision_key(&page.slug), moved);
            (moved, path, other_path) = (other, other_path, path);
        }
        self.inventory.pages.push(page);
        self.number(moved, path, other_path);
    }

    /// Gives a page a name with a number, as its own is that of another page.
    fn number(&mut self, index: usize, path: &str, other_path: &str) {
        let written = self.inventory.pages[index].slug.clone();
        let safe = changed_name(&written).unwrap_or_else(|| written.clone());
        let numbered = (2..)
            .map(|number| format!("{safe}-{number}"))
            .find(|slug| !self.taken.contains_key(&collision_key(slug)))
            .unwrap_or_else(|| safe.clone());
        let message = format!(
            "`{path}` becomes `{numbered}`: its name differs from `{other_path}` only by case or by characters that file names cannot hold"
        );
        self.inventory
            .problems
            .push(Diagnostic::new("page-name", message).at(path, 0, 0).hint("rename one of the two files"));
        self.taken.insert(collision_key(&numbered), index);
        self.inventory.aliases.push((written, numbered.clone()));
        self.inventory.pages[index].slug = numbered;
    }
}

/// The name that the file of a page gets because some systems could not hold its own; `None` where it keeps that.
pub fn changed_name(slug: &str) -> Option<String> {
    let file = BundlePath::sanitize(&format!("{slug}.html"));
    let name = file.as_str().strip_suffix(".html")?;
    (name != tree::composed(slug)).then(|| name.to_owned())
}

/// What is said of names that were changed: the first of them, as written and as they are now, and how many there are.
pub fn changed_names(written: &str, name: &str, count: usize) -> Diagnostic {
    let others = match count {
        0 | 1 => String::new(),
        2 => " (and another one)".to_owned(),
        _ => format!(" (and {} others)", count - 1),
    };
    let written: String =
        written.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    let message =
        format!("the page `/{written}` becomes `/{name}`{others}: not every system can hold a file of that name");
    Diagnostic::new("page-name", message)
}

/// What two page names may not share in a bundle.
pub fn collision_key(slug: &str) -> String {
    if slug.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_')) {
        return slug.to_ascii_lowercase();
    }
    BundlePath::sanitize(slug).collision_key()
}

/// Reads every text once. Ignored files count too: what they import is no page.
pub fn scan_texts(
    files: &SourceTree,
    kind: ConfigKind,
    variables: &Variables,
    project: Option<&dyn Project>,
) -> ScannedFiles {
    let is_read = |path: &str| is_text_path(path) || is_page_file(path, project);
    let texts: Vec<FileId> = files.iter().filter(|(_, file)| is_read(&file.path)).map(|(id, _)| id).collect();
    let look = ScanSettings { files, kind, variables, project };
    let scan = |buffer: &mut Vec<u8>, id| {
        let scan = catch_panic(|| scan_one(&look, id, buffer));
        (id, scan.unwrap_or_else(|| Err(file_failed(files.path(id), LEFT_OUT))).map(Box::new))
    };
    let scans: Vec<(FileId, Result<Box<Scan>, Diagnostic>)> = texts.into_par_iter().map_init(Vec::new, scan).collect();
    let mut scanned = ScannedFiles { scans: Vec::with_capacity(scans.len()), problems: Vec::new() };
    for (id, scan) in scans {
        match scan {
            Ok(scan) => scanned.scans.push((id, scan)),
            Err(_) if files.file(id).ignored => {}
            Err(problem) => scanned.problems.push(problem),
        }
    }
    let held = scanned.scans.iter().map(|(id, scan)| (*id, scan.foreign.as_slice()));
    scanned.problems.extend(tell_foreign_syntax(files, held));
    scanned
}

/// Whether a text still says what a load took from it; what else has changed in it concerns only its own page.
pub fn is_as_loaded(site: &Site, file: FileId) -> bool {
    let look = ScanSettings {
        files: &site.tree,
        kind: site.kind,
        variables: &site.config.variables,
        project: site.project.as_deref(),
    };
    let facts = scan_one(&look, file, &mut Vec::new()).ok().map(|scan| scan.facts());
    facts.is_some() && facts.as_ref() == site.facts.get(&file)
}

/// What decides how a text is scanned.
struct ScanSettings<'a> {
    files: &'a SourceTree,
    kind: ConfigKind,
    variables: &'a Variables,
    project: Option<&'a dyn Project>,
}

fn scan_one(look: &ScanSettings<'_>, id: FileId, buffer: &mut Vec<u8>) -> Result<Scan, Diagnostic> {
    let ScanSettings { files, kind, variables, project } = *look;
    let path = files.path(id);
    files.read_into(id, PAGE_BYTES, buffer).map_err(|error| {
        let message = format!("`{path}` is left out: {error}");
        Diagnostic::new("unreadable-file", message).at(path, 0, 0)
    })?;
    let (text, encoding) = decode_text(buffer);
    let text = with_line_feeds(text);
    let mut scan = if is_page_file(path, project) {
        scan_markdown(&text, path, kind == ConfigKind::Plain, variables, project)
    } else {
        scan_script(&text)
    };
    scan.problems.extend(encoding.problem(path));
    Ok(scan)
}

/// The files that imports lead to: as written, then with the usual endings, then without regard to case.
fn imported_files(files: &SourceTree, scans: &[(FileId, Box<Scan>)]) -> FxHashSet<FileId> {
    let mut imported = FxHashSet::default();
    for (id, scan) in scans {
        imported.extend(
            scan.imports
                .iter()
                .filter_map(|name| resolve_import(files, files.path(*id), name))
                .filter(|target| target != id),
        );
    }
    imported
}

/// The file that a module name in the file `from` means: `/a`, `@/a`, `./a` and `../a` are files of the site, and so is
/// `folder/a.mdx` where there is one, seen from the root. Other names are packages.
pub fn resolve_import(files: &SourceTree, from: &str, name: &str) -> Option<FileId> {
    let name = name.strip_prefix('@').filter(|rest| rest.starts_with('/')).unwrap_or(name);
    if let Some(path) = name.strip_prefix("@site/") {
        // Docusaurus' name of the folder that its configuration is in, which is one of those around the page
        let folders = tree::folders_to(tree::folder(from)).chain([""]);
        return folders
            .filter_map(|folder| tree::join_document_path("", &format!("{folder}/{path}")))
            .find_map(|path| find_module(files, &path));
    }
    if !name.starts_with(['/', '.']) {
        return Some(name)
            .filter(|name| name.contains('/') && is_text_path(name))
            .and_then(|name| files.find_any(name));
    }
    find_module(files, &tree::join_document_path(tree::folder(from), name)?)
}

/// The file that a path means, as written, with one of the usual endings, or but for case.
fn find_module(files: &SourceTree, path: &str) -> Option<FileId> {
    const ENDINGS: [&str; 5] = ["", ".mdx", ".jsx", ".tsx", ".md"];
    let mut candidates = ENDINGS.map(|ending| format!("{path}{ending}")).into_iter();
    let exact = candidates.clone().find_map(|path| files.find_any(&path));
    exact.or_else(|| candidates.find_map(|path| files.find_folded(&path)))
}

/// In a plain folder: the files called `README` or `Index` that are their folder's page, because it has no `index`.
fn plain_index_files(files: &SourceTree, kind: ConfigKind) -> FxHashSet<FileId> {
    let mut chosen: FxHashMap<&str, (u8, FileId)> = FxHashMap::default();
    if kind != ConfigKind::Plain {
        return FxHashSet::default();
    }
    for (id, file) in files.iter().filter(|(_, file)| !file.ignored && is_markdown(&file.path)) {
        let name = stem(&file.path).rsplit('/').next().unwrap_or_default();
        let rank = match name {
            "index" => 2,
            // Hugo's
            "_index" => 1,
            _ if name.eq_ignore_ascii_case("index") => 1,
            _ if name.eq_ignore_ascii_case("readme") => 0,
            _ => continue,
        };
        let entry = chosen.entry(tree::folder(&file.path)).or_insert((rank, id));
        if rank > entry.0 {
            *entry = (rank, id);
        }
    }
    chosen.into_values().filter(|(rank, _)| *rank < 2).map(|(_, id)| id).collect()
}

/// Gives a page of a plain folder the label that other tools know, and what its hero says.
fn complete_plain_meta(meta: &mut FrontMatter) {
    meta.sidebar_title = meta.sidebar_title.take().or_else(|| meta.label.take());
    if let Some(hero) = &mut meta.hero {
        let lead = || hero.lead.clone().or_else(|| hero.tagline.clone());
        meta.description = meta.description.take().or_else(|| lead().map(Description::new));
        if let Some(name) = hero.name.take().filter(|_| !meta.title_given) {
            (meta.title, meta.title_given) = (name, true);
        }
    }
}

/// A title for a page without one.
fn derived_title(slug: &str, kind: ConfigKind) -> String {
    let folder = tree::folder(slug);
    match (kind, slug.rsplit('/').next()) {
        // a folder's page is called after the folder
        (ConfigKind::Plain, Some("index")) if !folder.is_empty() => title_of_slug(without_number(folder)),
        (ConfigKind::Plain, _) => title_of_slug(without_number(slug)),
        _ => title_of_slug(slug),
    }
}

/// `_install.md`: a part of other pages, in Docusaurus and elsewhere. `_index.md` is the page of its folder.
fn is_partial(path: &str) -> bool {
    let name = stem(path).rsplit('/').next().unwrap_or_default();
    name.starts_with('_') && name != "_index"
}

/// Whether a file may be a page: Markdown, or what the tool of a project takes for one.
fn is_page_file(path: &str, project: Option<&dyn Project>) -> bool {
    is_markdown(path)
        || project.is_some_and(|project| {
            has_extension(path, project.page_extensions())
                && tool::mounted_address(&project.layout().mounts, path).is_some()
        })
}

/// Markdown, or a script that Markdown imports.
pub fn is_text_path(path: &str) -> bool {
    is_markdown(path) || is_script(path)
}

fn is_script(path: &str) -> bool {
    has_extension(path, &["jsx", "tsx"])
}

/// A path without its extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// A path with another last segment.
fn with_name(path: &str, name: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}

/// Whether a title and a heading say the same, whatever marks one of them has: code, emphasis, entities.
fn says_same(title: &str, heading: &str) -> bool {
    let plain = |text: &str| -> String {
        let text = text.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "").replace("&quot;", "");
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    title == heading || (plain(title) == plain(heading) && title.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_find_files() {
        let file = |path: &str| tree::SourceFile { path: path.to_owned(), size: 0, ignored: false };
        let files = SourceTree::of_files(
            base::contents::Contents::default(),
            ["a/b.mdx", "snippets/Card.jsx", "x.md"].map(file).to_vec(),
        );
        let find = |from: &str, name: &str| resolve_import(&files, from, name).map(|id| files.path(id).to_owned());
        assert_eq!(find("a/z.mdx", "./b").as_deref(), Some("a/b.mdx"));
        assert_eq!(find("a/z.mdx", "../snippets/card.jsx").as_deref(), Some("snippets/Card.jsx"));
        assert_eq!(find("a/z.mdx", "/x").as_deref(), Some("x.md"));
        assert_eq!(find("a/z.mdx", "@/snippets/Card").as_deref(), Some("snippets/Card.jsx"));
        assert_eq!(find("a/z.mdx", "@scope/x"), None);
        assert_eq!(find("a/z.mdx", "@site/b.mdx").as_deref(), Some("a/b.mdx"));
        assert_eq!(find("a/z.mdx", "@site/snippets/Card").as_deref(), Some("snippets/Card.jsx"));
        assert_eq!(find("a/z.mdx", "react"), None);
        assert_eq!(find("a/z.mdx", "snippets/Card.jsx").as_deref(), Some("snippets/Card.jsx"));
        assert_eq!(find("a/z.mdx", "snippets/Card"), None, "as a package would be named");
        assert_eq!(find("a/z.mdx", "../../x.md"), None);
    }

    #[test]
    fn names_collide_without_regard_to_case_and_unsafe_characters() {
        assert_eq!(collision_key("A/b"), collision_key("a/B"));
        assert_eq!(collision_key("a?b"), collision_key("A-b"));
        assert_ne!(collision_key("a/b"), collision_key("a-b"));
    }
}
