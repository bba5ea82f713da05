//! Samples for Go, with its standard library.

use std::collections::BTreeSet;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, PLAIN};
use super::{native, parts};

pub(super) fn go_sample(request: &SampleRequest) -> String {
    let mut imports = BTreeSet::from(["fmt", "log", "net/http"]);
    let mut code = SampleCode::new("\t");
    code.open("func main() {");
    let (body, content_type) = write_go_body(&mut code, &request.body, &mut imports);
    let arguments = format!("{}, {}, {body}", go_string(&request.method), go_string(&request.url));
    code.line(format!("req, err := http.NewRequest({arguments})"));
    fail_on_error(&mut code);
    for (name, value) in &request.headers {
        // a server reads another field of the request
        if name.eq_ignore_ascii_case("host") {
            code.line(format!("req.Host = {}", go_string(value)));
        } else {
            code.line(format!("req.Header.Set({}, {})", go_string(name), go_string(value)));
        }
    }
    if let Some(content_type) = content_type {
        code.line(format!("req.Header.Set(\"Content-Type\", {content_type})"));
    }
    for (name, value) in &request.cookies {
        code.line(format!("req.AddCookie(&http.Cookie{{Name: {}, Value: {}}})", go_string(name), go_string(value)));
    }
    if let Some((user, password)) = &request.basic {
        code.line(format!("req.SetBasicAuth({}, {})", go_string(user), go_string(password)));
    }
    code.blank();
    code.line("res, err := http.DefaultClient.Do(req)");
    fail_on_error(&mut code);
    code.line("defer res.Body.Close()");
    code.blank();
    if parts::is_head(request) {
        code.line("fmt.Println(res.Status, res.Header)");
    } else {
        imports.insert("io");
        code.line("content, err := io.ReadAll(res.Body)");
        fail_on_error(&mut code);
        code.line("fmt.Println(string(content))");
    }
    code.close("}");
    if sends_file(&request.body) {
        imports.extend(["io", "os", "path/filepath"]);
        write_attach(&mut code);
    }
    let mut file = SampleCode::new("\t");
    file.line("package main");
    file.blank();
    file.open("import (");
    for import in imports {
        file.line(go_string(import));
    }
    file.close(")");
    file.blank();
    file.finish() + &code.finish()
}

fn go_string(text: &str) -> String {
    PLAIN.literal(text)
}

fn fail_on_error(code: &mut SampleCode) {
    code.open("if err != nil {");
    code.line("log.Fatal(err)");
    code.close("}");
}

fn sends_file(body: &SampleBody) -> bool {
    matches!(body, SampleBody::Multipart(parts) if parts.iter().any(|part| matches!(part.value, PartValue::File(_))))
}

/// Writes what has to stand before the request. Returns the expressions of the body and of its media type.
fn write_go_body(code: &mut SampleCode, body: &SampleBody, imports: &mut BTreeSet<&str>) -> (String, Option<String>) {
    let mut content_type = parts::content_type(body).map(go_string);
    let expression = match body {
        SampleBody::Empty => return ("nil".to_owned(), None),
        SampleBody::Json(_, value) => {
            imports.insert("strings");
            code.line(format!("payload := strings.NewReader({})", literal::go_block(&native::pretty_json(value))));
            "payload"
        }
        SampleBody::Text(_, content) => {
            imports.insert("strings");
            code.line(format!("payload := strings.NewReader({})", literal::go_block(content)));
            "payload"
        }
        SampleBody::Form(pairs) => {
            imports.extend(["net/url", "strings"]);
            code.line("form := url.Values{}");
            for (name, value) in pairs {
                code.line(format!("form.Add({}, {})", go_string(name), go_string(value)));
            }
            "strings.NewReader(form.Encode())"
        }
        SampleBody::Multipart(parts) => {
            imports.extend(["bytes", "mime/multipart"]);
            code.line("var payload bytes.Buffer");
            code.line("form := multipart.NewWriter(&payload)");
            for part in parts {
                write_go_part(code, part);
            }
            code.line("form.Close()");
            content_type = Some("form.FormDataContentType()".to_owned());
            "&payload"
        }
        SampleBody::File(_, name) => {
            imports.extend(["bytes", "os"]);
            code.line(format!("payload, err := os.ReadFile({})", go_string(name)));
            fail_on_error(code);
            "bytes.NewReader(payload)"
        }
    };
    code.blank();
    (expression.to_owned(), content_type)
}

fn write_go_part(code: &mut SampleCode, part: &MultipartPart) {
    let name = go_string(&part.name);
    match &part.value {
        PartValue::Text(value) => code.line(format!("form.WriteField({name}, {})", go_string(value))),
        PartValue::Json(value) => {
            code.line(format!("form.WriteField({name}, {})", raw(&native::compact(value))));
        }
        PartValue::File(file) => code.line(format!("attach(form, {name}, {})", go_string(file))),
    }
}

/// A raw string, so that the quotes of JSON need no backslashes.
fn raw(json: &str) -> String {
    if json.contains('`') { go_string(json) } else { format!("`{json}`") }
}

/// The function that adds a file to a form.
fn write_attach(code: &mut SampleCode) {
    code.blank();
    code.open("func attach(form *multipart.Writer, name, path string) {");
    code.line("file, err := os.Open(path)");
    fail_on_error(code);
    code.line("defer file.Close()");
    code.blank();
    code.line("part, err := form.CreateFormFile(name, filepath.Base(path))");
    fail_on_error(code);
    code.open("if _, err := io.Copy(part, file); err != nil {");
    code.line("log.Fatal(err)");
    code.close("}");
    code.close("}");
}
