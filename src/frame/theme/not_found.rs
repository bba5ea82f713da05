//! `404.html`: hosts serve it at any depth, so it needs no other file and knows no relative address.
//!
//! Its links name files from the root of the bundle (`data-to`), and a script of a few lines makes addresses of them
//! where the root is known: servers of this program say how far up it is (`data-root`, see [`rooted`]); the page's own
//! address says it if that ends in `/404.html`; and pages of the site leave it in the browser's storage, which counts
//! where it is the beginning of the missing address. Nothing is guessed and no request is sent. With `--domain`,
//! links also have whole addresses for readers without scripts. `errors.404.redirect` (to the home page) therefore is a
//! link: in a bundle that moves, an automatic one could lead anywhere.

use tera::Context;

use super::fragment::{clean_fragment, safe};
use super::language::is_rtl;
use super::search::Button;
use super::{SiteTheme, files, policy, template_failed};
use base::cut::SliceText as _;
use base::html;
use site::config::ColorScheme;
use templates::words;

/// The script that finds the root of the site.
const SCRIPT: &str = templates::text("js/not_found/missing.js");
/// Where a server says how far up the root is.
const ROOT: &str = " data-root=\"\"";
/// What begins the address of a link into the site, before its file and the whole address, which may be empty:
/// `offprint-root:guides/a.html|https://…`.
pub const INSIDE: &str = "offprint-root:";

/// What the page shows beside its words.
#[derive(Clone, Debug, Default)]
pub struct Missing {
    /// What the author says there: HTML that needs no other file. Links into the site begin with [`INSIDE`].
    pub description: String,
    /// The site's logo in light and in dark, as `data:` addresses; empty without one.
    pub logo: (String, String),
}

/// Renders the page.
pub(super) fn render_not_found(theme: &SiteTheme<'_>, page: &Missing) -> String {
    let config = theme.source.config();
    let home = theme.source.navigation.home;
    let branch = home.and_then(|page| theme.structure.spots.get(page.0 as usize)).map_or(0, |spot| spot.branch);
    let lang = theme.chromes[branch as usize].lang.as_str();
    let own = &config.not_found;
    let words = &words::for_language(lang).frame;
    let (light, dark) = &page.logo;
    let (logo, logo_dark) = match config.appearance.default {
        ColorScheme::System if light != dark => (light.as_str(), dark.as_str()),
        ColorScheme::Dark => (dark.as_str(), ""),
        _ => (light.as_str(), ""),
    };
    let mut context = Context::new();
    context.insert("lang", lang);
    context.insert("rtl", &is_rtl(lang));
    context.insert("name", &config.name);
    context.insert("site_id", &*clean_fragment(&theme.source.options.site_id));
    context.insert("logo", logo);
    context.insert("logo_dark", logo_dark);
    context.insert("title", own.title.as_deref().filter(|title| !title.is_empty()).unwrap_or(words.not_found));
    context.insert_value("description", safe(&with_targets(&page.description)));
    context.insert("home", &theme.base_url);
    context.insert("back", words::for_language(lang).actions.back);
    // the start page searches for what is asked here
    let search = theme.search.button(branch as usize).map(Button::prompt);
    context.insert("search", &search);
    context.insert("search_word", words::for_language(lang).search.search);
    context.insert_value("policy", safe(&policy::of_files(theme.source.options.reach)));
    context.insert("w", words);
    context.insert_value("style", safe(&files::inline_style(&theme.source)));
    context.insert_value("script", safe(SCRIPT.trim_end()));
    theme.tera.render("not_found.html", &context).unwrap_or_else(|error| template_failed(&theme.source, &error))
}

/// Links into the site, as the script finds them: the file, and the whole address where it is known.
fn with_targets(description: &str) -> String {
    let start = format!("href=\"{INSIDE}");
    let mut out = String::with_capacity(description.len());
    let mut rest = description;
    while let Some((before, after)) = rest.split_once(start.as_str()) {
        let (target, tail) = after.split_once('"').unwrap_or((after, ""));
        let (file, whole) = target.split_once('|').unwrap_or((target, ""));
        out.extend([before, "data-to=\"", file, "\""]);
        if !whole.is_empty() {
            out.extend([" href=\"", whole, "\""]);
        }
        rest = tail;
    }
    out + rest
}

/// The page as the answer to a request for a path, which is still encoded: says how far up the root is, whatever stands
/// before it on the way to the reader. `None` for a page that has no place for it.
pub fn rooted(page: &str, path: &str) -> Option<String> {
    let depth = path.strip_prefix('/').unwrap_or(path).matches('/').count();
    let root = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
    let at = page
        .find(ROOT)
        .filter(|at| page.slice(..*at).rfind('<').is_some_and(|tag| page.slice(tag..).starts_with("<html")))?;
    Some([page.slice(..at), " data-root=\"", &html::attr(&root), "\"", page.slice(at + ROOT.len()..)].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_as_far_up_as_the_address_is_deep() {
        let page = "<!doctype html>\n<html lang=\"en\" data-root=\"\" data-site=\"x\">\n<p data-root=\"\">";
        for (path, root) in
            [("/gone", "./"), ("/", "./"), ("/a/gone", "../"), ("/a%2Fb/c/", "../../"), ("/a//b", "../../")]
        {
            let expect =
                format!("<!doctype html>\n<html lang=\"en\" data-root=\"{root}\" data-site=\"x\">\n<p data-root=\"\">");
            assert_eq!(rooted(page, path), Some(expect), "{path}");
        }
        assert_eq!(rooted("<!doctype html>\n<html lang=\"en\">\n<p data-root=\"\">", "/a"), None);
    }

    #[test]
    fn links_into_the_site_have_both_addresses() {
        let html = "<a href=\"offprint-root:a/b.html#c|https://d.e/a/b#c\">x</a> <a href=\"offprint-root:f.html|\" class=\"y\">z</a> <a href=\"https://g.h\">i</a>";
        let expect = "<a data-to=\"a/b.html#c\" href=\"https://d.e/a/b#c\">x</a> <a data-to=\"f.html\" class=\"y\">z</a> <a href=\"https://g.h\">i</a>";
        assert_eq!(with_targets(html), expect);
    }
}
