//! The right column of an API page: samples of the request, examples of the responses.

use serde_json::Value;

use base::html;
use markup::fence_info::BlockOptions;
use render::Renderer;
use render::code::{self, CodeBlock};
use render::component::tabs::{Chooser, Panels};
use site::page::PageMode;
use spec::unquote_spelled_numbers;

use site::sample_language::SampleLanguage;

use super::call;
use super::document::ResolvedObject;
use super::example;
use super::fields::Direction;
use super::media::{self, Media};
use super::operation::OperationPage;
use super::operation_source::OperationSource;
use super::outline::schema_outline;
use super::samples::write_sample;
use super::write::{ReferenceWriter, chooser};

/// Lines of an example that is made from a schema; a longer one has only what is always there.
const MAX_EXAMPLE_LINES: usize = 200;

/// Code of the right column, with the title that readers choose it by.
struct CodeSample {
    title: String,
    language: String,
    code: String,
    /// Attributes of its panel, as they are written.
    attributes: String,
}

/// What a card of the right column offers first: a status, a media type.
struct SampleGroup {
    title: String,
    /// Attributes of its panel, as they are written.
    attributes: String,
    /// Examples, then the schema.
    faces: Vec<CodeSample>,
}

/// Writes the right column of an operation.
pub(crate) fn write_operation(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    source: &OperationSource<'_>,
    page: &OperationPage<'_, '_>,
) {
    let label = w.words.content.request_example;
    let bodies = bodies(w, page);
    if source.is_webhook() {
        write_groups(w, "request-example", label, bodies);
    } else {
        let samples = requests(w, source, page);
        write_example(w.r, "request-example", label, &samples, true);
        write_groups(w, "request-body-example", w.api().body, bodies);
    }
    let responses = responses(w, page);
    write_groups(w, "response-example", w.words.content.response_example, responses);
}

/// Writes examples by their titles as JSON: messages of a channel, a schema.
pub(crate) fn write_values(w: &mut ReferenceWriter<'_, '_, '_, '_>, values: Vec<(String, Value)>) {
    let samples: Vec<CodeSample> = values
        .into_iter()
        .map(|(title, value)| CodeSample {
            title,
            language: "json".to_owned(),
            code: pretty_example(&value),
            attributes: String::new(),
        })
        .collect();
    let label = w.words.content.response_example;
    write_example(w.r, "response-example", label, &samples, false);
}

/// Samples in programming languages: those of the description, then those made of it.
fn requests(
    w: &ReferenceWriter<'_, '_, '_, '_>,
    source: &OperationSource<'_>,
    page: &OperationPage<'_, '_>,
) -> Vec<CodeSample> {
    let mut found: Vec<CodeSample> = Vec::new();
    let written = source.about.get("x-codeSamples").or_else(|| source.about.get("x-code-samples"));
    for sample in written.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object) {
        let sample = ResolvedObject::of(sample);
        let Some(code) = sample.get("source").and_then(Value::as_str) else { continue };
        let language = sample.text("lang").unwrap_or_default();
        let known = SampleLanguage::from_name(language);
        found.push(CodeSample {
            title: sample
                .text("label")
                .map_or_else(|| known.map_or(language, |known| known.label).to_owned(), str::to_owned),
            language: known.map_or_else(|| language.to_lowercase(), |known| known.highlighter.to_owned()),
            code: code.trim_end().to_owned(),
            attributes: String::new(),
        });
    }
    if !w.settings.generates_samples {
        return found;
    }
    let request = call::sample_request(w.fields.schemas().document(), source, page, w.settings);
    let languages: Vec<&SampleLanguage> = match &w.settings.languages {
        Some(names) => names.iter().filter_map(|name| SampleLanguage::from_name(name)).collect(),
        None => SampleLanguage::defaults().collect(),
    };
    for language in languages {
        if found.iter().any(|sample| sample.title.eq_ignore_ascii_case(language.label)) {
            continue;
        }
        found.push(CodeSample {
            title: language.label.to_owned(),
            language: language.highlighter.to_owned(),
            code: write_sample(language, &request),
            attributes: String::new(),
        });
    }
    found
}

/// What is sent, by media type.
fn bodies(w: &ReferenceWriter<'_, '_, '_, '_>, page: &OperationPage<'_, '_>) -> Vec<SampleGroup> {
    let media: Vec<&Media<'_>> = page.exchange.body.iter().flat_map(|body| &body.media).collect();
    let title = |media: &Media<'_>| match page.exchange.body.iter().flat_map(|body| &body.media).count() {
        1 => w.api().body.to_owned(),
        _ => media.name.to_owned(),
    };
    let group = |media: &&Media<'_>| {
        let mut faces = faces(w, media, Direction::Request);
        for face in faces.iter_mut().filter(|face| face.attributes.starts_with(" data-label")) {
            face.attributes.push_str(&format!(" data-body-example=\"{}\"", html::attr(media.name)));
        }
        SampleGroup { title: title(media), attributes: String::new(), faces }
    };
    media.iter().map(group).collect()
}

/// Examples of the responses, by status.
fn responses(w: &ReferenceWriter<'_, '_, '_, '_>, page: &OperationPage<'_, '_>) -> Vec<SampleGroup> {
    let mut found = Vec::new();
    for response in &page.exchange.responses {
        let attributes = format!(" data-status=\"{}\"", html::attr(response.status));
        for media in &response.media {
            let title = match response.media.len() {
                1 => response.status.to_owned(),
                _ => format!("{} · {}", response.status, media.name),
            };
            let faces = faces(w, media, Direction::Response);
            found.push(SampleGroup { title, attributes: attributes.clone(), faces });
        }
    }
    found
}

/// The examples of a media type, or one of its schema if it is JSON; then its schema.
fn faces(w: &ReferenceWriter<'_, '_, '_, '_>, media: &Media<'_>, direction: Direction) -> Vec<CodeSample> {
    let is_json = media::is_json(media.name);
    let language = language_of(media.name);
    let word = w.api().example;
    let example = |label: &str, code: String| CodeSample {
        title: if label.is_empty() { word.to_owned() } else { label.to_owned() },
        language: language.to_owned(),
        code,
        attributes: format!(" data-label=\"{}\"", html::attr(label)),
    };
    let is_only = media.examples.len() == 1;
    let given = media.examples.iter();
    let mut faces: Vec<CodeSample> = given
        .map(|given| example(if is_only { "" } else { given.label }, display_example(given.value, is_json)))
        .collect();
    let facts = &w.fields.node(media.root).facts;
    let Some(schema) = media.schema.filter(|_| !facts.is_any() || facts.example.is_some()) else { return faces };
    if faces.is_empty() && is_json {
        let document = w.fields.schemas().document();
        let made = example::short_example(document.root(), schema, direction, MAX_EXAMPLE_LINES);
        faces.push(example("", pretty_example(&made)));
    }
    if !faces.is_empty() && facts.has_fields() {
        faces.push(CodeSample {
            title: w.api().schema.to_owned(),
            language: "typescript".to_owned(),
            code: schema_outline(
                w.fields,
                media.root,
                if direction == Direction::Request { "Body" } else { "Response" },
            ),
            attributes: " data-face=\"schema\"".to_owned(),
        });
    }
    faces
}

/// An example as readers see it: JSON with line breaks, other texts as they are.
fn display_example(value: &Value, is_json: bool) -> String {
    match value {
        Value::String(text) if is_json => match serde_json::from_str::<Value>(text) {
            Ok(parsed @ (Value::Object(_) | Value::Array(_))) => pretty_example(&parsed),
            _ => pretty_example(value),
        },
        Value::String(text) => text.trim_end().to_owned(),
        value => pretty_example(value),
    }
}

fn pretty_example(value: &Value) -> String {
    unquote_spelled_numbers(serde_json::to_string_pretty(value).unwrap_or_default())
}

/// The language of code in a media type.
fn language_of(media: &str) -> &'static str {
    let essence = media::essence(media);
    match essence.as_str() {
        _ if media::is_json(&essence) => "json",
        _ if essence.ends_with("/xml") || essence.ends_with("+xml") => "xml",
        "text/html" => "html",
        _ if essence.ends_with("yaml") => "yaml",
        _ => "text",
    }
}

/// Writes code under titles into the right column, unless the author has written an example of this kind.
fn write_example(r: &mut Renderer<'_>, id: &str, label: &str, samples: &[CodeSample], is_synced: bool) {
    if samples.is_empty() {
        return;
    }
    write_card(r, id, is_synced, |r| match samples {
        [sample] => {
            r.raw(&format!("<div{}>", sample.attributes));
            write_code(r, sample, true);
            r.raw("</div>\n");
        }
        samples => {
            r.raw("<div class=\"code-tabs\">\n");
            write_samples(r, label, samples, is_synced);
            r.raw("</div>\n");
        }
    });
}

/// Writes groups of code into the right column, unless the author has written an example of this kind.
fn write_groups(w: &mut ReferenceWriter<'_, '_, '_, '_>, id: &str, label: &str, mut groups: Vec<SampleGroup>) {
    groups.retain(|group| !group.faces.is_empty());
    if groups.is_empty() {
        return;
    }
    write_card(w.r, id, false, |r| {
        r.raw("<div class=\"code-tabs\">\n");
        let titles = distinct_titles(groups.iter().map(|group| &group.title));
        let chooser = chooser(&titles);
        let panels = Panels::start(r, label, titles, chooser);
        for (at, group) in groups.iter().enumerate() {
            panels.open(r, at, &group.attributes);
            match group.faces.as_slice() {
                [face] => {
                    r.raw(&format!("<div{}>", face.attributes));
                    write_code(r, face, false);
                    r.raw("</div>\n");
                }
                faces => {
                    let few = if faces.len() > 2 { "" } else { " data-few" };
                    r.raw(&format!("<div class=\"api-faces\"{few}>\n"));
                    write_samples(r, &format!("{label}: {}", group.title), faces, false);
                    r.raw("</div>\n");
                }
            }
            panels.close(r);
        }
        r.raw("</div>\n");
    });
}

/// Writes samples of which readers choose one.
fn write_samples(r: &mut Renderer<'_>, label: &str, samples: &[CodeSample], is_synced: bool) {
    let titles = distinct_titles(samples.iter().map(|sample| &sample.title));
    let chooser = if is_synced && titles.len() > 3 { Chooser::Menu } else { chooser(&titles) };
    let panels = Panels::start(r, label, titles, chooser);
    for (at, sample) in samples.iter().enumerate() {
        panels.open(r, at, &sample.attributes);
        write_code(r, sample, false);
        panels.close(r);
    }
}

/// Writes a card of the right column, unless the author has written one of its kind.
fn write_card(r: &mut Renderer<'_>, id: &str, is_synced: bool, write: impl FnOnce(&mut Renderer<'_>)) {
    if r.has_written_example(id != "response-example") {
        return;
    }
    // a heading may have the anchor: the example stands without one then
    let anchor = r.ids.explicit(id).map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
    let html = r.capture(|r| {
        let sync = if is_synced { " data-sync" } else { "" };
        r.raw(&format!("<div class=\"api-example\"{anchor}{sync}>\n"));
        write(r);
        r.raw("</div>\n");
    });
    if r.mode == PageMode::Default { r.page.aside.push_str(&html) } else { r.raw(&html) }
}

/// Titles of which no two are the same.
fn distinct_titles<'t>(titles: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut numbers = base::numbering::Numbering::default();
    let mut used = rustc_hash::FxHashSet::default();
    titles.map(|title| numbers.first_free(title.clone(), ' ', 2, |title| used.insert(title.to_owned()))).collect()
}

fn write_code(r: &mut Renderer<'_>, sample: &CodeSample, title_shown: bool) {
    let options = BlockOptions {
        lang: sample.language.clone(),
        title: title_shown.then(|| sample.title.clone()),
        ..BlockOptions::default()
    };
    code::write_code(r, &CodeBlock { code: &sample.code, options: &options, icon: "", title_shown });
    r.raw("\n");
}
