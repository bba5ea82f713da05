//! The front matter of pages.

use nav::NavNode;
use site::config::Icon;
use site::page::PageEntry;
use site::page::PageMode;

/// The front matter of a page. `entry`: what the navigation calls it.
pub(super) fn matter(page: &PageEntry, entry: Option<&NavNode>) -> String {
    let meta = &page.meta;
    let mut out = Matter::default();
    let title = page.shown_title();
    out.text("title", title);
    let label = entry.map(|node| node.label.as_str()).or(meta.sidebar_title.as_deref());
    if let Some(label) = label.filter(|label| *label != title && !label.is_empty()) {
        out.text("sidebarTitle", label);
    }
    if let Some(description) = &meta.description {
        out.text("description", &description.source().split_whitespace().collect::<Vec<_>>().join(" "));
    }
    out.icon(entry.and_then(|node| node.icon.as_ref()).or(meta.icon.as_ref()));
    out.optional("tag", entry.and_then(|node| node.tag.as_deref()).or(meta.tag.as_deref()));
    match meta.mode {
        PageMode::Default => {}
        PageMode::Wide => out.text("mode", "wide"),
        PageMode::Custom => out.text("mode", "custom"),
        PageMode::Frame => out.text("mode", "frame"),
        PageMode::Center => out.text("mode", "center"),
        PageMode::Assistant => out.text("mode", "assistant"),
    }
    let switches = [
        ("deprecated", meta.deprecated.then_some(true)),
        ("hidden", meta.hidden.or(page.hidden.then_some(true))),
        ("noindex", meta.noindex.then_some(true)),
        ("searchable", meta.searchable),
        ("hideFooterPagination", meta.hide_pagination.then_some(true)),
        ("timestamp", meta.timestamp),
        ("rss", meta.rss.then_some(true)),
    ];
    for (key, on) in switches {
        out.raw(key, on.map(|on| on.to_string()));
    }
    out.raw("boost", meta.boost.map(|boost| boost.to_string()));
    out.optional("robots", meta.robots.as_deref());
    out.optional("lastUpdatedDate", meta.last_updated.as_deref());
    out.list("keywords", &meta.keywords);
    let (excluded, included): (Vec<String>, Vec<String>) =
        meta.groups.iter().cloned().partition(|name| name.starts_with('!'));
    if excluded.is_empty() {
        out.list("groups", &included);
    }
    if let Some(related) = &meta.related {
        let items = related.iter().map(|(title, target)| match title {
            Some(title) => format!("\n  - {}: {}", scalar(title), scalar(target)),
            None => format!("\n  - {}", scalar(target)),
        });
        let items: String = items.collect();
        out.raw("related", Some(if items.is_empty() { "false".to_owned() } else { items }));
    }
    for (name, content) in &meta.metatags {
        // a name with a colon is a key only between quotes
        let key = if name.contains(':') { format!("\"{name}\"") } else { name.clone() };
        out.text(&key, content);
    }
    out.finish()
}

/// The front matter of a page that holds nothing but an address.
pub(super) fn of_link(entry: &NavNode, address: &str) -> String {
    let mut out = Matter::default();
    out.text("title", &entry.label);
    out.text("url", address);
    out.icon(entry.icon.as_ref());
    out.optional("tag", entry.tag.as_deref());
    out.finish()
}

#[derive(Default)]
struct Matter(String);

impl Matter {
    fn text(&mut self, key: &str, value: &str) {
        self.0.push_str(&format!("{key}: {}\n", scalar(value)));
    }

    fn optional(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.text(key, value);
        }
    }

    fn raw(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            let space = if value.starts_with('\n') { "" } else { " " };
            self.0.push_str(&format!("{key}:{space}{value}\n"));
        }
    }

    fn list(&mut self, key: &str, items: &[String]) {
        let items: Vec<String> = items.iter().map(|item| scalar(item)).collect();
        self.raw(key, (!items.is_empty()).then(|| format!("[{}]", items.join(", "))));
    }

    fn icon(&mut self, icon: Option<&Icon>) {
        let Some(icon) = icon else { return };
        match &icon.library {
            Some(library) => {
                let style = icon.style.as_ref().map(|style| format!(", style: {}", scalar(style))).unwrap_or_default();
                self.raw(
                    "icon",
                    Some(format!("{{name: {}, library: {}{style}}}", scalar(&icon.name), scalar(library))),
                );
            }
            None => {
                self.text("icon", &icon.name);
                self.optional("iconType", icon.style.as_deref());
            }
        }
    }

    fn finish(self) -> String {
        format!("---\n{}---\n", self.0)
    }
}

/// A text as a value of YAML: between quotes where it would be read as something else.
fn scalar(text: &str) -> String {
    let is_word = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '_' | '/' | '.' | '-' | '(' | ')' | '+' | ';' | '’' | '–' | '—' | '\'')
    };
    let is_plain = text.starts_with(|c: char| c.is_alphabetic() || c == '/')
        && text.trim() == text
        && text.chars().all(is_word)
        && !["true", "false", "null", "yes", "no", "on", "off"].contains(&text.to_lowercase().as_str());
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_need_it() {
        for (text, expect) in [
            ("Quick start", "Quick start"),
            ("What's new", "What's new"),
            ("1.0", "\"1.0\""),
            ("a: b", "\"a: b\""),
            ("say \"x\"", "\"say \\\"x\\\"\""),
            ("No", "\"No\""),
            ("", "\"\""),
            ("/a/b", "/a/b"),
            ("a, b", "\"a, b\""),
        ] {
            assert_eq!(scalar(text), expect);
        }
    }
}
