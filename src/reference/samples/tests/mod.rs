//! What samples say, what their literals hold, and what they send.

mod literals;
mod programs;
mod received;

use serde_json::{Value, json};

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::write_sample;
use render::code::Highlighter;
use site::sample_language::{SAMPLE_LANGUAGES, SampleLanguage};

fn language(name: &str) -> &'static SampleLanguage {
    SampleLanguage::from_name(name).unwrap_or_else(|| panic!("{name} is a language"))
}

/// What each kind of body looks like; the files are those of [`FILES`].
pub(super) fn bodies() -> Vec<(&'static str, SampleBody)> {
    let part = |name: &str, value| MultipartPart { name: name.to_owned(), value };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let text = |media: &str, text: &str| SampleBody::Text(media.to_owned(), text.to_owned());
    let json = |value| SampleBody::Json("application/json".to_owned(), value);
    vec![
        ("empty", SampleBody::Empty),
        ("json", json(document())),
        ("json null", json(Value::Null)),
        ("json text", json(json!("it's \"$5\""))),
        ("json list", json(json!([1, { "a": [] }, "b"]))),
        ("json patch", SampleBody::Json("application/merge-patch+json".to_owned(), json!({ "a": null }))),
        ("form", SampleBody::Form(vec![pair("name", "Ann & Bob's $5 + #{x}"), pair("a b", "é"), pair("size", "a4")])),
        ("form without fields", SampleBody::Form(Vec::new())),
        ("form with a list", SampleBody::Form(vec![pair("tag", "a b"), pair("tag", "c")])),
        (
            "multipart",
            SampleBody::Multipart(vec![
                part("title", PartValue::Text("Cover; \"$5\" @home".to_owned())),
                part("meta", PartValue::Json(json!({ "pages": 4, "a;b": "it's" }))),
                part("file", PartValue::File("proof.pdf".to_owned())),
                part("second", PartValue::File("b.png".to_owned())),
            ]),
        ),
        ("multipart without files", SampleBody::Multipart(vec![part("title", PartValue::Text("@Cover".to_owned()))])),
        ("text", text("application/xml", "<order>\n  <id a=\"1\">it's `5` $x \\ \"\"\" #{y}</id>\n\n</order>")),
        (
            "text with signs",
            text("text/plain; charset=utf-8", "@it's \"q\" \\ $HOME ${x} #{y} `z` é漢\r\n\t%s {b} '''"),
        ),
        ("file", SampleBody::File("image/png".to_owned(), "b.png".to_owned())),
    ]
}

/// JSON with what literals may get wrong.
fn document() -> Value {
    json!({
        "name": "Poster",
        "paper": { "weight": 170, "coated": true, "note": null, "gloss": false },
        "tags": ["a", "b"],
        "price": 12.5,
        "large": 5_000_000_000_i64,
        "negative": -3,
        "none": {},
        "nothing": [],
        "rows": [{ "a": 1 }, { "a": { "b": [] } }],
        "odd name's \"$key\" #{x}": "it's \"q\" \\ $HOME ${x} #{y} #@z `z` \u{7}\r\n\t é漢 \u{2019} %s {b} \\(a) '''\"\"\"",
        "1": { "2": 3 },
        "__proto__": 3,
        "if": "two\nlines",
        "a-b": "c",
    })
}

/// A request to this URL.
fn request(method: &str, url: &str, body: SampleBody) -> SampleRequest {
    SampleRequest {
        method: method.to_owned(),
        url: url.to_owned(),
        headers: vec![
            ("Authorization".to_owned(), "Bearer <token>".to_owned()),
            ("X-Shop".to_owned(), "it's \"5\" $1 #{x} \\n".to_owned()),
        ],
        body,
        ..SampleRequest::default()
    }
}

#[test]
fn languages_are_found_by_key_and_alias_in_any_case() {
    let names = "bash curl sh shell python py javascript js node nodejs node.js php go golang java ruby rb powershell \
                 swift csharp c# dotnet .net .NET dot-net typescript ts c c++ cpp kotlin kt rust rs dart flutter";
    for name in names.split_whitespace() {
        assert!(SampleLanguage::from_name(name).is_some(), "{name}");
        assert_eq!(SampleLanguage::from_name(&name.to_uppercase()), SampleLanguage::from_name(name));
    }
    assert_eq!(SampleLanguage::from_name("cobol"), None);
    assert_eq!(language("c++").label, "C++");
    let labels: Vec<_> = SampleLanguage::defaults().map(|language| language.label).collect();
    assert_eq!(labels, ["cURL", "Python", "JavaScript", "PHP", "Go", "Java", "Ruby"]);
}

#[test]
fn names_are_unambiguous() {
    let mut names: Vec<_> = SAMPLE_LANGUAGES.iter().flat_map(|row| row.aliases.iter().chain([&row.key])).collect();
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_language_is_highlighted() {
    let highlighter = Highlighter::default();
    for language in &SAMPLE_LANGUAGES {
        assert!(highlighter.label(language.highlighter).is_some(), "{}", language.key);
    }
}

#[test]
fn every_sample_names_method_and_url() {
    let url = "https://api.example.com/v1/orders/{order_id}/files?limit=10&sort=%5Bname%5D";
    for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"] {
        for language in &SAMPLE_LANGUAGES {
            for (kind, body) in bodies() {
                let text = write_sample(language, &request(method, url, body));
                assert!(text.contains(url), "{} {method} {kind}: {text}", language.key);
                let named = method == "HEAD" && text.contains("NOBODY") && text.contains("<?php");
                assert!(named || text.to_uppercase().contains(method), "{} {method} {kind}: {text}", language.key);
                assert!(!text.ends_with('\n') && !text.contains(" \n"), "{} {method} {kind}: {text}", language.key);
            }
        }
    }
}

#[test]
fn repeated_headers_are_one() {
    let mut request = request("GET", "https://example.com/", SampleBody::Empty);
    request.headers = vec![("X-Tag".to_owned(), "a".to_owned()), ("x-tag".to_owned(), "b".to_owned())];
    assert!(write_sample(language("curl"), &request).contains("--header 'X-Tag: a, b'"));
}

#[test]
fn a_sample_reads_as_written_by_hand() {
    let mut request = request(
        "POST",
        "https://api.example.com/v1/orders",
        SampleBody::Json("application/json".to_owned(), json!({ "paper": "silk", "copies": 250, "folds": [1, 2] })),
    );
    request.headers.truncate(1);
    assert_eq!(
        write_sample(language("curl"), &request),
        r#"curl --request POST \
  --url https://api.example.com/v1/orders \
  --header 'Authorization: Bearer <token>' \
  --header 'Content-Type: application/json' \
  --data '{
  "paper": "silk",
  "copies": 250,
  "folds": [1, 2]
}'"#
    );
    assert_eq!(
        write_sample(language("python"), &request),
        r#"import requests

url = "https://api.example.com/v1/orders"

payload = {
    "paper": "silk",
    "copies": 250,
    "folds": [1, 2],
}
headers = {
    "Authorization": "Bearer <token>",
}

response = requests.post(url, json=payload, headers=headers)

print(response.text)"#
    );
    assert_eq!(
        write_sample(language("ruby"), &request),
        r#"require "json"
require "net/http"

uri = URI("https://api.example.com/v1/orders")
request = Net::HTTP::Post.new(uri)
request["Authorization"] = "Bearer <token>"
request["Content-Type"] = "application/json"
request.body = JSON.generate({
  paper: "silk",
  copies: 250,
  folds: [1, 2]
})

response = Net::HTTP.start(uri.hostname, uri.port, use_ssl: true) do |http|
  http.request(request)
end

puts response.body"#
    );
}

#[test]
fn values_without_a_place_in_a_literal_do_not_end_it() {
    let hostile = "'\"`$(x)${y}#{z}\\\u{0}\u{202e}\u{2028}\n'''\"\"\"`;--";
    let mut request = request("POST", hostile, SampleBody::Text(hostile.to_owned(), hostile.to_owned()));
    request.headers = vec![(hostile.to_owned(), hostile.to_owned())];
    request.cookies = request.headers.clone();
    request.basic = Some((hostile.to_owned(), hostile.to_owned()));
    for language in &SAMPLE_LANGUAGES {
        let text = write_sample(language, &request);
        assert_eq!(text, write_sample(language, &request));
        assert!(!text.contains(['\u{0}', '\u{202e}', '\u{2028}']), "{}: {text}", language.key);
    }
    for method in ["", "é", "\"", "get"] {
        request.method = method.to_owned();
        for language in &SAMPLE_LANGUAGES {
            write_sample(language, &request);
        }
    }
}
