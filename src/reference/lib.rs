//! API reference: an OpenAPI or AsyncAPI description to the content of its pages.
//!
//! A description is read to what a page says ([`operation`], [`channel`]), whose schemas become [`fields`]: [`facts`]
//! say what one schema is, wherever it stands, and fields are opened level by level, so that a bound cuts what is
//! deepest. [`write`] makes HTML of fields, [`page`] of an operation, [`aside`] of the right column,
//! [`markdown`](mod@markdown) a list of the same for pages as Markdown. Descriptions come from `source` with local
//! references only.

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod about;
mod aside;
pub mod by_hand;
mod call;
mod channel;
mod conditions;
mod document;
mod example;
mod facts;
mod fields;
mod given;
mod inheritance;
mod limits;
mod markdown;
mod media;
mod operation;
mod operation_source;
mod outline;
mod overview;
mod page;
mod properties;
mod request;
mod samples;
mod security;
mod server;
mod settings;
mod subject;
mod write;

use std::fmt::Debug;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use base::{PageId, Place};
use load::Site;
use render::Renderer;
use render::playground::Playground;
use spec::{DescriptionId, DescriptionTexts};
use templates::words::Words;

use about::{AboutApi, DescribedPages};
use channel::read_channel;
use document::{DescriptionDocument, ResolvedObject};
use facts::{Schema, Schemas};
use fields::{BodyFields, Direction};
pub use markdown::FieldList;
use operation::read_operation;
use operation_source::OperationSource;
use overview::{read_overview, write_overview};
use server::ApiServer;
use settings::ReferenceSettings;
use subject::PageSubject;
use write::{PlaceOfText, ReferenceWriter};

/// The pages of a site that are about parts of API descriptions.
///
/// A trait, although there is one such type: [`References`] keeps what it has read, and cannot be borrowed for shorter
/// than its site where its type is named.
pub trait ReferencePages: Debug + Sync {
    /// Writes the reference of a page behind what the page says already, if it has one. `is_described`: the page has a
    /// description of its own.
    fn write(&self, page: PageId, r: &mut Renderer<'_>, is_described: bool, words: &'static Words) -> bool;

    /// Where a text of the description that a page is about stands, and whether its lines are lines of that file.
    fn place_of_text(&self, page: PageId, text: &str) -> Option<(Place, bool)>;

    /// What a page as Markdown says of its description, in the words of a language.
    fn field_list(&self, page: PageId, words: &Words) -> Option<FieldList>;
}

/// The references of a site. What the schemas of its descriptions say is read once for all pages.
#[derive(Debug)]
pub struct References<'a> {
    site: &'a Site,
    settings: ReferenceSettings,
    schemas: FxHashMap<DescriptionId, Schemas<'a>>,
    /// Where texts of the descriptions stand: read when something is wrong with one.
    texts: FxHashMap<DescriptionId, OnceLock<DescriptionTexts>>,
    pages: DescribedPages,
}

impl<'a> References<'a> {
    /// Those of a site.
    pub fn new(site: &'a Site) -> Self {
        let descriptions = &site.descriptions;
        let needed = descriptions.ids().filter_map(|id| Some((id, descriptions.document(id)?)));
        let schemas = needed.map(|(id, root)| (id, Schemas::new(DescriptionDocument::new(root)))).collect();
        let texts = descriptions.ids().map(|id| (id, OnceLock::new())).collect();
        let pages = DescribedPages::of_site(site);
        Self { site, settings: ReferenceSettings::of(&site.config.api), schemas, texts, pages }
    }

    fn subject(&self, page: PageId) -> Option<(DescriptionId, &Schemas<'a>, PageSubject<'a>)> {
        let (description, subject) = PageSubject::of_page(self.site, self.site.page(page))?;
        Some((description, self.schemas.get(&description)?, subject))
    }

    fn place(&self, id: DescriptionId, text: &str) -> (Place, bool) {
        let Site { descriptions, tree, .. } = self.site;
        let texts = self.texts.get(&id).map(|texts| texts.get_or_init(|| descriptions.texts(id, tree)));
        texts.map(|texts| texts.place(text)).unwrap_or_default()
    }
}

impl ReferencePages for References<'_> {
    fn write(&self, page: PageId, r: &mut Renderer<'_>, is_described: bool, words: &'static Words) -> bool {
        let Some((id, schemas, subject)) = self.subject(page) else { return false };
        let place = |text: &str| self.place(id, text);
        if matches!(subject, PageSubject::Overview) {
            let overview = read_overview(schemas);
            let (fields, settings) = (&overview.fields, &self.settings);
            let mut w =
                ReferenceWriter { r, fields, words, settings, place: &place, component: "ParamField", level: 2 };
            write_overview(&mut w, &overview, (self.site, &self.pages, id));
            return true;
        }
        let api = AboutApi::of(self.site, &self.pages, id, schemas.document().root());
        write_reference(r, schemas, subject, (is_described, api.as_ref()), (&self.settings, &place), words);
        true
    }

    fn place_of_text(&self, page: PageId, text: &str) -> Option<(Place, bool)> {
        let (id, ..) = self.subject(page)?;
        Some(self.place(id, text))
    }

    fn field_list(&self, page: PageId, words: &Words) -> Option<FieldList> {
        let (_, schemas, subject) = self.subject(page)?;
        Some(markdown::field_list(schemas, subject, words))
    }
}

fn write_reference<'a>(
    r: &mut Renderer<'_>,
    schemas: &Schemas<'a>,
    subject: PageSubject<'a>,
    (is_described, api): (bool, Option<&AboutApi<'_>>),
    (settings, place): (&ReferenceSettings, &PlaceOfText<'_>),
    words: &'static Words,
) {
    let document = schemas.document();
    match subject {
        PageSubject::Operation { method, path, about, item } => {
            let source = OperationSource {
                method: method.to_owned(),
                path,
                about: ResolvedObject::of(about),
                item: document.members(Some(item)),
            };
            let page = read_operation(schemas, &source);
            r.page.playground = (!source.is_webhook())
                .then(|| Playground { servers: page.servers.iter().map(ApiServer::in_console).collect() });
            let mut w =
                ReferenceWriter { r, fields: &page.fields, words, settings, place, component: "ParamField", level: 2 };
            page::write_operation(&mut w, &source, &page, api);
            aside::write_operation(&mut w, &source, &page);
        }
        PageSubject::Channel(id, channel) => {
            let page = read_channel(schemas, id, channel);
            let mut w =
                ReferenceWriter { r, fields: &page.fields, words, settings, place, component: "ParamField", level: 2 };
            channel::write_channel(&mut w, &page, is_described);
        }
        PageSubject::Overview => {}
        PageSubject::Schema(name, schema) => {
            let mut fields = BodyFields::new(schemas);
            let root = fields.add_root(&Schema::of(Some(schema)), Direction::Neither);
            fields.expand();
            let mut w =
                ReferenceWriter { r, fields: &fields, words, settings, place, component: "ResponseField", level: 2 };
            w.r.raw("<div class=\"api\" data-component=\"Schema\"");
            w.r.attr("data-schema", name);
            w.r.raw(">\n");
            if let Some(text) = fields.node(root).facts.description.filter(|_| !is_described) {
                w.description(text);
            }
            w.root(root, "param");
            w.r.raw("</div>\n");
            let value = example::schema_example(document.root(), schema, Direction::Neither, false);
            aside::write_values(&mut w, vec![(name.to_owned(), value)]);
        }
    }
}
