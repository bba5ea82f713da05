//! `sitemap.xml` and `robots.txt`.

use std::fmt::Write as _;

use rayon::prelude::*;

use base::html::escape_html_text;

use super::SiteContext;

/// Most addresses in one site map (sitemaps.org).
const MAX_SITE_MAP_ADDRESSES: usize = 50_000;

/// The site map: one file, or several and an index of them. Nothing if the site's address is not known: a site map
/// names whole addresses.
pub fn sitemap(source: &SiteContext<'_>) -> Vec<(String, String)> {
    if source.base.is_empty() {
        return Vec::new();
    }
    let entries: Vec<String> = source
        .pages(|page| page.visibility.sitemap)
        .into_par_iter()
        .map(|page| {
            let date = source.page(page).meta.last_updated.as_deref().filter(|date| is_date(date));
            let date = date.map(|date| format!("<lastmod>{}</lastmod>", escape_html_text(date))).unwrap_or_default();
            format!("<url><loc>{}</loc>{date}</url>\n", escape_html_text(&source.page_url(page)))
        })
        .collect();
    if entries.len() <= MAX_SITE_MAP_ADDRESSES {
        return vec![("sitemap.xml".to_owned(), xml_document("urlset", &entries.concat()))];
    }
    let mut files = Vec::new();
    let mut index = String::new();
    for (number, part) in entries.chunks(MAX_SITE_MAP_ADDRESSES).enumerate() {
        let name = format!("sitemap-{}.xml", number + 1);
        let _ = writeln!(index, "<sitemap><loc>{}</loc></sitemap>", escape_html_text(&source.file_url(&name)));
        files.push((name, xml_document("urlset", &part.concat())));
    }
    files.push(("sitemap.xml".to_owned(), xml_document("sitemapindex", &index)));
    files
}

fn xml_document(root: &str, content: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{content}</{root}>\n"
    )
}

/// A date as site maps need it: `2026-11-20`, perhaps with a time.
pub(super) fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits =
        |range: std::ops::Range<usize>| bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let day =
        digits(0..4) && bytes.get(4) == Some(&b'-') && digits(5..7) && bytes.get(7) == Some(&b'-') && digits(8..10);
    // a time needs its zone
    day && (bytes.len() == 10
        || bytes.get(10) == Some(&b'T')
            && text.is_ascii()
            && (text.ends_with('Z') || text.get(11..).is_some_and(|time| time.contains(['+', '-']))))
}

/// `robots.txt`: which crawlers may read the site. `has_sitemap`: the bundle holds one, made or written.
pub fn robots(source: &SiteContext<'_>, has_sitemap: bool) -> String {
    if source.site.config.is_noindex() {
        return "User-agent: *\nContent-Signal: ai-train=no, search=no, ai-input=no\nDisallow: /\n".to_owned();
    }
    let mut out = "User-agent: *\nContent-Signal: ai-train=yes, search=yes, ai-input=yes\nAllow: /\n".to_owned();
    if has_sitemap && !source.base.is_empty() {
        let _ = write!(out, "\nSitemap: {}\n", source.file_url("sitemap.xml"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_site_maps() {
        let good = ["2026-11-20", "2026-11-20T10:00:00Z", "2026-11-20T10:00+01:00"];
        let bad = ["", "November 2026", "2026-11", "2026-11-20T10:00", "2026-11-20 ", "2026-11-20Tü"];
        assert!(good.iter().all(|date| is_date(date)) && !bad.iter().any(|date| is_date(date)));
    }
}
