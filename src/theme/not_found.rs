//! `404.html`: hosts serve it at any depth, so it needs no other file and knows no relative address. `errors.404.redirect` (to the home
//! page) therefore is a link, and only where the site's address is known: in a bundle that moves, an automatic one could lead anywhere.

use tera::Context;

use super::fragment::safe;
use super::{Theme, files, template_failed, words};

/// Renders the page.
pub(super) fn render(theme: &Theme<'_>, description: &str) -> String {
    let config = theme.source.config();
    let lang = theme.source.navigation.home.and_then(|page| theme.structure.spots.get(page.0 as usize)).map_or(0, |spot| spot.branch);
    let lang = theme.chromes[lang as usize].lang.as_str();
    let own = &config.not_found;
    let home = &theme.base_url;
    let words = words::of(lang);
    let mut context = Context::new();
    context.insert("lang", lang);
    context.insert("rtl", &words::is_rtl(lang));
    context.insert("name", &config.name);
    context.insert("title", own.title.as_deref().filter(|title| !title.is_empty()).unwrap_or(words.not_found));
    context.insert_value("description", safe(description));
    context.insert("home", home);
    context.insert("w", &words);
    context.insert_value("style", safe(&files::inline_style(&theme.source)));
    theme.tera.render("not_found.html", &context).unwrap_or_else(|error| template_failed(&theme.source, &error))
}
