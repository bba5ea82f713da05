//! Links in finished HTML that turned out to lead nowhere.

use lol_html::{RewriteStrSettings, element, rewrite_str};

/// Gives links other targets: (attribute value as it is after decoding, new value). HTML that cannot be rewritten stays.
pub fn rewrite_hrefs(html: &str, targets: &[(String, String)]) -> String {
    let handler = element!("a[href]", |link| {
        if let Some(href) = link.get_attribute("href")
            && let Some((_, target)) = targets.iter().find(|(dead, _)| *dead == href)
        {
            link.set_attribute("href", target)?;
        }
        Ok(())
    });
    rewrite_str(html, RewriteStrSettings::new().append_element_content_handler(handler)).unwrap_or_else(|_| html.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_targets_change() {
        let html = "<p>href=\"#a\" <a class=\"x\" href=\"#a\">a</a> <a href=\"#b\">b</a></p>";
        let expect = "<p>href=\"#a\" <a class=\"x\" href=\"p.html\">a</a> <a href=\"#b\">b</a></p>";
        assert_eq!(rewrite_hrefs(html, &[("#a".to_owned(), "p.html".to_owned())]), expect);
    }
}
