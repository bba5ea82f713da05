//! The page of an operation, its main column.

use base::html::{self, escape_html_text};
use base::refs::is_refused_address;
use base::short_text::has_html;

use super::about::AboutApi;
use super::fields::FieldId;
use super::limits::value_text;
use super::media::Media;
use super::operation::{Callback, Exchange, OperationBody, OperationPage, Response};
use super::operation_source::OperationSource;
use super::security::{CredentialKind, Requirement, SecurityCredential};
use super::server::ApiServer;
use super::write::{ReferenceWriter, chooser};
use render::component::tabs::Panels;

/// Writes the main column.
pub(crate) fn write_operation(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    source: &OperationSource<'_>,
    page: &OperationPage<'_, '_>,
    api: Option<&AboutApi<'_>>,
) {
    w.r.raw("<div class=\"api\" data-component=\"Operation\"");
    w.r.attr("data-method", &source.method);
    w.r.attr("data-path", source.path);
    w.r.raw(">\n");
    if let Some(api) = api {
        api.write(w);
    }
    let is_shown = !page.has_default_servers || page.servers.len() > 1 || w.settings.shows_server;
    write_servers(w, &page.servers, is_shown);
    write_requirements(w, &page.requirements);
    write_request(w, &page.exchange);
    write_callbacks(w, &page.callbacks);
    write_responses(w, &page.exchange.responses);
    w.r.raw("</div>\n");
}

/// Writes servers; those that are not shown are there for the console.
pub(crate) fn write_servers(w: &mut ReferenceWriter<'_, '_, '_, '_>, servers: &[ApiServer<'_>], is_shown: bool) {
    if servers.is_empty() {
        return;
    }
    // one line, which unfolds where there is more to say
    let title = format!("<span class=\"api-servers-title\">{}</span>", w.api().servers);
    let is_folded = is_shown && (servers.len() > 1 || servers.iter().any(|server| !server.variables.is_empty()));
    let end = if is_folded { "</details>\n" } else { "</div>\n" };
    if is_folded {
        w.r.raw(&format!("<details class=\"api-servers\" data-chrome><summary>{title} <code>"));
        w.r.text(&servers[0].filled());
        w.r.raw("</code>");
        if servers.len() > 1 {
            w.r.raw(&format!(" <span class=\"api-servers-more\">+{}</span>", servers.len() - 1));
        }
        w.r.raw("</summary>\n");
    } else {
        let hidden = if is_shown { "" } else { " hidden" };
        w.r.raw(&format!("<div class=\"api-servers\" data-chrome{hidden}>{title}\n"));
    }
    servers.iter().for_each(|server| write_server(w, server));
    w.r.raw(end);
}

/// Writes a server with its variables.
pub(crate) fn write_server(w: &mut ReferenceWriter<'_, '_, '_, '_>, server: &ApiServer<'_>) {
    w.r.raw("<div class=\"api-server\"");
    if !is_refused_address(&server.url) {
        w.r.attr("data-server", &server.url);
    }
    w.r.raw("><code>");
    w.r.text(&server.url);
    w.r.raw("</code>");
    if let Some(text) = server.description {
        w.r.raw(" <span>");
        w.inline(text);
        w.r.raw("</span>");
    }
    for variable in &server.variables {
        w.r.raw("<span class=\"api-variable\"");
        w.r.attr("data-variable", variable.name);
        w.r.attr("data-default", &variable.default);
        if !variable.values.is_empty() {
            w.r.attr("data-values", &variable.values.join(" "));
        }
        w.r.raw("><code>");
        w.r.text(variable.name);
        w.r.raw("</code> ");
        let values = if variable.values.is_empty() { variable.default.clone() } else { variable.values.join(", ") };
        w.r.text(&values);
        if let Some(text) = variable.description {
            w.r.raw(" ");
            w.inline(text);
        }
        w.r.raw("</span>");
    }
    w.r.raw("</div>\n");
}

/// Writes the credentials, alternatives one below the other.
pub(crate) fn write_requirements(w: &mut ReferenceWriter<'_, '_, '_, '_>, requirements: &[Requirement<'_>]) {
    if requirements.iter().all(|requirement| requirement.credentials.is_empty()) {
        return;
    }
    w.open_section("authorization", w.api().authorization);
    for (at, requirement) in requirements.iter().enumerate() {
        if at > 0 {
            w.r.raw(&format!("<p class=\"api-or\" data-chrome>{}</p>\n", w.api().or));
        }
        w.r.raw("<div class=\"api-requirement\">\n");
        if requirement.credentials.is_empty() {
            w.r.raw(&format!("<p data-chrome>{}</p>\n", w.api().no_authorization));
        }
        for credential in &requirement.credentials {
            write_credential(w, credential);
        }
        w.r.raw("</div>\n");
    }
    w.close_section();
}

pub(crate) fn write_credential(w: &mut ReferenceWriter<'_, '_, '_, '_>, credential: &SecurityCredential<'_>) {
    let fields = w.fields;
    let node = fields.node(credential.node);
    if matches!(credential.kind, CredentialKind::MutualTls | CredentialKind::Other) {
        return write_other_credential(w, credential, node.description);
    }
    let id = w.open_field(node, "authorization");
    w.r.raw("<div class=\"field-head\">");
    w.name(node.name, &id);
    w.r.raw(&format!(
        " <span class=\"field-type\" data-type>string</span> <span class=\"field-location\" data-chrome>{}</span>",
        escape_html_text(scheme_label(credential))
    ));
    w.r.raw(&format!(" <span class=\"field-required\" data-pill=\"required\">{}</span>", w.words.content.required));
    write_deprecation(w, credential);
    w.r.raw("</div>\n<div class=\"field-body\">\n");
    if let Some(text) = node.description {
        w.description(text);
    }
    let place = node.parameter.as_ref().and_then(|it| it.place).unwrap_or_default();
    let name = node.name;
    let scheme = credential.scheme.text("scheme").unwrap_or("Bearer");
    let sent = match (credential.kind, place) {
        (CredentialKind::Basic, _) => "Authorization: Basic <base64(user:password)>".to_owned(),
        (CredentialKind::Digest, _) => "Authorization: Digest <response>".to_owned(),
        (CredentialKind::Http, _) => format!("Authorization: {scheme} <credentials>"),
        (CredentialKind::Bearer | CredentialKind::OAuth2 | CredentialKind::OpenIdConnect, _) => {
            "Authorization: Bearer <token>".to_owned()
        }
        (CredentialKind::ApiKey, "query") => format!("?{name}=<key>"),
        (CredentialKind::ApiKey, "cookie") => format!("Cookie: {name}=<key>"),
        (CredentialKind::ApiKey, _) => format!("{name}: <key>"),
        (CredentialKind::MutualTls | CredentialKind::Other, _) => String::new(),
    };
    if !sent.is_empty() {
        w.r.raw(&format!(
            "<p class=\"field-fact\"><span data-chrome>{}</span> <code>{}</code></p>\n",
            w.api().sent_as,
            escape_html_text(&sent)
        ));
    }
    write_flows(w, credential);
    w.r.raw("</div>\n</div>\n");
}

/// Writes that a scheme is deprecated, which OpenAPI 3.2 has a word for.
fn write_deprecation(w: &mut ReferenceWriter<'_, '_, '_, '_>, credential: &SecurityCredential<'_>) {
    if credential.scheme.flag("deprecated") {
        let word = w.words.content.deprecated;
        w.r.raw(&format!(" <span class=\"field-deprecated\" data-pill=\"deprecated\">{word}</span>"));
    }
}

/// Writes a credential that is no value in a request: a certificate, or what a protocol of events asks for.
fn write_other_credential(
    w: &mut ReferenceWriter<'_, '_, '_, '_>,
    credential: &SecurityCredential<'_>,
    description: Option<&str>,
) {
    w.r.raw("<div class=\"field\" data-component=\"ParamField\"><div class=\"field-head\"><code class=\"field-name\">");
    w.r.text(credential.scheme_name);
    let label = escape_html_text(scheme_label(credential));
    w.r.raw(&format!("</code> <span class=\"field-location\" data-chrome>{label}</span>"));
    write_deprecation(w, credential);
    w.r.raw("</div>\n<div class=\"field-body\">\n");
    match description {
        Some(text) => w.description(text),
        None if credential.kind == CredentialKind::MutualTls => {
            w.r.raw(&format!("<p>{}</p>\n", w.api().client_certificate));
        }
        None => {}
    }
    w.r.raw("</div>\n</div>\n");
}

/// What readers know a scheme by.
fn scheme_label<'a>(credential: &SecurityCredential<'a>) -> &'a str {
    match credential.kind {
        CredentialKind::Basic => "HTTP Basic",
        CredentialKind::Bearer => "HTTP Bearer",
        CredentialKind::Digest => "HTTP Digest",
        CredentialKind::Http => "HTTP",
        CredentialKind::ApiKey => "API key",
        CredentialKind::OAuth2 => "OAuth 2.0",
        CredentialKind::OpenIdConnect => "OpenID Connect",
        CredentialKind::MutualTls => "mTLS",
        CredentialKind::Other => credential.scheme.text("type").unwrap_or(credential.scheme_name),
    }
}

/// Writes where tokens come from and what they must allow.
fn write_flows(w: &mut ReferenceWriter<'_, '_, '_, '_>, credential: &SecurityCredential<'_>) {
    let api = w.api();
    if let Some(address) = credential.scheme.text("openIdConnectUrl") {
        write_address(w, "OpenID Connect", address);
    }
    if let Some(address) = credential.scheme.text("oauth2MetadataUrl") {
        write_address(w, "OAuth 2.0 Metadata", address);
    }
    let document = w.fields.schemas().document();
    let mut said: Vec<(&str, &str)> = Vec::new();
    for (_, flow) in document.objects(credential.scheme.get("flows")) {
        for (key, word) in [
            ("authorizationUrl", api.authorization_url),
            ("deviceAuthorizationUrl", api.device_authorization_url),
            ("tokenUrl", api.token_url),
            ("refreshUrl", api.refresh_url),
        ] {
            // flows share addresses
            if let Some(address) = flow.text(key).filter(|address| !said.contains(&(key, address))) {
                said.push((key, address));
                write_address(w, word, address);
            }
        }
    }
    if credential.scopes.is_empty() {
        return;
    }
    let described = |scope: &str| {
        document.objects(credential.scheme.get("flows")).find_map(|(_, flow)| {
            flow.get("scopes").or_else(|| flow.get("availableScopes"))?.get(scope)?.as_str().map(str::to_owned)
        })
    };
    w.r.raw(&format!("<div class=\"field-values\"><span data-chrome>{}: </span><ul>", api.scopes));
    for scope in &credential.scopes {
        w.r.raw(&format!("<li><code>{}</code> ", escape_html_text(scope)));
        if let Some(text) = described(scope) {
            w.inline(&text);
        }
        w.r.raw("</li>");
    }
    w.r.raw("</ul></div>\n");
}

fn write_address(w: &mut ReferenceWriter<'_, '_, '_, '_>, word: &str, address: &str) {
    w.r.raw(&format!(
        "<p class=\"field-fact\"><span data-chrome>{word}</span> <code>{}</code></p>\n",
        escape_html_text(address)
    ));
}

/// Writes parameters and body.
fn write_request(w: &mut ReferenceWriter<'_, '_, '_, '_>, exchange: &Exchange<'_>) {
    w.component = "ParamField";
    for (place, root) in &exchange.parameters {
        let api = w.api();
        let title = match *place {
            "path" => api.path_parameters,
            "query" => api.query_parameters,
            "header" => api.headers,
            _ => api.cookies,
        };
        write_fields(w, place, title, *root);
    }
    if let Some(body) = &exchange.body {
        write_body(w, body);
    }
}

/// Writes a section of fields.
pub(crate) fn write_fields(w: &mut ReferenceWriter<'_, '_, '_, '_>, section: &str, title: &str, root: FieldId) {
    w.open_section(section, title);
    let fields = w.fields;
    if let Some(text) = fields.node(root).description {
        w.description(text);
    }
    for child in &fields.node(root).children {
        w.field(*child, "param");
    }
    w.close_section();
}

fn write_body(w: &mut ReferenceWriter<'_, '_, '_, '_>, body: &OperationBody<'_>) {
    w.open_marked_section("body", w.api().body, body.is_required);
    if let Some(text) = body.description {
        w.description(text);
    }
    write_media(w, &body.media, "param", if body.is_required { " data-required" } else { "" });
    w.close_section();
}

/// Writes bodies by their media types: one below the title of its type, several as tabs. `more`: further attributes.
fn write_media(w: &mut ReferenceWriter<'_, '_, '_, '_>, media: &[Media<'_>], anchor: &str, more: &str) {
    let attribute = |media: &Media<'_>| format!(" data-media-type=\"{}\"{more}", html::attr(media.name));
    if let [media] = media {
        w.r.raw(&format!(
            "<div class=\"api-media\"{}>\n<p class=\"api-media-type\" data-chrome>{}</p>\n",
            attribute(media),
            escape_html_text(media.name)
        ));
        write_media_root(w, media, anchor);
        return w.r.raw("</div>\n");
    }
    if media.is_empty() {
        return;
    }
    let titles: Vec<String> = media.iter().map(|media| media.name.to_owned()).collect();
    let label = w.api().media_types;
    w.r.raw("<div class=\"api-media-tabs\">\n");
    let panels = Panels::start(w.r, label, titles.clone(), chooser(&titles));
    for (at, media) in media.iter().enumerate() {
        panels.open(w.r, at, &attribute(media));
        write_media_root(w, media, anchor);
        panels.close(w.r);
    }
    w.r.raw("</div>\n");
}

fn write_media_root(w: &mut ReferenceWriter<'_, '_, '_, '_>, media: &Media<'_>, anchor: &str) {
    if media.schema.is_none() {
        return;
    }
    if let Some(text) = w.fields.node(media.root).facts.description {
        w.description(text);
    }
    w.root(media.root, anchor);
}

fn write_responses(w: &mut ReferenceWriter<'_, '_, '_, '_>, responses: &[Response<'_>]) {
    if responses.is_empty() {
        return;
    }
    w.component = "ResponseField";
    w.open_section("response", w.api().responses);
    let open = responses.iter().position(|response| response.status.starts_with('2')).unwrap_or(0);
    for (at, response) in responses.iter().enumerate() {
        write_response(w, response, at == open);
    }
    w.close_section();
}

fn write_response(w: &mut ReferenceWriter<'_, '_, '_, '_>, response: &Response<'_>, is_open: bool) {
    let has_more = response.media.iter().any(|media| media.schema.is_some())
        || response.headers.is_some()
        || !response.links.is_empty();
    let kind = response.status.chars().next().unwrap_or('d').to_ascii_lowercase();
    // nothing in a summary may be a link
    let is_lead = |text: &str| !text.contains(['\n', '[']) && !has_html(text);
    let lead = response.description.filter(|text| is_lead(text));
    let (open, tag) = match (has_more || lead.is_none(), is_open) {
        (true, true) => ("<details class=\"api-response\" open", "summary"),
        (true, false) => ("<details class=\"api-response\"", "summary"),
        (false, _) => ("<div class=\"api-response\"", "div"),
    };
    w.r.raw(open);
    w.r.attr("data-status", response.status);
    w.r.raw(&format!(
        "><{tag} class=\"api-response-head\"><span class=\"api-status\" data-class=\"{}\">{}</span> ",
        html::attr(&kind.to_string()),
        escape_html_text(response.status)
    ));
    if let Some(lead) = lead {
        w.r.raw("<span class=\"api-response-lead\">");
        w.r.inline_markdown(lead, false);
        w.r.raw("</span>");
    }
    if let [media] = response.media.as_slice() {
        w.r.raw(&format!(" <span class=\"api-response-type\" data-chrome>{}</span>", escape_html_text(media.name)));
    }
    w.r.raw(&format!("</{tag}>\n"));
    if let Some(text) = response.description.filter(|_| lead.is_none()) {
        w.description(text);
    }
    let anchor = format!("response-{}", response.status.to_ascii_lowercase());
    write_media(w, &response.media, &anchor, "");
    if let Some(root) = response.headers {
        w.r.raw(&format!(
            "<div class=\"api-part\" data-section=\"header\">\n<p class=\"api-part-title\" data-chrome>{}</p>\n",
            w.api().headers
        ));
        let fields = w.fields;
        for child in &fields.node(root).children {
            w.field(*child, &format!("{anchor}-header"));
        }
        w.r.raw("</div>\n");
    }
    write_links(w, response);
    w.r.raw(if tag == "summary" { "</details>\n" } else { "</div>\n" });
}

fn write_links(w: &mut ReferenceWriter<'_, '_, '_, '_>, response: &Response<'_>) {
    if response.links.is_empty() {
        return;
    }
    w.r.raw(&format!("<div class=\"api-part\"><p class=\"api-part-title\" data-chrome>{}</p>\n<ul>", w.api().links));
    for link in &response.links {
        w.r.raw(&format!("<li><code>{}</code> ", escape_html_text(link.name)));
        if let Some(operation) = link.operation {
            w.r.raw(&format!("→ <code>{}</code> ", escape_html_text(operation)));
        }
        for (name, value) in &link.values {
            let value = escape_html_text(&value_text(value));
            w.r.raw(&format!("<code>{}</code>: <code>{value}</code> ", escape_html_text(name)));
        }
        if let Some(text) = link.description {
            w.inline(text);
        }
        w.r.raw("</li>\n");
    }
    w.r.raw("</ul></div>\n");
}

fn write_callbacks(w: &mut ReferenceWriter<'_, '_, '_, '_>, callbacks: &[Callback<'_>]) {
    if callbacks.is_empty() {
        return;
    }
    w.open_section("callback", w.api().callbacks);
    for callback in callbacks {
        w.r.raw("<details class=\"api-callback\"");
        w.r.attr("data-callback", callback.name);
        w.r.raw("><summary><span class=\"method-pill\"");
        w.r.attr("data-method", &callback.method);
        w.r.raw(">");
        w.r.text(&callback.method);
        w.r.raw("</span> <code>");
        w.r.text(callback.name);
        w.r.raw("</code></summary>\n");
        w.r.raw(&format!(
            "<p class=\"field-fact\"><span data-chrome>{}</span> <code>{}</code></p>\n",
            w.api().sent_to,
            escape_html_text(callback.address)
        ));
        if let Some(text) = callback.description {
            w.description(text);
        }
        w.level = 3;
        write_request(w, &callback.exchange);
        write_responses(w, &callback.exchange.responses);
        w.level = 2;
        w.r.raw("</details>\n");
    }
    w.close_section();
    w.component = "ParamField";
}
