//! The content of one page: read, parsed, expanded, rendered.

use std::borrow::Cow;

use base::lines::with_line_feeds;
use base::printable::printable;
use base::seams::push_with_seams;
use base::short_text::has_html;
use base::source_text::into_text;
use base::{Description, Diagnostic, FileId, PageId, Place, Problem, limits};
use frame::link::PageLinks;
use frame::theme::Related;
use load::Site;
use markup::expand::{Alive, Expanded, expand_document, expand_still};
use markup::foreign::adapt_foreign_components;
use markup::tree::Node;
use reference::{ReferencePages, by_hand};
use render::{Kit, PageResolver, Renderer};
use site::ConfigKind;
use site::include::{IncludeSource, SiteFiles};
use site::page::PageMode;
use site::page::{Dialect, PageEntry, Preface};
use site::problems::line_column;
use templates::words::Words;

use super::hero;
use super::rewriting::{join_source_lines, punctuation, rewrite_page_text};
use super::snippets::Snippets;

/// A page's content, before its frame.
pub(super) struct PageContent {
    pub(super) page: render::RenderedPage,
    pub(super) title_html: String,
    pub(super) description_html: Option<String>,
    pub(super) related: Vec<Related>,
    /// The expanded document.
    pub(super) nodes: Vec<Node>,
    pub(super) alive: Alive,
    /// The text of its file; empty if it has none.
    pub(super) source: String,
}

/// Reads and renders the content of a page.
///
/// Errors name why there is nothing to show.
pub(super) fn page_content(
    site: &Site,
    page: PageId,
    kit: &Kit,
    links: &PageLinks<'_>,
    snippets: &Snippets<'_>,
    references: &dyn ReferencePages,
    words: &'static Words,
) -> Result<PageContent, String> {
    let entry = site.page(page);
    let PageTree { mut nodes, mut problems, mut alive, source } = match entry.file {
        None => PageTree::default(),
        Some(file) => parse_page_document(site, entry, file, snippets)?,
    };
    if site.kind == ConfigKind::Plain {
        adapt_foreign_components(&mut nodes);
    }
    if let Some(preface) = &entry.preface {
        let (before, found) = self::preface(preface, &mut alive, site, snippets);
        nodes.splice(..0, before);
        problems.splice(..0, found.into_iter().map(|problem| site.tree.diagnostic(problem)));
    }
    if let Some(hero) = &entry.meta.hero {
        nodes.splice(..0, hero::nodes(hero, shown_description(site, entry)));
    }
    let mut title_html = String::new();
    push_with_seams(&mut title_html, entry.shown_title(), "<wbr>");
    let described = shown_description(site, entry).map(|text| {
        // most descriptions have nothing that could be wrong, and are not looked for
        let place = if text.contains(['[', '<']) { place_of_description(site, page, text, references) } else { None };
        description_html(kit, links, text, place)
    });
    let (description_html, mut of_description) = described.unzip();
    let mut renderer = Renderer::new(kit, links);
    renderer.words = &words.content;
    renderer.mode = entry.meta.mode;
    renderer.title = entry.shown_title().to_owned();
    renderer.title_in_body = entry.title_in_body;
    renderer.is_plain = site.kind == ConfigKind::Plain;
    renderer.ids.rule = site.heading_ids();
    renderer.heading_ids = !matches!(entry.meta.mode, PageMode::Custom | PageMode::Frame);
    let mut has_reference = false;
    let mut rendered = renderer.document_with(&nodes, |renderer| {
        has_reference = references.write(page, renderer, entry.meta.description.is_some(), words);
    });
    // `openapi` names the line of its description
    let by_hand = entry.endpoint.as_ref().filter(|endpoint| entry.file.is_some() && endpoint.line == 0);
    if let Some(endpoint) = by_hand.filter(|_| !has_reference) {
        by_hand::add_operation(&mut rendered, &site.config.api, &entry.meta, endpoint, words);
    }
    rendered.is_open = problems.iter().any(|problem| matches!(problem.code, "reference-unread" | "include-unread"));
    rendered.diagnostics.retain(|diagnostic| !is_told_component(diagnostic, &problems));
    rendered.diagnostics.extend(problems);
    rendered.diagnostics.extend(of_description.take().unwrap_or_default());
    if let Some(preface) = &entry.preface {
        rendered
            .diagnostics
            .iter_mut()
            .filter(|problem| problem.file == site.tree.path(preface.file))
            .for_each(|problem| put_into(preface, problem));
    }
    if alive.is_empty() && !has_reference && is_empty_page(site, entry, &rendered.html) {
        let message = "the page shows no words";
        let hint = "a theme or a program makes what it shows; write that as Markdown";
        let problem = Diagnostic::new("page-empty", message.to_owned()).hint(hint);
        let path = entry.file.map(|file| site.tree.path(file)).unwrap_or_default();
        rendered.diagnostics.push(problem.at(path, entry.body_line, 1));
    }
    let related = related(site, entry, links, &mut rendered.diagnostics);
    Ok(PageContent { page: rendered, title_html, description_html, related, nodes, alive, source })
}

/// Whether a page of another tool's repository shows nothing, although its file has text or it is the start page.
fn is_empty_page(site: &Site, entry: &PageEntry, html: &str) -> bool {
    const SHOWN: [&str; 9] = ["<img", "<svg", "<video", "<audio", "<iframe", "<math", "<canvas", "<object", "<picture"];
    if site.project.is_none() || entry.file.is_none() || SHOWN.iter().any(|tag| html.contains(tag)) {
        return false;
    }
    let mut is_tag = false;
    let mut words = html.chars().filter(|c| {
        let is_text = !is_tag && *c != '<';
        is_tag = if *c == '<' { true } else { is_tag && *c != '>' };
        is_text && c.is_alphanumeric()
    });
    if words.next().is_some() {
        return false;
    }
    let text = entry.file.and_then(|file| site.tree.text(file)).unwrap_or_default();
    let body = text.get(entry.body_offset..).unwrap_or_default();
    let is_code = |line: &str| ["import ", "export ", "<!--", "{/*", "# "].iter().any(|start| line.starts_with(start));
    let has_text = body.lines().map(str::trim).any(|line| !line.is_empty() && !is_code(line));
    has_text || entry.slug == "index"
}

/// The description that stands below the title of a page. Some tools have it for search engines alone.
fn shown_description<'s>(site: &Site, entry: &'s PageEntry) -> Option<&'s str> {
    let is_shown = site.project.as_ref().is_none_or(|project| project.shows_descriptions());
    entry.meta.description.as_ref().map(Description::source).filter(|_| is_shown)
}

/// The text of a page as a tree.
#[derive(Default)]
struct PageTree {
    nodes: Vec<Node>,
    problems: Vec<Diagnostic>,
    alive: Alive,
    source: String,
}

/// Reads and parses the file of a page.
fn parse_page_document(
    site: &Site,
    entry: &PageEntry,
    file: FileId,
    snippets: &Snippets<'_>,
) -> Result<PageTree, String> {
    let bytes = site
        .tree
        .read_at_most(file, limits::PAGE_BYTES)
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    let text = with_line_feeds(into_text(bytes).into());
    let body = text.get(entry.body_offset..).unwrap_or_default();
    let body = printable(body);
    let body = if body.contains('\r') { Cow::Owned(body.replace("\r\n", "\n")) } else { body };
    let (lines, mut found) = rewrite_page_text(site, &entry.slug, (file, entry.body_line), &text, &body);
    let (nodes, problems, alive) = match entry.dialect {
        Dialect::Markdown => {
            let files = SiteFiles { tree: &site.tree, folders: &[] };
            let has_files = site.project.as_ref().is_some_and(|project| project.includes_files());
            let files: Option<&dyn IncludeSource> = if has_files { None } else { Some(&files) };
            let at = (file, entry.body_line);
            let document = markup::parse_markdown_with(&body, lines, at, files, punctuation(site, entry.dialect));
            found.extend(document.problems);
            (document.nodes, found, Alive::default())
        }
        Dialect::Mdx => {
            let body = lines.map_or(body, |lines| Cow::Owned(join_source_lines(lines)));
            let source = markup::prepare_mdx(&body, &site.config.variables, site.kind == ConfigKind::Plain)
                .with_punctuation(punctuation(site, entry.dialect));
            let Expanded { nodes, problems, alive, .. } = expanded(&source, file, entry.body_line, snippets);
            found.extend(problems);
            (nodes, found, alive)
        }
    };
    let problems = problems.into_iter().map(|problem| site.tree.diagnostic(problem)).collect();
    Ok(PageTree { nodes, problems, alive, source: text.into_owned() })
}

/// Whether what reads the texts of a tool has said already of a component that it is not known.
fn is_told_component(diagnostic: &Diagnostic, told: &[Diagnostic]) -> bool {
    const CODE: &str = "unknown-component";
    let name = |diagnostic: &Diagnostic| diagnostic.message.split('`').nth(1).map(str::to_owned);
    diagnostic.code == CODE && told.iter().any(|one| one.code == CODE && name(one) == name(diagnostic))
}

/// A text of MDX, expanded; without scripts if they take too long.
fn expanded(source: &markup::PreparedText<'_>, file: FileId, line: u32, snippets: &Snippets<'_>) -> Expanded {
    let expanded = expand_document(source.parse(file, line), file, snippets);
    if expanded.is_late { expand_still(source.parse(file, line), file, snippets) } else { expanded }
}

/// What an API description puts before the content of a page. Only one of the two texts can have islands: the
/// page's own.
fn preface(preface: &Preface, alive: &mut Alive, site: &Site, snippets: &Snippets<'_>) -> (Vec<Node>, Vec<Problem>) {
    let source = markup::prepare_mdx(&preface.text, &site.config.variables, false);
    let mut before = expanded(&source, preface.file, preface.line.max(1), snippets);
    if alive.is_empty() {
        *alive = before.alive;
    } else if !before.alive.is_empty() {
        before = expand_still(source.parse(preface.file, preface.line.max(1)), preface.file, snippets);
    }
    (before.nodes, before.problems)
}

/// Shows a problem of a text at its line in the description, whose columns the text does not know.
fn put_into(preface: &Preface, problem: &mut Diagnostic) {
    if problem.line > 0 && !preface.in_lines {
        problem.line = preface.line;
    }
    problem.column = 0;
}

/// The pages and addresses that a page's front matter calls related.
fn related(site: &Site, entry: &PageEntry, links: &PageLinks<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Related> {
    let listed = entry.meta.related.iter().flatten();
    let resolved = listed.map(|(title, target)| {
        // front matter names pages from the root
        let target = if target.contains(':') || target.starts_with(['/', '.', '#']) {
            target.clone()
        } else {
            format!("/{target}")
        };
        let known = diagnostics.len();
        let href = links.href(&target, Place::default(), diagnostics);
        for diagnostic in &mut diagnostics[known..] {
            (diagnostic.line, diagnostic.column) = place_in_front_matter(site, entry, target.trim_start_matches('/'));
        }
        let page = site.find_page(target.trim_matches('/')).map(|page| site.page(page).meta.title.clone());
        Related {
            title: title.clone().or(page).unwrap_or_else(|| target.trim_start_matches('/').to_owned()),
            url: href.url,
            external: href.external,
        }
    });
    resolved.filter(|related| !related.url.is_empty()).collect()
}

/// Line and column of words in the front matter of a page.
fn place_in_front_matter(site: &Site, entry: &PageEntry, words: &str) -> (u32, u32) {
    let text = entry.file.and_then(|file| site.tree.read_text(file, limits::PAGE_BYTES).ok()).unwrap_or_default();
    let at = text.get(..entry.body_offset).and_then(|front| front.find(words));
    at.map_or((0, 0), |at| line_column(&text, at))
}

/// A description; those of more than a paragraph, which API descriptions often have, are Markdown of their own and look
/// like the content of a page.
fn description_html(
    kit: &Kit,
    links: &PageLinks<'_>,
    text: &str,
    place: Option<PlaceOfDescription>,
) -> (String, Vec<Diagnostic>) {
    let PlaceOfDescription { place, in_lines, is_of_api } = place.unwrap_or_default();
    let mut renderer = Renderer::new(kit, links);
    let is_html = is_of_api && has_html(text);
    if !has_blocks(text.trim()) && !is_html {
        renderer.at_place(place, |renderer| renderer.inline_markdown(text, true));
        return (renderer.out, renderer.page.diagnostics);
    }
    renderer.heading_ids = false;
    let nodes = markup::parse_markdown(text.trim(), place.file, place.line).nodes;
    if !in_lines {
        renderer.fix_place(place);
    }
    let page = renderer.document(&nodes);
    (format!("<div class=\"prose\">{}</div>", page.html), page.diagnostics)
}

/// Where the description of a page stands.
#[derive(Clone, Copy, Default)]
struct PlaceOfDescription {
    place: Place,
    /// Its lines are lines of that file.
    in_lines: bool,
    /// The file is an API description.
    is_of_api: bool,
}

/// Where the description of a page stands: in its front matter, or in the API description that it is about.
fn place_of_description(
    site: &Site,
    page: PageId,
    text: &str,
    references: &dyn ReferencePages,
) -> Option<PlaceOfDescription> {
    let entry = site.page(page);
    let first = text.trim().lines().next().unwrap_or_default();
    let front = entry.file.map(|file| (file, place_in_front_matter(site, entry, first)));
    match front {
        Some((file, (line, column))) if line > 0 => {
            Some(PlaceOfDescription { place: Place { file, line, column }, ..PlaceOfDescription::default() })
        }
        _ => references.place_of_text(page, text).map(|(place, in_lines)| PlaceOfDescription {
            place,
            in_lines,
            is_of_api: true,
        }),
    }
}

/// Whether a description is more than one paragraph: an empty line, or a line that begins a list, a quotation, a
/// heading, code or a table.
fn has_blocks(text: &str) -> bool {
    let starts_block = |line: &str| {
        let line = line.trim_start();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        line.is_empty()
            || ["- ", "* ", "+ ", "> ", "# ", "## ", "### ", "```", "~~~", "|"]
                .iter()
                .any(|mark| line.starts_with(mark))
            || number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "))
    };
    text.contains('\n') && text.lines().any(starts_block)
}
