//! API reference: an OpenAPI or AsyncAPI description to the content of its pages.
//!
//! A description is read to what a page says ([`operation`], [`channel`]), whose schemas become [`fields`]: [`facts`]
//! say what one schema is, wherever it stands, and fields are opened level by level, so that a bound cuts what is
//! deepest. [`write`] makes HTML of fields, [`page`] of an operation, [`aside`] of the right column,
//! [`markdown`](mod@markdown) a list of the same for pages as Markdown. Descriptions come from `source` with local
//! references only.

mod aside;
pub(crate) mod by_hand;
mod call;
mod channel;
mod document;
mod example;
mod facts;
mod fields;
mod limits;
mod markdown;
mod media;
mod operation;
mod page;
pub mod playground;
mod request;
mod samples;
mod security;
mod server;
mod settings;
mod subject;
mod write;

use serde_json::Value;

use crate::base::words::Words;
use crate::page::render::Renderer;

use document::{Document, Object};
use facts::{Schema, Schemas};
use fields::{Direction, Fields};
pub(crate) use markdown::field_list;
use operation::OperationSource;
use playground::Playground;
pub(crate) use settings::Settings;
pub(crate) use subject::Subject;
use write::Writer;

/// Writes the reference of a subject of a description behind what the page says already. `is_described`: the page has a
/// description of its own.
pub(crate) fn write_reference(
    r: &mut Renderer<'_>,
    description: &Value,
    subject: Subject<'_>,
    is_described: bool,
    settings: &Settings,
    words: &'static Words,
) {
    let document = Document::new(description);
    let schemas = Schemas::new(document);
    match subject {
        Subject::Operation { method, path, about, item } => {
            let source = OperationSource {
                method: method.to_owned(),
                path,
                about: Object::of(about),
                item: document.members(Some(item)),
            };
            let page = operation::read(&schemas, &source);
            r.playground = (!source.is_webhook()).then(|| Playground::of_servers(&page.servers));
            let mut w = Writer { r, fields: &page.fields, words, settings, component: "ParamField", level: 2 };
            page::write_operation(&mut w, &source, &page);
            aside::write_operation(&mut w, &source, &page);
        }
        Subject::Channel(id, channel) => {
            let page = channel::read(&schemas, id, channel);
            let mut w = Writer { r, fields: &page.fields, words, settings, component: "ParamField", level: 2 };
            channel::write_channel(&mut w, &page, is_described);
        }
        Subject::Schema(name, schema) => {
            let mut fields = Fields::new(&schemas);
            let root = fields.add_root(&Schema::of(Some(schema)), Direction::Neither);
            fields.expand();
            let mut w = Writer { r, fields: &fields, words, settings, component: "ResponseField", level: 2 };
            w.r.raw("<div class=\"api\" data-component=\"Schema\"");
            w.r.attr("data-schema", name);
            w.r.raw(">\n");
            if let Some(text) = fields.node(root).facts.description.filter(|_| !is_described) {
                w.description(text);
            }
            w.root(root, "param");
            w.r.raw("</div>\n");
            let value = example::example(document.root(), schema, Direction::Neither, false);
            aside::write_values(&mut w, vec![(name.to_owned(), value)]);
        }
    }
}
