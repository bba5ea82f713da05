//! Name, colors and links of a book, and its former addresses.

use crate::web;
use base::Description;
use base::cut::cut;
use load::tool::path_in_source_root;
use site::config::{Appearance, ColorScheme, Config, Feedback, NavbarLink, Redirect};
use site::tree::{self, SourceTree};
use site::values::Pair;

use super::BookSource;

/// The color of links in the light and the dark theme.
const COLORS: [&str; 2] = ["#20609f", "#2b79a2"];

/// Enters what `book.toml` says.
pub(super) fn configure_mdbook(book: &BookSource, config: &mut Config, tree: &SourceTree) {
    let settings = &book.settings;
    if let Some(title) = &settings.title {
        config.name.clone_from(title);
    }
    config.description = settings.description.clone().map(Description::new);
    web::set_colors(&mut config.colors, &(None, None), COLORS);
    // a light theme gives way to a dark one where readers prefer that
    if let Some("coal" | "navy" | "ayu") = settings.default_theme.as_deref() {
        config.appearance = Appearance { default: ColorScheme::Dark, ..config.appearance };
    }
    let icon = ["favicon.svg", "favicon.png"].iter().find_map(|name| {
        path_in_source_root(&book.root, &format!("{}/{name}", settings.theme)).filter(|path| tree.find(path).is_some())
    });
    config.favicon = icon.map(|path| Pair { light: format!("/{path}"), dark: format!("/{path}") });
    if let Some(address) = &settings.repository {
        configure_mdbook_repository(address, settings.repository_icon.as_deref().unwrap_or_default(), config);
    }
    if let Some(feedback) = settings.edit.as_deref().and_then(|template| edit(template, &book.root)) {
        config.feedback = feedback;
    }
    let mut redirects: Vec<Redirect> = settings.redirects.iter().filter_map(|(from, to)| redirect(from, to)).collect();
    redirects.sort_by(|a, b| a.source.cmp(&b.source));
    config.redirects.extend(redirects);
    if settings.has_print_page && book.chapters.of_file(&format!("{}/print.md", book.pages)).is_none() {
        let (source, destination) = ("/print".to_owned(), "/".to_owned());
        config.redirects.push(Redirect { source, destination, permanent: false });
    }
}

/// The link to the repository in the top bar, and the one below the pages.
fn configure_mdbook_repository(address: &str, icon: &str, config: &mut Config) {
    let name = icon.rsplit("fa-").next().unwrap_or_default();
    let platform = web::platform(name, address);
    let (label, kind) = if platform == "github" { ("GitHub", Some("github")) } else { ("Repository", None) };
    config.navbar.links.push(NavbarLink {
        label: label.to_owned(),
        href: address.to_owned(),
        icon: None,
        kind: kind.map(str::to_owned),
    });
    if platform != "website" {
        web::add_social(config, name, address);
    }
}

/// Where pages are changed: `https://github.com/a/b/edit/main/guide/{path}`.
fn edit(template: &str, root: &str) -> Option<Feedback> {
    let (address, _) = template.split_once("{path}")?;
    web::edit_link_feedback(address, root)
}

/// A former address. Those of parts of pages are for scripts.
fn redirect(from: &str, to: &str) -> Option<Redirect> {
    if from.contains('#') {
        return None;
    }
    let from = from.trim_start_matches('/');
    let bare = |path: &str| {
        let (path, part) = path.find('#').map_or((path, ""), |at| cut(path, at));
        let path = path.strip_suffix(".html").unwrap_or(path);
        format!(
            "{}{part}",
            path.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(path)
        )
    };
    let destination = if to.contains("://") {
        to.to_owned()
    } else {
        let folder = if to.starts_with('/') { "" } else { tree::folder(from) };
        format!("/{}", bare(&path_in_source_root(folder, to)?))
    };
    let source = format!("/{}", bare(from).trim_end_matches('/'));
    Some(Redirect { source, destination, permanent: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_of_pages() {
        let of = |from: &str, to: &str| redirect(from, to).map(|it| (it.source, it.destination));
        let pair = |from: &str, to: &str| Some((from.to_owned(), to.to_owned()));
        assert_eq!(of("/a/b.html", "../c.html#d"), pair("/a/b", "/c#d"));
        assert_eq!(of("a/index.html", "/c/index.html"), pair("/a", "/c/"));
        assert_eq!(of("/x.html", "https://y.z/w.html"), pair("/x", "https://y.z/w.html"));
        assert_eq!(of("/x.html#y", "z.html"), None);
    }

    #[test]
    fn pages_are_changed_in_the_repository() {
        let found = edit("https://github.com/a/b/edit/main/guide/{path}", "guide").expect("an address");
        assert_eq!((found.repository.as_deref(), found.directory), (Some("https://github.com/a/b"), None));
        let found = edit("https://github.com/a/b/edit/main/guide/{path}", "").expect("an address");
        assert_eq!(found.directory.as_deref(), Some("guide"));
    }
}
