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

/// Writes the right column of an operation.
pub(crate) fn write_operation(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    source: &OperationSource<'_>,
    page: &OperationPage<'_, '_>,
) {
    let requests = match source.is_webhook() {
        true => payloads(w, page),
        false => requests(w, source, page),
    };
    let label = w.words.content.request_example;
    write_example(w.r, "request-example", label, &requests, true);
    let responses = responses(w, page);
    let label = w.words.content.response_example;
    write_example(w.r, "response-example", label, &responses, false);
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

/// What a webhook sends.
fn payloads(w: &ReferenceWriter<'_, '_, '_, '_>, page: &OperationPage<'_, '_>) -> Vec<CodeSample> {
    let media = page.exchange.body.iter().flat_map(|body| &body.media);
    media.flat_map(|media| media_samples(w, media, Direction::Request, "", "")).collect()
}

/// Examples of the responses, by status.
fn responses(w: &ReferenceWriter<'_, '_, '_, '_>, page: &OperationPage<'_, '_>) -> Vec<CodeSample> {
    let mut found = Vec::new();
    for response in &page.exchange.responses {
        let attributes = format!(" data-status=\"{}\"", html::attr(response.status));
        for media in &response.media {
            found.extend(media_samples(w, media, Direction::Response, response.status, &attributes));
        }
    }
    found
}

/// The examples of a media type; without one, an example of its schema if it is JSON.
fn media_samples(
    w: &ReferenceWriter<'_, '_, '_, '_>,
    media: &Media<'_>,
    direction: Direction,
    title: &str,
    attributes: &str,
) -> Vec<CodeSample> {
    let is_json = media::is_json(media.name);
    let language = language_of(media.name);
    let titled = |label: &str| match (title, label) {
        ("", "") => media.name.to_owned(),
        (title, "") => title.to_owned(),
        ("", label) => label.to_owned(),
        (title, label) => format!("{title} · {label}"),
    };
    let sample = |label: &str, code: String| CodeSample {
        title: titled(label),
        language: language.to_owned(),
        code,
        attributes: attributes.to_owned(),
    };
    let is_only = media.examples.len() == 1;
    let given: Vec<CodeSample> = media
        .examples
        .iter()
        .map(|example| sample(if is_only { "" } else { example.label }, display_example(example.value, is_json)))
        .collect();
    if !given.is_empty() {
        return given;
    }
    let Some(schema) = media.schema.filter(|_| is_json) else { return Vec::new() };
    let document = w.fields.schemas().document();
    if w.fields.node(media.root).facts.is_any() && w.fields.node(media.root).facts.example.is_none() {
        return Vec::new();
    }
    let shown = example::short_example(document.root(), schema, direction, MAX_EXAMPLE_LINES);
    vec![sample("", pretty_example(&shown))]
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
    if samples.is_empty() || r.has_written_example(id == "request-example") {
        return;
    }
    // a heading may have the anchor: the example stands without one then
    let anchor = r.ids.explicit(id).map(|id| format!(" id=\"{id}\"")).unwrap_or_default();
    let html = r.capture(|r| {
        let sync = if is_synced { " data-sync" } else { "" };
        r.raw(&format!("<div class=\"api-example\"{anchor}{sync}>\n"));
        match samples {
            [sample] => {
                r.raw(&format!("<div{}>", sample.attributes));
                write_code(r, sample, true);
                r.raw("</div>\n");
            }
            samples => {
                r.raw("<div class=\"code-tabs\">\n");
                let titles = distinct_titles(samples);
                let chooser = if is_synced && titles.len() > 3 { Chooser::Menu } else { chooser(&titles) };
                let panels = Panels::start(r, label, titles, chooser);
                for (at, sample) in samples.iter().enumerate() {
                    panels.open(r, at, &sample.attributes);
                    write_code(r, sample, false);
                    panels.close(r);
                }
                r.raw("</div>\n");
            }
        }
        r.raw("</div>\n");
    });
    if r.mode == PageMode::Default { r.page.aside.push_str(&html) } else { r.raw(&html) }
}

/// Titles of which no two are the same.
fn distinct_titles(samples: &[CodeSample]) -> Vec<String> {
    let mut numbers = base::numbering::Numbering::default();
    let mut used = rustc_hash::FxHashSet::default();
    samples
        .iter()
        .map(|sample| numbers.first_free(sample.title.clone(), ' ', 2, |title| used.insert(title.to_owned())))
        .collect()
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
