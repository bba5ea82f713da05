//! Finished HTML that is changed once more: links that turned out to lead nowhere, and what servers put into pages.

use std::cell::Cell;

use lol_html::html_content::ContentType;
use lol_html::{Settings, element};
use rustc_hash::FxHashMap;

use base::html::{attr, rewrite_html};

use super::SecondNames;

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
    let rewritten = rewrite_html(html.as_bytes(), Settings::new().append_element_content_handler(handler));
    rewritten.and_then(|page| String::from_utf8(page).ok()).unwrap_or_else(|| html.to_owned())
}

/// Gives headings more ids, in empty elements at their start. HTML that cannot be rewritten stays as it is.
pub fn add_second_ids(html: &str, names: &SecondNames) -> String {
    // as the page has them
    let names: Vec<(String, String)> = names.iter().map(|(name, heading)| (attr(name), attr(heading))).collect();
    let handler = element!("h1[id], h2[id], h3[id], h4[id], h5[id], h6[id]", |heading| {
        let own = heading.get_attribute("id").unwrap_or_default();
        for (name, _) in names.iter().filter(|(_, heading)| *heading == own) {
            heading.prepend(&format!("<span id=\"{name}\"></span>"), ContentType::Html);
        }
        Ok(())
    });
    let rewritten = rewrite_html(html.as_bytes(), Settings::new().append_element_content_handler(handler));
    rewritten.and_then(|page| String::from_utf8(page).ok()).unwrap_or_else(|| html.to_owned())
}

/// A page with markup at the end of its head; at the end of the page if its head has no end tag.
pub fn append_to_head(html: &[u8], markup: &str) -> Vec<u8> {
    let is_placed = Cell::new(false);
    let handler = element!("head", |head| {
        if !is_placed.replace(true) {
            head.append(markup, ContentType::Html);
        }
        Ok(())
    });
    rewrite_html(html, Settings::new().append_element_content_handler(handler))
        .filter(|page| page.len() > html.len())
        .unwrap_or_else(|| [html, markup.as_bytes()].concat())
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

    #[test]
    fn markup_goes_to_the_end_of_the_head() {
        let check = |html: &str, expect: &str| {
            assert_eq!(String::from_utf8(append_to_head(html.as_bytes(), "<i>")).unwrap(), expect);
        };
        check("<html><head><title>a</title></head><body>b", "<html><head><title>a</title><i></head><body>b");
        check(
            "<head><script>'</head>'</script></HEAD><head></head>",
            "<head><script>'</head>'</script><i></HEAD><head></head>",
        );
        check("<p>no head", "<p>no head<i>");
        check("<head><title>no end", "<head><title>no end<i>");
        assert_eq!(append_to_head(b"<head>\xff</head>", "<i>"), b"<head>\xff<i></head>");
    }
}
