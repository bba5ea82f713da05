//! The site of `fixtures/api`, whose descriptions have every version. A small walk over a description says what each of
//! its pages has to say, field by field; descriptions of versions that are converted (Swagger 2.0, AsyncAPI 2.6) are
//! compared with what is written here.

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::read::{ApiPage, Item, collapse};
use super::{lines, yaml};
use crate::suite::site::{Exported, SiteTest, fixture};

/// The fixture, exported once.
static SITE: LazyLock<Exported> = LazyLock::new(|| SiteTest::fixture("api").other_diagnostics().run());

/// Names below each other that are compared.
const DEPTH: usize = 4;
/// Methods of a path.
const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/// A description whose references to other files name `x-files` of the first file's folder.
struct Document {
    root: Value,
    files: BTreeMap<String, Value>,
    main: String,
}

impl Document {
    fn read(path: &str) -> Self {
        let (folder, main) = path.rsplit_once('/').expect("a folder");
        let root = fixture("api").join(folder);
        let mut files = BTreeMap::new();
        for entry in walkdir::WalkDir::new(&root).into_iter().flatten().filter(|entry| entry.file_type().is_file()) {
            let name = entry.path().strip_prefix(&root).expect("inside").to_string_lossy().into_owned();
            if folder.ends_with("partners") || name == main {
                files.insert(name, yaml(&fs::read_to_string(entry.path()).expect("a file")));
            }
        }
        let main = main.to_owned();
        Self { root: files[&main].clone(), files, main }
    }

    /// What a reference in a file leads to, and the file that it is in.
    fn at(&self, file: &str, reference: &str) -> (String, &Value) {
        let (path, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let target = if path.is_empty() { file.to_owned() } else { parts.join("/") };
        let value = self.files[&target].pointer(pointer).unwrap_or_else(|| panic!("{reference} of {file}"));
        (target, value)
    }

    /// An object with what its references lead to, as one; `x-file` says where it is from.
    fn plain(&self, file: &str, value: &Value) -> Map<String, Value> {
        let mut own = value.as_object().cloned().unwrap_or_default();
        let from = own.get("x-file").and_then(Value::as_str).unwrap_or(file).to_owned();
        own.insert("x-file".to_owned(), json!(from));
        let Some(Value::String(reference)) = own.remove("$ref") else { return own };
        let (file, target) = self.at(&from, &reference);
        let mut all = self.plain(&file, target);
        let place = all["x-file"].clone();
        own.remove("x-file");
        all.extend(own);
        all.insert("x-file".to_owned(), place);
        let pointer = reference.split_once('#').map_or("", |(_, pointer)| pointer);
        all.entry("x-name").or_insert_with(|| json!(format!("{file}#{pointer}")));
        all
    }
}

/// What a field has to say.
#[derive(Debug, Default)]
struct Expected {
    name: String,
    /// Words of which each has to be in its type.
    types: Vec<String>,
    required: bool,
    deprecated: bool,
    values: Vec<Value>,
    default: Option<Value>,
    description: Option<String>,
    children: Vec<Expected>,
    variants: Vec<Expected>,
    left_out: bool,
}

/// A schema as one object: `allOf` merged, `null` out of alternatives.
fn merged(document: &Document, file: &str, schema: &Value) -> Map<String, Value> {
    let mut all = document.plain(file, schema);
    let from = all["x-file"].as_str().expect("a file").to_owned();
    let mut parts: Vec<Value> = all.remove("allOf").and_then(|it| it.as_array().cloned()).unwrap_or_default();
    for key in ["oneOf", "anyOf"] {
        let Some(list) = all.get(key).and_then(Value::as_array).cloned() else { continue };
        let others: Vec<Value> = list.iter().filter(|it| it["type"] != "null").cloned().collect();
        if others.len() < list.len() {
            all.insert("nullable".to_owned(), json!(true));
        }
        if others.len() == 1 {
            all.remove(key);
            parts.extend(others);
        } else {
            all.insert(key.to_owned(), json!(others));
        }
    }
    for part in parts {
        for (key, value) in merged(document, &from, &part) {
            match (all.get_mut(&key), value) {
                (Some(Value::Object(known)), Value::Object(more)) if key == "properties" => {
                    more.into_iter().for_each(|(name, schema)| {
                        known
                            .entry(name)
                            .and_modify(|it| *it = json!({ "allOf": [it.clone(), schema.clone()] }))
                            .or_insert(schema);
                    });
                }
                (Some(Value::Array(known)), Value::Array(more)) if key == "required" => known.extend(more),
                (Some(_), _) => {}
                (None, value) => drop(all.insert(key, value)),
            }
        }
    }
    all
}

/// Whether only some groups of readers may see something.
fn is_hidden(value: &Value) -> bool {
    value.pointer("/x-mint/groups").is_some()
}

/// The expectation of a schema at a place.
fn expect(document: &Document, file: &str, name: &str, schema: &Value, way: &str, above: &[String]) -> Expected {
    let mut all = merged(document, file, schema);
    let mut out = Expected { name: name.to_owned(), ..Expected::default() };
    out.description = all.get("description").and_then(Value::as_str).map(str::to_owned);
    out.deprecated = all.get("deprecated") == Some(&json!(true));
    out.default = all.get("default").filter(|value| !value.is_null()).cloned();
    out.left_out = way == "request" && all.get("readOnly") == Some(&json!(true))
        || way == "response" && all.get("writeOnly") == Some(&json!(true));
    let own = all.get("x-name").and_then(Value::as_str).map(str::to_owned);
    let mut names = own.into_iter().collect::<Vec<_>>();
    // fields of the items stand below the array
    let mut is_array = false;
    for _ in 0..3 {
        let is_list = |all: &Map<String, Value>| all.get("type") == Some(&json!("array"));
        if !is_list(&all) {
            break;
        }
        is_array = true;
        let from = all["x-file"].as_str().expect("a file").to_owned();
        all = merged(document, &from, all.get("items").unwrap_or(&json!({})));
        names.extend(all.get("x-name").and_then(Value::as_str).map(str::to_owned));
    }
    let from = all["x-file"].as_str().expect("a file").to_owned();
    let types = match all.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ if all.contains_key("properties") => vec!["object"],
        _ => Vec::new(),
    };
    let is_file = all.get("format") == Some(&json!("binary"))
        || all.contains_key("contentMediaType") && !all.contains_key("contentEncoding");
    out.types = types.iter().map(|it| if is_file { "file".to_owned() } else { (*it).to_owned() }).collect();
    out.types.extend(is_array.then(|| "[]".to_owned()));
    out.types.extend(all.get("nullable").filter(|it| **it == json!(true)).map(|_| "null".to_owned()));
    out.values = all.get("enum").and_then(Value::as_array).cloned().unwrap_or_default();
    // what only some groups of readers may see is not in a site for all
    if let Some(hidden) = all.get("x-mint-enum").and_then(Value::as_object) {
        out.values.retain(|value| value.as_str().is_none_or(|value| !hidden.contains_key(value)));
    }
    out.values.extend(all.get("const").cloned());
    if names.iter().any(|name| above.contains(name)) || above.len() > 12 {
        return out;
    }
    let above: Vec<String> = above.iter().cloned().chain(names).collect();
    let required: Vec<&str> =
        all.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, schema) in all.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if is_hidden(schema) {
            continue;
        }
        let mut child = expect(document, &from, name, schema, way, &above);
        child.required = required.contains(&name.as_str());
        out.children.push(child);
    }
    if let Some(schema) = all.get("additionalProperties").filter(|it| it.as_object().is_some_and(|it| !it.is_empty())) {
        out.children.push(expect(document, &from, "{key}", schema, way, &above));
    }
    for key in ["oneOf", "anyOf"] {
        let alternatives = all.get(key).and_then(Value::as_array).into_iter().flatten();
        for alternative in alternatives.filter(|it| !is_hidden(it)) {
            out.variants.push(expect(document, &from, "", alternative, way, &above));
        }
    }
    out
}

/// What is missing or wrong in a field and below it.
fn compare(expected: &Expected, found: &Item, place: &str, depth: usize, wrong: &mut Vec<String>) {
    let types = found.types.join(" ");
    for word in &expected.types {
        if !types.contains(word) {
            wrong.push(format!("{place}: type `{types}` without `{word}`"));
        }
    }
    for value in &expected.values {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let has = |item: &Item| ["enum", "const"].iter().any(|kind| item.pills(kind).contains(&text.as_str()));
        if !value.is_null() && !has(found) {
            wrong.push(format!("{place}: no value {text} in {:?}", found.pills));
        }
    }
    if let Some(default) = &expected.default {
        let text = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
        if found.pills("default") != [text.as_str()] {
            wrong.push(format!("{place}: default {:?}, not {text}", found.pills("default")));
        }
    }
    for (kind, is_set) in [("required", expected.required), ("deprecated", expected.deprecated)] {
        if is_set == found.pills(kind).is_empty() && !found.name.is_empty() {
            wrong.push(format!("{place}: {kind} is {}", !is_set));
        }
    }
    if let Some(text) = &expected.description {
        // without Markdown and its spaces
        let words = |text: &str| text.chars().filter(|char| char.is_alphanumeric()).collect::<String>();
        if !words(&found.text).contains(&words(text)) {
            wrong.push(format!("{place}: no `{}` in `{}`", words(text), words(&found.text)));
        }
    }
    compare_below(expected, found, place, depth, wrong);
}

fn compare_below(expected: &Expected, found: &Item, place: &str, depth: usize, wrong: &mut Vec<String>) {
    if depth >= DEPTH {
        return;
    }
    for child in &expected.children {
        match found.fields.iter().find(|field| field.name == child.name) {
            Some(field) => compare(child, field, &format!("{place}.{}", child.name), depth + 1, wrong),
            None if child.left_out => {}
            None => wrong.push(format!("{place}: no field {}", child.name)),
        }
    }
    let names: Vec<&str> = expected.children.iter().map(|child| child.name.as_str()).collect();
    for field in &found.fields {
        if !names.contains(&field.name.as_str()) && field.name != "{key}" {
            wrong.push(format!("{place}: invented {}", field.name));
        }
    }
    if !found.variants.is_empty() || expected.variants.iter().any(|it| !it.children.is_empty()) {
        if expected.variants.len() != found.variants.len() {
            return wrong.push(format!(
                "{place}: {} alternatives, not {}",
                found.variants.len(),
                expected.variants.len()
            ));
        }
        for (at, (alternative, item)) in expected.variants.iter().zip(&found.variants).enumerate() {
            compare_below(alternative, item, &format!("{place}|{at}"), depth, wrong);
        }
    }
}

/// Compares bodies by media type.
fn compare_content(
    document: &Document,
    holder: &Map<String, Value>,
    page: &ApiPage,
    section: &str,
    way: &str,
    wrong: &mut Vec<String>,
) {
    let file = holder["x-file"].as_str().unwrap_or(&document.main).to_owned();
    for (media, value) in holder.get("content").and_then(Value::as_object).into_iter().flatten() {
        let name = format!("{section} {media}");
        let Some(found) = page.scopes.iter().find(|scope| scope.name == name) else {
            wrong.push(format!("no {name}"));
            continue;
        };
        if let Some(schema) = value.get("schema") {
            let mut expected = expect(document, &file, "", schema, way, &[]);
            // an object's type is not said of a whole body
            if !expected.children.is_empty() && found.types.is_empty() {
                expected.types.clear();
            }
            let is_map = expected.children.is_empty() && expected.variants.is_empty() && !found.fields.is_empty();
            if !is_map {
                compare(&expected, found, &name, 0, wrong);
            }
        }
    }
}

/// Compares what an operation says of parameters, body, responses.
fn compare_exchange(
    document: &Document,
    item: &Map<String, Value>,
    operation: &Map<String, Value>,
    page: &ApiPage,
    prefix: &str,
    wrong: &mut Vec<String>,
) {
    for holder in [item, operation] {
        let file = holder["x-file"].as_str().expect("a file");
        for parameter in holder.get("parameters").and_then(Value::as_array).into_iter().flatten() {
            let parameter = document.plain(file, parameter);
            let file = parameter["x-file"].as_str().expect("a file");
            let (name, place) =
                (parameter["name"].as_str().expect("a name"), parameter["in"].as_str().expect("a place"));
            let content = parameter.get("content").and_then(Value::as_object).and_then(|it| it.values().next());
            let schema =
                parameter.get("schema").or(content.and_then(|it| it.get("schema"))).cloned().unwrap_or_default();
            let mut expected = expect(document, file, name, &schema, "request", &[]);
            expected.required = parameter.get("required") == Some(&json!(true)) || place == "path";
            expected.deprecated |= parameter.get("deprecated") == Some(&json!(true));
            expected.description = parameter.get("description").and_then(Value::as_str).map(str::to_owned);
            let section = format!("{prefix}{place}");
            let scope = page.scopes.iter().find(|scope| scope.name == section);
            match scope.and_then(|scope| scope.fields.iter().find(|field| field.name == name)) {
                Some(found) => compare(&expected, found, &format!("{section}.{name}"), 1, wrong),
                None => wrong.push(format!("no {section} {name}")),
            }
        }
    }
    let file = operation["x-file"].as_str().expect("a file");
    let body = document.plain(file, operation.get("requestBody").unwrap_or(&Value::Null));
    compare_content(document, &body, page, &format!("{prefix}body"), "request", wrong);
    for (status, response) in operation.get("responses").and_then(Value::as_object).into_iter().flatten() {
        let response = document.plain(file, response);
        let section = format!("{prefix}response {status}");
        let Some(found) = page.scopes.iter().find(|scope| scope.name == section) else {
            wrong.push(format!("no {section}"));
            continue;
        };
        let words = collapse(&response["description"].as_str().unwrap_or_default().replace('`', ""));
        if !collapse(&found.text).contains(&words) {
            wrong.push(format!("{section}: no `{words}` in `{}`", found.text));
        }
        compare_content(document, &response, page, &section, "response", wrong);
        for (name, _) in response.get("headers").and_then(Value::as_object).into_iter().flatten() {
            let headers = page.scopes.iter().find(|scope| scope.name == format!("{section} header"));
            if !headers.is_some_and(|scope| scope.fields.iter().any(|field| field.name == *name)) {
                wrong.push(format!("{section}: no header {name}"));
            }
        }
    }
}

/// Compares all operations of a description with their pages.
fn compare_description(path: &str) -> (usize, Vec<String>) {
    let document = Document::read(path);
    let pages: Vec<(String, ApiPage)> =
        SITE.html().map(|path| (path.to_owned(), ApiPage::read(SITE.text_of(path)))).collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    let title = document.root["info"]["title"].as_str().expect("a title").to_owned();
    for (kind, key) in [("paths", "paths"), ("webhooks", "webhooks")] {
        for (name, item) in document.root.get(key).and_then(Value::as_object).into_iter().flatten() {
            let item = document.plain(&document.main, item);
            for method in METHODS {
                let Some(operation) = item.get(method).filter(|it| it["x-excluded"] != true && !is_hidden(it)) else {
                    continue;
                };
                let operation = document.plain(item["x-file"].as_str().expect("a file"), operation);
                let verb = if kind == "webhooks" { "WEBHOOK".to_owned() } else { method.to_uppercase() };
                let root = format!("Operation {verb} {name}");
                let Some((_, page)) = pages.iter().find(|(_, page)| page.root == root) else {
                    wrong.push(format!("{title}: no page of {root}"));
                    continue;
                };
                count += 1;
                let mut found = Vec::new();
                compare_exchange(&document, &item, &operation, page, "", &mut found);
                for (name, value) in operation.get("callbacks").and_then(Value::as_object).into_iter().flatten() {
                    let callback = document.plain(operation["x-file"].as_str().expect("a file"), value);
                    for (_, item) in callback.iter().filter(|(address, _)| !address.starts_with("x-")) {
                        let item = document.plain(&document.main, item);
                        for method in METHODS {
                            let Some(operation) = item.get(method) else { continue };
                            let operation = document.plain(&document.main, operation);
                            compare_exchange(
                                &document,
                                &item,
                                &operation,
                                page,
                                &format!("callback {name} "),
                                &mut found,
                            );
                        }
                    }
                }
                wrong.extend(found.into_iter().map(|text| format!("{root}: {text}")));
            }
        }
    }
    (count, wrong)
}

#[track_caller]
fn check(path: &str, operations: usize) {
    let (count, wrong) = compare_description(path);
    assert!(wrong.is_empty(), "{} of {count} operations\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, operations, "operations");
}

#[test]
fn openapi_3_1() {
    check("specs/print.yaml", 22);
}

#[test]
fn openapi_3_0() {
    check("specs/files.yaml", 7);
}

#[test]
fn openapi_in_several_files() {
    check("specs/partners/openapi.yaml", 3);
}

/// The outline of a page of the fixture.
#[track_caller]
fn outline(slug: &str) -> Vec<String> {
    ApiPage::read(SITE.text_of(&format!("{slug}.html"))).outline()
}

/// Compares the outline of a page of the fixture with what is written.
#[track_caller]
fn says(slug: &str, expected: &str) {
    assert_eq!(outline(slug), lines(expected), "{slug}");
}

#[test]
fn swagger_2_0() {
    let invoice = "
          kind: string; required
          number: integer<int64>; required; read-only
          state: enum<string>; required; enum open; enum paid; enum disputed
          total: number<double>; required; > 0; example 184.5
          due: string<date>
          lines: object[]
            text: string; example 250 posters, silk 170
            amount: number<float>
            taxes: object — Amounts by rate.
              {key}: number
          corrects: object; more The attributes of Invoice are described above.
          paid_by: string | null; label nullable — How it was paid, once it is.
    ";
    let account = "
        authorization
          Authorization: string; required — Account number and password. Authorization: Basic <base64(user:password)>
          api_key: string; required — ?api_key=<key>
    ";
    says(
        "api-reference/invoices/list-invoices",
        &format!(
            "{account}
        query
          year: integer<int32>; ≥ 2012 — Year of the invoice.
          state: enum<string>[]; enum open; enum paid; enum disputed — Only invoices in one of these states.
          columns: string[]
          ids: integer[]; items ≤ 50
        header
          X-Currency: string; default EUR; pattern ^[A-Z]{{3}}$
        response 200 — 200 The invoices, newest first.
        response 200 application/json: object[]{invoice}
        response 200 text/csv: object[]{invoice}
        response 200 header
          X-Pages: integer — How many pages there are."
        ),
    );
    says(
        "api-reference/invoices/dispute-an-invoice",
        &format!(
            "
        authorization
          Authorization: string; required — Authorization: Bearer <token> https://id.halftone.example/authorize https://id.halftone.example/token invoices:write Dispute invoices
        path
          number: integer<int64>; required — Number of the invoice.
        body — What is wrong with it.
        body application/json
          reason: string; required; length ≤ 400; example Two boxes were missing.
          lines: integer[] — Lines that are disputed; all of them otherwise.
        response 202 — 202 Somebody will look at it.
        response 202 application/json{invoice}"
        ),
    );
    says(
        "api-reference/invoices/attach-a-file",
        &format!(
            "{account}
        path
          number: integer<int64>; required
        body multipart/form-data
          file: file; required — A picture or a PDF.
          note: string
        response 204 — 204 It is attached."
        ),
    );
    says(
        "api-reference/statements/send-a-statement",
        &format!(
            "{account}
        body application/x-www-form-urlencoded
          month: string; required; pattern ^[0-9]{{4}}-[0-9]{{2}}$ — Year and month.
          email: string<email>
          copies: string[]
        response 200 — 200 The statement.
        response 200 application/json
          statement: string<uuid>
        response default — default What went wrong.
        response default application/json
          code: integer<int32>; required
          text: string"
        ),
    );
}

#[test]
fn asyncapi_3_0() {
    says(
        "events/job-status",
        "
        authorization
          token: string; required — A token for events from the dashboard. ?token=<key>
        path
          jobId: string; required; example job_3k2m9q7f — Identifier of the job, from the order.
        query
          since: string — Identifier of the last event that was received.
        header
          X-Client: string — Name and version of the program.
        operation — Job status Receive each step of a job.
        operation — Hold a job before its next step. At most ten a minute.
        message statusChanged — Status changed The job reached its next step.
          id: string; required — Identifier of the event.
          step: enum<string>; required; enum plates; enum printing; enum drying; enum cutting; enum packed
          press: string | integer — string By name integer By number
          progress: number; 0 ≤ x ≤ 1 — Share of the sheets that are done.
          at: string<date-time>; required
        message statusChanged header
          job: string; required; example job_3k2m9q7f — Identifier of the job.
          replyTo: string
        message jobFailed — Job failed The job stopped and waits for an operator.
          reason: enum<string>; required; enum paper_jam; enum web_break; enum out_of_ink
          since: string<date-time>
          sheets_lost: integer; default 0; ≥ 0
        message pauseJob — Pause job
          minutes: integer; 1 ≤ x ≤ 240 — Until somebody resumes it otherwise.
        ",
    );
}

#[test]
fn asyncapi_2_6() {
    says(
        "api-reference/scale-weighed",
        "
        authorization — The certificate of the device.
        path
          scaleId: string; required; pattern ^[0-9]{3}$ — Number of the scale.
        operation — A parcel was weighed Sent when the weight has been steady for a second.
        message Weighed — Weighed
          scale: string; required; example 014
          grams: integer; required; ≥ 0
          order: string — Identifier of the order, if the label was read.
        message Overload — Overload There is more on the scale than it can bear.
          scale: string
        ",
    );
    says(
        "api-reference/cutter-program",
        "
        authorization — The certificate of the device.
        operation — Load a cutting program
        message program — Cutting program
          cuts: number[]; required; items ≥ 1; > 0 — [] Distance from the gauge in millimeters.
          pressure: integer; default 5; 1 ≤ x ≤ 10
        message program header
          run: string<uuid>
          operator: string
        ",
    );
}
