//! Samples for Kotlin, with OkHttp.

use std::collections::BTreeSet;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, KOTLIN};
use super::{native, parts};

const TO_MEDIA_TYPE: &str = "okhttp3.MediaType.Companion.toMediaType";
const TO_BODY: &str = "okhttp3.RequestBody.Companion.toRequestBody";
const AS_BODY: &str = "okhttp3.RequestBody.Companion.asRequestBody";

pub(super) fn kotlin_sample(request: &SampleRequest) -> String {
    let mut imports = BTreeSet::from(["okhttp3.OkHttpClient", "okhttp3.Request"]);
    let mut code = SampleCode::new("    ");
    code.open("fun main() {");
    code.line("val client = OkHttpClient()");
    code.blank();
    let has_body = write_kotlin_body(&mut code, &request.body, &mut imports);
    code.open("val request = Request.Builder()");
    code.line(format!(".url({})", kotlin_string(&request.url)));
    for (name, value) in &request.headers {
        code.line(format!(".header({}, {})", kotlin_string(name), kotlin_string(value)));
    }
    if let Some((user, password)) = &request.basic {
        imports.insert("okhttp3.Credentials");
        code.line(format!(
            ".header(\"Authorization\", Credentials.basic({}, {}))",
            kotlin_string(user),
            kotlin_string(password)
        ));
    }
    if !request.cookies.is_empty() {
        code.line(format!(".header(\"Cookie\", {})", kotlin_string(&parts::cookie_header(&request.cookies))));
    }
    code.line(match (request.method.as_str(), has_body) {
        (method @ ("POST" | "PUT" | "PATCH" | "DELETE"), true) => format!(".{}(body)", method.to_lowercase()),
        (method @ ("GET" | "HEAD" | "DELETE"), false) => format!(".{}()", method.to_lowercase()),
        // these have to have one
        (method @ ("POST" | "PUT" | "PATCH"), false) => {
            imports.insert(TO_BODY);
            format!(".{}(\"\".toRequestBody())", method.to_lowercase())
        }
        (method, true) => format!(".method({}, body)", kotlin_string(method)),
        (method, false) => format!(".method({}, null)", kotlin_string(method)),
    });
    code.line(".build()");
    code.close("");
    code.open("client.newCall(request).execute().use { response ->");
    code.line(if parts::is_head(request) { "println(response.headers)" } else { "println(response.body?.string())" });
    code.close("}");
    code.close("}");
    let imports: String = imports.into_iter().map(|import| format!("import {import}\n")).collect();
    format!("{imports}\n{}", code.finish())
}

fn kotlin_string(text: &str) -> String {
    KOTLIN.literal(text)
}

fn media_type(media: &str) -> String {
    format!("{}.toMediaType()", kotlin_string(media))
}

/// Writes the body. Returns whether there is one.
fn write_kotlin_body(code: &mut SampleCode, body: &SampleBody, imports: &mut BTreeSet<&str>) -> bool {
    match body {
        SampleBody::Empty => return false,
        SampleBody::Json(media, value) => write_text(code, media, &native::pretty_json(value), imports),
        SampleBody::Text(media, content) => write_text(code, media, content, imports),
        SampleBody::Form(pairs) => {
            imports.insert("okhttp3.FormBody");
            code.open("val body = FormBody.Builder()");
            for (name, value) in pairs {
                code.line(format!(".add({}, {})", kotlin_string(name), kotlin_string(value)));
            }
            code.line(".build()");
            code.close("");
        }
        SampleBody::Multipart(parts) => {
            imports.insert("okhttp3.MultipartBody");
            code.open("val body = MultipartBody.Builder()");
            code.line(".setType(MultipartBody.FORM)");
            for part in parts {
                code.line(format!(".addFormDataPart({})", part_arguments(part, imports)));
            }
            code.line(".build()");
            code.close("");
        }
        SampleBody::File(media, name) => {
            imports.extend(["java.io.File", TO_MEDIA_TYPE, AS_BODY]);
            code.line(format!("val body = File({}).asRequestBody({})", kotlin_string(name), media_type(media)));
            code.blank();
        }
    }
    true
}

fn write_text(code: &mut SampleCode, media: &str, content: &str, imports: &mut BTreeSet<&str>) {
    imports.extend([TO_MEDIA_TYPE, TO_BODY]);
    let content = literal::kotlin_block(content, "        ", "    ");
    code.line(format!("val body = {content}.toRequestBody({})", media_type(media)));
    code.blank();
}

fn part_arguments(part: &MultipartPart, imports: &mut BTreeSet<&str>) -> String {
    let name = kotlin_string(&part.name);
    match &part.value {
        PartValue::Text(value) => format!("{name}, {}", kotlin_string(value)),
        PartValue::Json(value) => {
            imports.extend([TO_MEDIA_TYPE, TO_BODY]);
            let json = kotlin_string(&native::compact(value));
            format!("{name}, null, {json}.toRequestBody({})", media_type("application/json"))
        }
        PartValue::File(file) => {
            imports.extend(["java.io.File", TO_MEDIA_TYPE, AS_BODY]);
            let file_name = kotlin_string(parts::base_name(file));
            let body =
                format!("File({}).asRequestBody({})", kotlin_string(file), media_type("application/octet-stream"));
            format!("{name}, {file_name}, {body}")
        }
    }
}
