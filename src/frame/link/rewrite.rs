//! Links in finished HTML that turned out to lead nowhere.

use lol_html::{RewriteStrSettings, element, rewrite_str};
use rustc_hash::FxHashMap;

/// Gives links other targets, by the attribute's value as it is after decoding. The links of headings to themselves
/// stay; so does HTML that cannot be rewritten.
pub fn rewrite_hrefs(html: &str, targets: &FxHashMap<String, String>) -> String {
    let handler = element!("a[href]:not(.heading-anchor)", |link| {
        if let Some(href) = link.get_attribute("href")
            && let Some(target) = targets.get(&href)
        {
            link.set_attribute("href", target)?;
        }
        Ok(())
    });
    rewrite_str(html, RewriteStrSettings::new().append_element_content_handler(handler))
        .unwrap_or_else(|_| html.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_targets_change() {
        let html = "<p>href=\"#a\" <a class=\"x\" href=\"#a\">a</a> <a href=\"#b\">b</a> <a class=\"heading-anchor\" href=\"#a\"></a></p>";
        let expect = "<p>href=\"#a\" <a class=\"x\" href=\"p.html\">a</a> <a href=\"#b\">b</a> <a class=\"heading-anchor\" href=\"#a\"></a></p>";
        assert_eq!(rewrite_hrefs(html, &FxHashMap::from_iter([("#a".to_owned(), "p.html".to_owned())])), expect);
    }
}
