//! Samples for PowerShell 7, with `Invoke-RestMethod`.

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, powershell};
use super::{native, parts};

pub(super) fn powershell_sample(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("    ");
    if let Some((user, password)) = &request.basic {
        let secret = format!("ConvertTo-SecureString {} -AsPlainText -Force", powershell(password));
        code.line(format!("$secret = {secret}"));
        code.line(format!("$credential = [pscredential]::new({}, $secret)", powershell(user)));
        code.blank();
    }
    if !request.cookies.is_empty() {
        code.line("$session = [Microsoft.PowerShell.Commands.WebRequestSession]::new()");
        let origin = powershell(parts::url_origin(&request.url));
        for (name, value) in &request.cookies {
            let cookie = format!("[System.Net.Cookie]::new({}, {})", powershell(name), powershell(value));
            code.line(format!("$session.Cookies.Add({origin}, {cookie})"));
        }
        code.blank();
    }
    code.open("$request = @{");
    let standard = matches!(
        request.method.as_str(),
        "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "TRACE" | "OPTIONS" | "MERGE" | "PATCH"
    );
    let method = if standard { "Method" } else { "CustomMethod" };
    code.line(format!("{method} = {}", powershell(&request.method)));
    code.line(format!("Uri = {}", powershell(&request.url)));
    if request.basic.is_some() {
        code.line("Authentication = 'Basic'");
        code.line("Credential = $credential");
    }
    if !request.cookies.is_empty() {
        code.line("WebSession = $session");
    }
    if !request.headers.is_empty() {
        code.open("Headers = @{");
        for (name, value) in &request.headers {
            code.line(format!("{} = {}", powershell(name), powershell(value)));
        }
        code.close("}");
    }
    write_powershell_body(&mut code, &request.body);
    code.close("}");
    code.blank();
    code.line(if parts::is_head(request) {
        "(Invoke-WebRequest @request).Headers"
    } else {
        "Invoke-RestMethod @request"
    });
    code.finish()
}

fn write_powershell_body(code: &mut SampleCode, body: &SampleBody) {
    let content_type = |code: &mut SampleCode, media: &str, ascii: bool| {
        // without it, text is sent as ISO 8859-1
        let charset = if ascii || media.contains("charset") { "" } else { "; charset=utf-8" };
        code.line(format!("ContentType = {}", powershell(&format!("{media}{charset}"))));
    };
    match body {
        SampleBody::Empty => {}
        SampleBody::Json(media, value) => {
            let json = native::pretty_json(value);
            content_type(code, media, json.is_ascii());
            code.line(format!("Body = {}", literal::powershell_block(&json)));
        }
        SampleBody::Text(media, text) => {
            content_type(code, media, text.is_ascii());
            code.line(format!("Body = {}", literal::powershell_block(text)));
        }
        SampleBody::Form(pairs) => {
            content_type(code, "application/x-www-form-urlencoded", true);
            if parts::has_repeated_name(parts::pair_names(pairs)) {
                code.line(format!("Body = {}", powershell(&parts::encoded_form(pairs))));
                return;
            }
            code.open("Body = @{");
            for (name, value) in pairs {
                code.line(format!("{} = {}", powershell(name), powershell(value)));
            }
            code.close("}");
        }
        SampleBody::Multipart(parts) => {
            code.open("Form = @{");
            let mut names: Vec<&str> = Vec::new();
            for part in parts {
                if names.iter().any(|name| name.eq_ignore_ascii_case(&part.name)) {
                    continue;
                }
                names.push(&part.name);
                let same = parts.iter().filter(|other| other.name.eq_ignore_ascii_case(&part.name));
                let values: Vec<String> = same.map(part_value).collect();
                let value = if values.len() == 1 { values.concat() } else { format!("@({})", values.join(", ")) };
                code.line(format!("{} = {value}", powershell(&part.name)));
            }
            code.close("}");
        }
        SampleBody::File(media, name) => {
            content_type(code, media, true);
            code.line(format!("InFile = {}", powershell(name)));
        }
    }
}

fn part_value(part: &MultipartPart) -> String {
    match &part.value {
        PartValue::Text(text) => powershell(text),
        PartValue::Json(value) => powershell(&native::compact(value)),
        PartValue::File(name) => format!("(Get-Item -LiteralPath {})", powershell(name)),
    }
}
