//! What search engines read of a page as data: schema.org's terms in one JSON-LD graph.

use serde_json::{Map, Value, json};

use super::fragment::clean;
use super::source::Source;
use crate::base::html::script_json;
use crate::base::{PageId, short_text, url};
use crate::site::PageEntry;

/// The parts of the graph that all pages share: organisation and site, as members of the array, without brackets. Empty if the site's address is not known:
/// the graph's names are addresses.
pub(super) fn shared(source: &Source<'_>, base: &str) -> String {
    if base.is_empty() {
        return String::new();
    }
    let config = source.config();
    let organization = config.seo.organization.as_ref().and_then(Value::as_object);
    let text = |key: &str| organization.and_then(|members| members.get(key)).and_then(Value::as_str).filter(|text| !text.is_empty());
    let mut about = Map::new();
    about.insert("@type".to_owned(), "Organization".into());
    about.insert("@id".to_owned(), text("id").map_or_else(|| format!("{base}#organization"), str::to_owned).into());
    about.insert("name".to_owned(), text("name").unwrap_or(&config.name).into());
    about.insert("url".to_owned(), text("url").unwrap_or(base).into());
    about.extend(text("legalName").map(|name| ("legalName".to_owned(), name.into())));
    let logo = text("logo").map(str::to_owned).or_else(|| config.logo.as_ref().map(|logo| logo.image.light.clone()));
    if let Some(address) = logo.and_then(|logo| picture(source, base, &logo)) {
        about.insert("logo".to_owned(), address.into());
    }
    let same_as = organization.and_then(|members| members.get("sameAs")).and_then(Value::as_array);
    about.extend(same_as.map(|links| ("sameAs".to_owned(), Value::from(links.clone()))));
    let publisher = json!({ "@id": about["@id"] });
    let mut site = json!({ "@type": "WebSite", "@id": format!("{base}#website"), "url": base, "name": config.name, "publisher": publisher });
    if let (Some(members), Some(description)) = (site.as_object_mut(), config.description.as_deref()) {
        members.insert("description".to_owned(), description.into());
    }
    format!("{},{site}", Value::Object(about))
}

fn picture(source: &Source<'_>, base: &str, src: &str) -> Option<String> {
    match source.links.asset(src) {
        super::Target::Inside(url) => Some(format!("{base}/{}", clean(&url))),
        super::Target::Outside(url) => Some(url),
        // a whole address is good enough for search engines
        super::Target::Absent => Some(src.to_owned()),
        super::Target::Broken => None,
    }
}

/// What a graph says of one page.
pub(super) struct About<'a> {
    pub(super) page: &'a PageEntry,
    pub(super) id: PageId,
    /// Its address.
    pub(super) address: &'a str,
    pub(super) lang: &'a str,
    /// Containers above it: name, first page.
    pub(super) crumbs: Vec<(String, Option<PageId>)>,
}

/// The whole graph for `<script type="application/ld+json">`.
pub(super) fn graph(source: &Source<'_>, base: &str, shared: &str, about: &About<'_>) -> String {
    let (page, address) = (about.page, about.address);
    let meta = &page.meta;
    let config = source.config();
    let crumbs = json!({ "@type": "BreadcrumbList", "@id": format!("{address}#breadcrumb"), "itemListElement": crumbs(source, base, about) });
    let web_page = json!({
        "@type": "WebPage", "@id": address, "url": address, "name": meta.title, "inLanguage": about.lang,
        "isPartOf": { "@id": format!("{base}#website") }, "breadcrumb": { "@id": format!("{address}#breadcrumb") },
    });
    let kind = if page.endpoint.is_some() { "APIReference" } else { "TechArticle" };
    let mut article = Map::new();
    article.insert("@type".to_owned(), kind.into());
    article.insert("@id".to_owned(), format!("{address}#article").into());
    article.insert("headline".to_owned(), meta.title.as_str().into());
    article.extend(meta.description.as_deref().or(config.description.as_deref()).map(|text| ("description".to_owned(), short_text::words(text).into())));
    article.extend(meta.last_updated.as_deref().map(|date| ("dateModified".to_owned(), date.into())));
    article.extend((!meta.keywords.is_empty()).then(|| ("keywords".to_owned(), meta.keywords.join(", ").into())));
    article.insert("inLanguage".to_owned(), about.lang.into());
    article.insert("mainEntityOfPage".to_owned(), json!({ "@id": address }));
    script_json(&format!("{{\"@context\":\"https://schema.org\",\"@graph\":[{shared},{web_page},{crumbs},{}]}}", Value::Object(article)))
}

fn crumbs(source: &Source<'_>, base: &str, about: &About<'_>) -> Vec<Value> {
    let home = source.navigation.home.filter(|home| *home != about.id).map(|_| (source.config().name.clone(), Some(base.to_owned())));
    let address = |page: PageId| {
        let entry = source.site.pages.get(page.0 as usize)?;
        source.links.page(page)?;
        Some(format!("{base}/{}", url::encode_path(&entry.slug)))
    };
    let above = about.crumbs.iter().map(|(name, page)| (name.clone(), page.and_then(address)));
    let own = (about.page.meta.title.clone(), Some(about.address.to_owned()));
    let chain = home.into_iter().chain(above).chain([own]).enumerate();
    chain
        .map(|(index, (name, item))| {
            let mut entry = json!({ "@type": "ListItem", "position": index + 1, "name": name });
            if let (Some(members), Some(item)) = (entry.as_object_mut(), item) {
                members.insert("item".to_owned(), item.into());
            }
            entry
        })
        .collect()
}
