//! Samples for C#, with `HttpClient` and with RestSharp.

use base::cut::SliceText as _;

use super::super::request::{MultipartPart, PartValue, SampleBody, SampleRequest};
use super::code::SampleCode;
use super::literal::{self, PLAIN};
use super::{native, parts};

/// The indentation of a raw string.
const BLOCK_INDENT: &str = "    ";

fn dotnet_string(text: &str) -> String {
    PLAIN.literal(text)
}

fn dotnet_block(content: &str) -> String {
    literal::csharp_block(content, BLOCK_INDENT)
}

pub(super) fn http_client(request: &SampleRequest) -> String {
    let content = http_content(&request.body);
    let parsed_type = matches!(&request.body, SampleBody::File(..))
        || matches!(&request.body, SampleBody::Json(media, _) | SampleBody::Text(media, _) if media.contains(';'));
    let mut code = SampleCode::new("    ");
    if request.basic.is_some() || parsed_type {
        code.line("using System.Net.Http.Headers;");
    }
    if request.basic.is_some() || content.contains("Encoding.") {
        code.line("using System.Text;");
    }
    if request.basic.is_some() || parsed_type || content.contains("Encoding.") {
        code.blank();
    }
    code.line("using var client = new HttpClient();");
    let arguments = format!("{}, {}", http_method(&request.method), dotnet_string(&request.url));
    code.line(format!("using var request = new HttpRequestMessage({arguments});"));
    if !content.is_empty() {
        code.line(format!("request.Content = {content};"));
    }
    if let SampleBody::File(media, _) = &request.body {
        code.line(format!(
            "request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse({});",
            dotnet_string(media)
        ));
    }
    for (name, value) in &request.headers {
        // headers about the content are kept with it
        let of_content = name.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("content-"));
        let headers = if of_content && !content.is_empty() { "request.Content.Headers" } else { "request.Headers" };
        code.line(format!("{headers}.Add({}, {});", dotnet_string(name), dotnet_string(value)));
    }
    if let Some((user, password)) = &request.basic {
        let pair = dotnet_string(&format!("{user}:{password}"));
        code.line(format!("var credentials = Convert.ToBase64String(Encoding.UTF8.GetBytes({pair}));"));
        code.line("request.Headers.Authorization = new AuthenticationHeaderValue(\"Basic\", credentials);");
    }
    if !request.cookies.is_empty() {
        code.line(format!(
            "request.Headers.Add(\"Cookie\", {});",
            dotnet_string(&parts::cookie_header(&request.cookies))
        ));
    }
    code.blank();
    code.line("using var response = await client.SendAsync(request);");
    code.line(if parts::is_head(request) {
        "Console.WriteLine(response.Headers);"
    } else {
        "Console.WriteLine(await response.Content.ReadAsStringAsync());"
    });
    code.finish()
}

fn http_method(method: &str) -> String {
    match method {
        "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "TRACE" => {
            format!("HttpMethod.{}{}", method.slice(..1), method.slice(1..).to_lowercase())
        }
        _ => format!("new HttpMethod({})", dotnet_string(method)),
    }
}

/// The expression of the content; empty where there is none.
fn http_content(body: &SampleBody) -> String {
    let string_content = |media: &str, content: &str| {
        if media.contains(';') {
            format!(
                "new StringContent({}, MediaTypeHeaderValue.Parse({}))",
                dotnet_block(content),
                dotnet_string(media)
            )
        } else {
            format!("new StringContent({}, Encoding.UTF8, {})", dotnet_block(content), dotnet_string(media))
        }
    };
    match body {
        SampleBody::Empty => String::new(),
        SampleBody::Json(media, value) => string_content(media, &native::pretty_json(value)),
        SampleBody::Text(media, content) => string_content(media, content),
        SampleBody::Form(pairs) => {
            let mut code = SampleCode::new("    ");
            code.open("new FormUrlEncodedContent([");
            for (name, value) in pairs {
                code.line(format!("new({}, {}),", dotnet_string(name), dotnet_string(value)));
            }
            code.close("])");
            code.finish().trim_end().to_owned()
        }
        SampleBody::Multipart(parts) => {
            let mut code = SampleCode::new("    ");
            code.line("new MultipartFormDataContent");
            code.open("{");
            for part in parts {
                code.line(format!("{{ {} }},", http_part(part)));
            }
            code.close("}");
            code.finish().trim_end().to_owned()
        }
        SampleBody::File(_, name) => format!("new StreamContent(File.OpenRead({}))", dotnet_string(name)),
    }
}

fn http_part(part: &MultipartPart) -> String {
    let name = dotnet_string(&part.name);
    match &part.value {
        PartValue::Text(value) => format!("new StringContent({}), {name}", dotnet_string(value)),
        PartValue::Json(value) => {
            let json = dotnet_string(&native::compact(value));
            format!("new StringContent({json}, Encoding.UTF8, \"application/json\"), {name}")
        }
        PartValue::File(file) => {
            let file_name = dotnet_string(parts::base_name(file));
            format!("new StreamContent(File.OpenRead({})), {name}, {file_name}", dotnet_string(file))
        }
    }
}

pub(super) fn rest_sharp(request: &SampleRequest) -> String {
    let mut code = SampleCode::new("    ");
    code.line("using RestSharp;");
    if request.basic.is_some() {
        code.line("using RestSharp.Authenticators;");
    }
    code.blank();
    if let Some((user, password)) = &request.basic {
        code.line("var options = new RestClientOptions");
        code.open("{");
        code.line(format!(
            "Authenticator = new HttpBasicAuthenticator({}, {})",
            dotnet_string(user),
            dotnet_string(password)
        ));
        code.close("};");
        code.line("using var client = new RestClient(options);");
    } else {
        code.line("using var client = new RestClient();");
    }
    let method = match request.method.as_str() {
        method @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") => {
            format!("Method.{}{}", method.slice(..1), method.slice(1..).to_lowercase())
        }
        // not among those that the client knows
        _ => return http_client(request),
    };
    code.line(format!("var request = new RestRequest({}, {method});", dotnet_string(&request.url)));
    for (name, value) in &request.headers {
        code.line(format!("request.AddHeader({}, {});", dotnet_string(name), dotnet_string(value)));
    }
    for (name, value) in &request.cookies {
        let host = dotnet_string(parts::host(&request.url));
        code.line(format!("request.AddCookie({}, {}, \"/\", {host});", dotnet_string(name), dotnet_string(value)));
    }
    rest_body(&mut code, &request.body);
    code.blank();
    code.line("var response = await client.ExecuteAsync(request);");
    if parts::is_head(request) {
        code.line("Console.WriteLine(string.Join(\"\\n\", response.Headers!));");
    } else {
        code.line("Console.WriteLine(response.Content);");
    }
    code.finish()
}

fn rest_body(code: &mut SampleCode, body: &SampleBody) {
    match body {
        SampleBody::Empty => {}
        SampleBody::Json(media, value) => {
            code.line(format!(
                "request.AddStringBody({}, {});",
                dotnet_block(&native::pretty_json(value)),
                dotnet_string(media)
            ));
        }
        SampleBody::Text(media, content) => {
            code.line(format!("request.AddStringBody({}, {});", dotnet_block(content), dotnet_string(media)));
        }
        SampleBody::Form(pairs) => {
            for (name, value) in pairs {
                code.line(format!("request.AddParameter({}, {});", dotnet_string(name), dotnet_string(value)));
            }
        }
        SampleBody::Multipart(parts) => {
            code.line("request.AlwaysMultipartFormData = true;");
            for part in parts {
                let name = dotnet_string(&part.name);
                code.line(match &part.value {
                    PartValue::Text(value) => format!("request.AddParameter({name}, {});", dotnet_string(value)),
                    PartValue::Json(value) => {
                        format!("request.AddParameter({name}, {});", dotnet_string(&native::compact(value)))
                    }
                    PartValue::File(file) => format!("request.AddFile({name}, {});", dotnet_string(file)),
                });
            }
        }
        SampleBody::File(media, name) => {
            code.line(format!(
                "request.AddBody(File.ReadAllBytes({}), {});",
                dotnet_string(name),
                dotnet_string(media)
            ));
        }
    }
}
