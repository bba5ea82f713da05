//! The page about a whole description: what the API is, its servers, how to authorize, its operations and schemas.

use rustc_hash::FxHashMap;
use serde_json::Value;

use base::PageId;
use base::html::escape_html_text;
use base::{Place, url};
use load::Site;
use markup::fence_info::BlockOptions;
use render::code::{self, CodeBlock};
use spec::DescriptionId;

use super::about::{DescribedPages, open_link};
use super::document::{DescriptionDocument, ResolvedObject};
use super::facts::{Schema, Schemas};
use super::fields::{BodyFields, Direction, FieldId};
use super::outline::schema_outline;
use super::page::{write_credential, write_server};
use super::security::{SecurityCredential, scheme_credential};
use super::server::{ApiServer, read_server};
use super::write::ReferenceWriter;

/// Schemas of a description that the page shows.
const MAX_SHOWN_SCHEMAS: usize = 500;

/// What the page says.
pub(crate) struct OverviewPage<'a, 's> {
    /// All its fields.
    pub(crate) fields: BodyFields<'a, 's>,
    info: ResolvedObject<'a>,
    servers: Vec<ApiServer<'a>>,
    credentials: Vec<SecurityCredential<'a>>,
    /// Name and root of each.
    schemas: Vec<(&'a str, FieldId)>,
}

/// Reads a description.
pub(crate) fn read_overview<'a, 's>(schemas: &'s Schemas<'a>) -> OverviewPage<'a, 's> {
    let document = schemas.document();
    let mut fields = BodyFields::new(schemas);
    let components = document.get("components");
    let part = |key: &str| components.and_then(|components| components.get(key));
    let root = fields.add_root(&Schema::default(), Direction::Neither);
    let schemes = document.objects(part("securitySchemes"));
    let credentials =
        schemes.map(|(name, scheme)| scheme_credential((name, scheme), Vec::new(), root, &mut fields)).collect();
    let named = part("schemas").and_then(Value::as_object).into_iter().flatten();
    let named: Vec<(&str, &Value)> = named.map(|(name, schema)| (name.as_str(), schema)).collect();
    let shown = named.into_iter().take(MAX_SHOWN_SCHEMAS);
    let schemas =
        shown.map(|(name, schema)| (name, fields.add_root(&Schema::of(Some(schema)), Direction::Neither))).collect();
    fields.expand();
    let servers = document.get("servers").and_then(Value::as_array).into_iter().flatten();
    OverviewPage {
        fields,
        info: document.get("info").map(|info| document.object(info)).unwrap_or_default(),
        servers: servers.filter_map(|server| read_server(document, &document.object(server))).collect(),
        credentials,
        schemas,
    }
}

/// Writes the page. `file`: the path of the description in the source.
pub(crate) fn write_overview(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    page: &OverviewPage<'_, '_>,
    (site, pages, id): (&Site, &DescribedPages, DescriptionId),
) {
    let document = w.fields.schemas().document();
    w.r.raw("<div class=\"api\" data-component=\"Description\">\n");
    write_information(w, document, page, site.descriptions.path(id));
    if !page.servers.is_empty() {
        w.open_section("servers", w.api().servers);
        w.r.raw("<div class=\"api-server-list\">\n");
        page.servers.iter().for_each(|server| write_server(w, server));
        w.r.raw("</div>\n");
        w.close_section();
    }
    if !page.credentials.is_empty() {
        w.open_section("authorization", w.api().authorization);
        for credential in &page.credentials {
            w.r.raw("<div class=\"api-requirement\">\n");
            write_credential(w, credential);
            w.r.raw("</div>\n");
        }
        w.close_section();
    }
    write_operations(w, document, site, pages.operations.get(&id));
    write_schemas(w, page, (site, pages, id));
    w.r.raw("</div>\n");
}

/// Writes what the description says of itself.
fn write_information(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    document: DescriptionDocument<'_>,
    page: &OverviewPage<'_, '_>,
    file: &str,
) {
    let info = &page.info;
    if let Some(text) = info.text("description").or_else(|| info.text("summary")) {
        w.r.raw("<div class=\"api-information\">\n");
        w.description(text);
        w.r.raw("</div>\n");
    }
    let (contact, license) = (part(info.get("contact")), part(info.get("license")));
    let more = part(document.get("externalDocs"));
    let mail = contact.text("email").map(|mail| format!("mailto:{mail}"));
    let words = w.api();
    let facts: [(&str, Option<&str>, Option<&str>); 5] = [
        (w.words.frame.version, info.text("version"), None),
        (
            words.contact,
            contact.text("name").or(contact.text("email")).or(contact.text("url")),
            contact.text("url").or(mail.as_deref()),
        ),
        (words.license, license.text("name").or(license.text("identifier")), license.text("url")),
        (words.terms, info.text("termsOfService"), info.text("termsOfService")),
        (words.links, more.text("description").or(more.text("url")), more.text("url")),
    ];
    w.r.raw("<dl class=\"api-facts\">\n");
    for (word, text, address) in facts {
        let Some(text) = text else { continue };
        w.r.raw(&format!("<div><dt data-chrome>{}</dt><dd>", escape_html_text(word)));
        write_linked(w, text, address);
        w.r.raw("</dd></div>\n");
    }
    if !spec::is_remote(file) {
        let target = w.r.resolve(&format!("/{}", url::encode_path(file)), Place::default());
        let name = file.rsplit('/').next().unwrap_or(file);
        if !target.url.is_empty() && !target.external {
            let word = escape_html_text(w.words.actions.spec);
            w.r.raw(&format!("<div data-chrome><dt>OpenAPI</dt><dd><a download title=\"{word}\""));
            w.r.attr("href", &target.url);
            w.r.raw(&format!(">{}</a></dd></div>\n", escape_html_text(name)));
        }
    }
    w.r.raw("</dl>\n");
}

fn part(value: Option<&Value>) -> ResolvedObject<'_> {
    value.and_then(Value::as_object).map(ResolvedObject::of).unwrap_or_default()
}

/// Writes a text, as a link if there is an address that a page may have.
fn write_linked(w: &mut ReferenceWriter<'_, '_, '_, '_>, text: &str, address: Option<&str>) {
    let is_address = |address: &&str| ["https://", "http://", "mailto:"].iter().any(|start| address.starts_with(start));
    match address.filter(is_address) {
        Some(address) => {
            w.r.raw("<a");
            w.r.attr("href", address);
            w.r.raw(" rel=\"noopener\">");
            w.r.text(text);
            w.r.raw("</a>");
        }
        None => w.r.text(text),
    }
}

/// Writes the operations that have pages by their first tags, in the order of the tags of the description.
fn write_operations(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    document: DescriptionDocument<'_>,
    site: &Site,
    pages: Option<&FxHashMap<(String, String), PageId>>,
) {
    let Some(pages) = pages else { return };
    let tags = document.get("tags").and_then(Value::as_array).into_iter().flatten();
    let tags: Vec<ResolvedObject<'_>> = tags.map(|tag| part(Some(tag))).collect();
    let mut groups: Vec<TagGroup<'_>> = Vec::new();
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for tag in &tags {
        if let Some(name) = tag.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) {
            numbers.entry(name).or_insert(groups.len());
        }
        let name = tag.text("summary").or_else(|| tag.text("name")).unwrap_or_default();
        groups.push(TagGroup { name, description: tag.text("description"), operations: Vec::new() });
    }
    let operations = spec::operations(document.root());
    for operation in &operations {
        let key = (operation.method.to_uppercase(), operation.path.to_owned());
        let Some(page) = pages.get(&key) else { continue };
        let name = operation.tag().unwrap_or_default();
        let number = *numbers.entry(name).or_insert_with(|| {
            groups.push(TagGroup { name, description: None, operations: Vec::new() });
            groups.len() - 1
        });
        groups[number].operations.push((*operation, *page));
    }
    w.open_section("operations", w.api().operations);
    groups.iter().for_each(|group| write_tag(w, site, group));
    w.close_section();
}

/// The operations of a tag. Tags that the description lists come first, in its order.
struct TagGroup<'a> {
    name: &'a str,
    description: Option<&'a str>,
    operations: Vec<(spec::Operation<'a>, PageId)>,
}

fn write_tag(w: &mut ReferenceWriter<'_, '_, '_, '_>, site: &Site, group: &TagGroup<'_>) {
    let TagGroup { name, description, operations } = group;
    if operations.is_empty() {
        return;
    }
    if !name.is_empty() {
        let id = w.r.ids.claim(markup::slug::heading_slug(name), '-', 2);
        w.r.raw("<h3 class=\"api-tag\"");
        w.r.attr("id", &id);
        w.r.raw(">");
        w.r.text(name);
        w.r.raw("</h3>\n");
        w.r.contents_entry(3, id, name);
    }
    if let Some(text) = description {
        w.description(text);
    }
    w.r.raw("<ul class=\"api-operations\" data-chrome>\n");
    for (operation, page) in operations {
        let page = site.page(*page);
        let method = operation.method.to_uppercase();
        w.r.raw("<li>");
        open_link(w, &page.slug);
        w.r.raw(&format!(
            "<span class=\"method-pill\" data-method=\"{method}\">{method}</span> <span class=\"api-operation-title\">"
        ));
        w.r.text(&page.meta.title);
        w.r.raw("</span> <code>");
        w.r.text(operation.path);
        w.r.raw("</code></a></li>\n");
    }
    w.r.raw("</ul>\n");
}

/// Writes the schemas, folded.
fn write_schemas(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    page: &OverviewPage<'_, '_>,
    (site, pages, id): (&Site, &DescribedPages, DescriptionId),
) {
    if page.schemas.is_empty() {
        return;
    }
    w.open_section("schemas", w.api().schemas);
    for (name, root) in &page.schemas {
        let fields = w.fields;
        let facts = &fields.node(*root).facts;
        w.r.raw("<details class=\"api-schema\"><summary><code>");
        w.r.text(name);
        w.r.raw("</code>");
        if let Some(title) = facts.title.filter(|title| title != name) {
            w.r.raw(&format!(" <span>{}</span>", escape_html_text(title)));
        }
        w.r.raw("</summary>\n");
        if let Some(text) = facts.description {
            w.description(text);
        }
        let outline = schema_outline(fields, *root, name);
        let options = BlockOptions { lang: "typescript".to_owned(), ..BlockOptions::default() };
        code::write_code(w.r, &CodeBlock { code: &outline, options: &options, icon: "", title_shown: false });
        if let Some(page) = pages.schemas.get(&(id, (*name).to_owned())) {
            let page = site.page(*page);
            w.r.raw("<p>");
            open_link(w, &page.slug);
            w.r.text(&page.meta.title);
            w.r.raw("</a></p>\n");
        }
        w.r.raw("</details>\n");
    }
    w.close_section();
}
