//! What search engines read of a page as data: schema.org's terms in one JSON-LD graph.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::fragment::clean_fragment;
use super::source::ChromeInput;
use base::cut::SliceText as _;
use base::html::script_json;
use base::{Description, PageId, url};
use site::page::PageEntry;

/// The parts of the graph that all pages share: organization and site, as members of the array, without brackets,
/// escaped. Empty if the site's address is not known: the graph's names are addresses.
pub(super) fn shared(source: &ChromeInput<'_>, base: &str) -> String {
    if base.is_empty() {
        return String::new();
    }
    let config = source.config();
    let organization = config.seo.organization.as_ref().and_then(Value::as_object);
    let text = |key: &str| {
        organization.and_then(|members| members.get(key)).and_then(Value::as_str).filter(|text| !text.is_empty())
    };
    let mut about = Map::new();
    about.insert("@type".to_owned(), "Organization".into());
    about.insert("@id".to_owned(), text("id").map_or_else(|| format!("{base}#organization"), str::to_owned).into());
    about.insert("name".to_owned(), text("name").unwrap_or(&config.name).into());
    about.insert("url".to_owned(), text("url").unwrap_or(base).into());
    about.extend(text("legalName").map(|name| ("legalName".to_owned(), name.into())));
    let logo = text("logo").map(str::to_owned).or_else(|| config.logo.as_ref().map(|logo| logo.image.light.clone()));
    if let Some(address) = logo.and_then(|logo| json_ld_picture(source, base, &logo)) {
        about.insert("logo".to_owned(), address.into());
    }
    let same_as = organization.and_then(|members| members.get("sameAs")).and_then(Value::as_array);
    about.extend(same_as.map(|links| ("sameAs".to_owned(), Value::from(links.clone()))));
    let publisher = json!({ "@id": about["@id"] });
    let mut site = json!({ "@type": "WebSite", "@id": format!("{base}#website"), "url": base, "name": config.name, "publisher": publisher });
    if let (Some(members), Some(description)) =
        (site.as_object_mut(), config.description.as_ref().map(Description::source))
    {
        members.insert("description".to_owned(), description.into());
    }
    script_json(&format!("{},{site}", Value::Object(about)))
}

fn json_ld_picture(source: &ChromeInput<'_>, base: &str, src: &str) -> Option<String> {
    match source.links.asset(src) {
        super::ConfigTarget::Inside(url) => Some(format!("{base}/{}", clean_fragment(&url))),
        super::ConfigTarget::Outside(url) => Some(url),
        // a whole address is good enough for search engines
        super::ConfigTarget::Absent => Some(src.to_owned()),
        super::ConfigTarget::Broken | super::ConfigTarget::Restricted => None,
    }
}

/// What a graph says of one page.
pub(super) struct PageGraph<'a> {
    pub(super) page: &'a PageEntry,
    pub(super) id: PageId,
    /// Its address.
    pub(super) address: &'a str,
    pub(super) lang: &'a str,
    /// Containers above it: name, first page.
    pub(super) crumbs: Vec<(String, Option<PageId>)>,
}

/// A name in the graph: an address with what is added to it.
#[derive(Clone, Copy)]
struct GraphId<'a>(&'a str, &'static str);

impl Serialize for GraphId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}{}", self.0, self.1))
    }
}

/// A reference to another part of the graph.
#[derive(Serialize)]
struct GraphReference<'a> {
    #[serde(rename = "@id")]
    id: GraphId<'a>,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct WebPage<'a> {
    #[serde(rename = "@id")]
    id: &'a str,
    url: &'a str,
    name: &'a str,
    in_language: &'a str,
    is_part_of: GraphReference<'a>,
    breadcrumb: GraphReference<'a>,
}

#[derive(Serialize)]
#[serde(tag = "@type", rename_all = "camelCase")]
struct BreadcrumbList<'a> {
    #[serde(rename = "@id")]
    id: GraphId<'a>,
    item_list_element: Vec<ListItem<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "@type")]
struct ListItem<'a> {
    position: usize,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<Cow<'a, str>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Article<'a> {
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "@id")]
    id: GraphId<'a>,
    headline: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date_modified: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keywords: Option<String>,
    in_language: &'a str,
    main_entity_of_page: GraphReference<'a>,
}

/// The whole graph for `<script type="application/ld+json">`.
pub(super) fn graph(source: &ChromeInput<'_>, base: &str, shared: &str, about: &PageGraph<'_>) -> String {
    let (page, address, in_language) = (about.page, about.address, about.lang);
    let meta = &page.meta;
    let breadcrumb = GraphId(address, "#breadcrumb");
    let web_page = WebPage {
        id: address,
        url: address,
        name: &meta.title,
        in_language,
        is_part_of: GraphReference { id: GraphId(base, "#website") },
        breadcrumb: GraphReference { id: breadcrumb },
    };
    let crumbs = BreadcrumbList { id: breadcrumb, item_list_element: crumbs(source, base, about) };
    let article = Article {
        kind: if page.endpoint.is_some() { "APIReference" } else { "TechArticle" },
        id: GraphId(address, "#article"),
        headline: &meta.title,
        description: meta.description.as_ref().or(source.config().description.as_ref()).map(Description::words),
        date_modified: meta.last_updated.as_deref(),
        keywords: (!meta.keywords.is_empty()).then(|| meta.keywords.join(", ")),
        in_language,
        main_entity_of_page: GraphReference { id: GraphId(address, "") },
    };
    // strings and numbers under names: nothing that JSON could not write
    let members = serde_json::to_string(&(web_page, crumbs, article)).unwrap_or_else(|_| "[{}]".to_owned());
    let members = script_json(members.slice(1..));
    ["{\"@context\":\"https://schema.org\",\"@graph\":[", shared, ",", &members, "}"].concat()
}

fn crumbs<'a>(source: &'a ChromeInput<'_>, base: &'a str, about: &'a PageGraph<'_>) -> Vec<ListItem<'a>> {
    let home = source
        .navigation
        .home
        .filter(|home| *home != about.id)
        .map(|_| (source.config().name.as_str(), Some(Cow::Borrowed(base))));
    let address = |page: PageId| {
        let entry = source.site.pages.get(page.0 as usize)?;
        source.links.page(page)?;
        Some(Cow::Owned(format!("{base}/{}", url::encode_path(&entry.slug))))
    };
    let above = about.crumbs.iter().map(|(name, page)| (name.as_str(), page.and_then(address)));
    let own = (about.page.meta.title.as_str(), Some(Cow::Borrowed(about.address)));
    let chain = home.into_iter().chain(above).chain([own]);
    (1..).zip(chain).map(|(position, (name, item))| ListItem { position, name, item }).collect()
}
