//! Samples for Swift, with Foundation.

use super::super::request::{MultipartPart, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, BRACED};
use super::{native, parts};

pub(super) fn swift_sample(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("    ");
    code.line("import Foundation");
    code.blank();
    if let SampleBody::Multipart(parts) = &request.body {
        write_swift_multipart(&mut code, parts);
    }
    code.line(format!("var request = URLRequest(url: URL(string: {})!)", swift_string(&request.url)));
    code.line(format!("request.httpMethod = {}", swift_string(&request.method)));
    let header = |code: &mut SampleCode, name: &str, value: &str| {
        code.line(format!("request.setValue({value}, forHTTPHeaderField: {})", swift_string(name)));
    };
    for (name, value) in &request.headers {
        header(&mut code, name, &swift_string(value));
    }
    if let Some((user, password)) = &request.basic {
        let pair = swift_string(&format!("{user}:{password}"));
        code.line(format!("let credentials = Data({pair}.utf8).base64EncodedString()"));
        header(&mut code, "Authorization", "\"Basic \\(credentials)\"");
    }
    if !request.cookies.is_empty() {
        // otherwise the header is written from the cookies of the session
        code.line("request.httpShouldHandleCookies = false");
        header(&mut code, "Cookie", &swift_string(&parts::cookie_header(&request.cookies)));
    }
    if let Some(media) = parts::content_type(&request.body) {
        header(&mut code, "Content-Type", &swift_string(media));
    }
    match &request.body {
        SampleBody::Empty => {}
        SampleBody::Json(_, value) => {
            let json = literal::swift_block(&native::pretty_json(value));
            code.line(format!("request.httpBody = Data({json}.utf8)"));
        }
        SampleBody::Text(_, content) => {
            code.line(format!("request.httpBody = Data({}.utf8)", literal::swift_block(content)));
        }
        SampleBody::Form(pairs) => {
            code.line(format!("request.httpBody = Data({}.utf8)", swift_string(&parts::encoded_form(pairs))));
        }
        SampleBody::Multipart(_) => {
            header(&mut code, "Content-Type", "\"multipart/form-data; boundary=\\(boundary)\"");
            code.line("request.httpBody = body");
        }
        SampleBody::File(_, name) => {
            code.line(format!("request.httpBody = try Data(contentsOf: {})", file_url(name)));
        }
    }
    code.blank();
    if parts::is_head(request) {
        code.line("let (_, response) = try await URLSession.shared.data(for: request)");
        code.line("print(response)");
    } else {
        code.line("let (data, _) = try await URLSession.shared.data(for: request)");
        code.line("print(String(decoding: data, as: UTF8.self))");
    }
    code.finish()
}

fn swift_string(text: &str) -> String {
    BRACED.literal(text)
}

fn file_url(name: &str) -> String {
    format!("URL(fileURLWithPath: {})", swift_string(name))
}

fn write_swift_multipart(code: &mut SampleCode, list: &[MultipartPart]) {
    code.line("let boundary = UUID().uuidString");
    code.line("var body = Data()");
    for piece in parts::multipart_pieces(list) {
        code.line(match piece {
            parts::MultipartPiece::Boundary => "body.append(contentsOf: \"--\\(boundary)\\r\\n\".utf8)".to_owned(),
            parts::MultipartPiece::End => "body.append(contentsOf: \"--\\(boundary)--\\r\\n\".utf8)".to_owned(),
            parts::MultipartPiece::Text(content) => format!("body.append(contentsOf: {}.utf8)", swift_string(&content)),
            parts::MultipartPiece::File(name) => format!("body.append(try Data(contentsOf: {}))", file_url(&name)),
        });
    }
    code.blank();
}
