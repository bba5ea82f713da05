//! Pages with `api: METHOD /path` in their front matter: what docs.json says of all of them, `api.mdx`. Everything else
//! their authors write.

use serde_json::Value;

use base::html::{self, escape_html_text};
use base::refs::is_refused_address;
use render::playground::{Playground, PlaygroundServer};
use site::page::{Endpoint, FrontMatter};
use templates::words::Words;

/// The header of a key, unless `api.mdx.auth.name` says another.
const KEY_HEADER: &str = "x-api-key";

/// Puts the servers and the credential before the content of a page, and notes what its console may ask.
pub fn add_operation(
    page: &mut render::RenderedPage,
    api: &Value,
    meta: &FrontMatter,
    endpoint: &Endpoint,
    words: &Words,
) {
    let mdx = api.get("mdx");
    let servers = servers(mdx.and_then(|mdx| mdx.get("server")));
    let mut out = String::from("<div class=\"api\" data-component=\"Operation\" data-method=\"");
    html::push_attr(&mut out, &endpoint.method);
    out.push_str("\" data-path=\"");
    html::push_attr(&mut out, &endpoint.path);
    out.push_str("\">\n");
    if !servers.is_empty() {
        out.push_str("<div class=\"api-servers\" data-chrome hidden>");
        for server in &servers {
            out.push_str("<div class=\"api-server\" data-server=\"");
            html::push_attr(&mut out, server);
            out.push_str("\"><code>");
            out.push_str(&escape_html_text(server));
            out.push_str("</code></div>");
        }
        out.push_str("</div>\n");
    }
    let auth = mdx.and_then(|mdx| mdx.get("auth"));
    let text = |key: &str| auth.and_then(|auth| auth.get(key)).and_then(Value::as_str);
    let method = meta.auth_method.as_deref().or_else(|| text("method"));
    if let Some(credential) = method.and_then(|method| credential_of_method(method, text("name"))) {
        push_credential(&mut out, page, &credential, words);
    }
    out.push_str("</div>\n");
    page.html.insert_str(0, &out);
    // a path may be a whole address
    let named = if endpoint.path.contains("://") { vec![endpoint.path.clone()] } else { servers };
    page.playground = Some(Playground { servers: named.iter().map(|url| PlaygroundServer::fixed(url)).collect() });
}

/// `api.mdx.server`: one or several addresses.
fn servers(server: Option<&Value>) -> Vec<String> {
    let all: Vec<&Value> = match server {
        Some(Value::Array(all)) => all.iter().collect(),
        Some(one) => vec![one],
        None => Vec::new(),
    };
    let urls = all.into_iter().filter_map(Value::as_str).map(str::trim);
    urls.filter(|url| !url.is_empty() && !is_refused_address(url)).map(str::to_owned).collect()
}

/// A header that authorizes.
struct AuthorizingHeader<'a> {
    header: &'a str,
    scheme: &'static str,
    /// What readers know it by.
    label: &'static str,
}

/// The credential of an `authMethod`. `cobo` signs each request, which a page cannot do.
fn credential_of_method<'a>(method: &str, name: Option<&'a str>) -> Option<AuthorizingHeader<'a>> {
    let credential = |header, scheme, label| Some(AuthorizingHeader { header, scheme, label });
    match method {
        "bearer" => credential("Authorization", "bearer", "HTTP Bearer"),
        "basic" => credential("Authorization", "basic", "HTTP Basic"),
        "key" => credential(name.unwrap_or(KEY_HEADER), "apiKey", "API key"),
        _ => None,
    }
}

fn push_credential(
    out: &mut String,
    page: &mut render::RenderedPage,
    credential: &AuthorizingHeader<'_>,
    words: &Words,
) {
    let AuthorizingHeader { header, scheme, label } = credential;
    let mut id = "authorization-field".to_owned();
    while page.ids.binary_search(&id).is_ok() {
        id.push('-');
    }
    if let Err(at) = page.ids.binary_search(&id) {
        page.ids.insert(at, id.clone());
    }
    out.push_str(
        "<section class=\"api-section\" data-section=\"authorization\">\n<h2 class=\"api-heading\" data-chrome>",
    );
    out.push_str(words.api.authorization);
    out.push_str("</h2>\n<div class=\"api-requirement\">\n<div class=\"field\" data-name=\"");
    html::push_attr(out, header);
    out.push_str(&format!("\" id=\"{id}\" data-in=\"header\" data-scheme=\"{scheme}\">\n<div class=\"field-head\" data-chrome><code class=\"field-name\">"));
    out.push_str(&escape_html_text(header));
    out.push_str(&format!(
        "</code> <span class=\"field-type\" data-type>string</span> <span class=\"field-location\">{label}</span> \
         <span class=\"field-required\" data-pill=\"required\">{}</span></div>\n</div>\n</div>\n</section>\n",
        words.content.required
    ));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use templates::words::EN;

    fn page(api: &Value, own: Option<&str>, operation: &str) -> render::RenderedPage {
        let mut page = render::RenderedPage { html: "<p>own</p>".to_owned(), ..render::RenderedPage::default() };
        let meta = FrontMatter { auth_method: own.map(str::to_owned), ..FrontMatter::default() };
        add_operation(&mut page, api, &meta, &Endpoint::parse(operation).unwrap(), &EN);
        page
    }

    #[test]
    fn a_page_says_its_operation_before_its_content() {
        let page = page(&Value::Null, None, "post /a/{id}");
        let expect = "<div class=\"api\" data-component=\"Operation\" data-method=\"POST\" data-path=\"/a/{id}\">\n</div>\n<p>own</p>";
        assert_eq!((page.html.as_str(), page.playground), (expect, Some(Playground::default())));
    }

    #[test]
    fn servers_are_there_for_the_console() {
        let servers = |api: Value, operation: &str| page(&api, None, operation).playground.unwrap().origins();
        assert_eq!(servers(json!({"mdx": {"server": "https://a.b/v1"}}), "get /x"), ["https://a.b"]);
        assert_eq!(
            servers(json!({"mdx": {"server": ["https://a.b", " ", 1, "https://c.d"]}}), "get /x"),
            ["https://a.b", "https://c.d"]
        );
        assert_eq!(servers(json!({"mdx": {"server": "https://a.b"}}), "get https://e.f/x"), ["https://e.f"]);
        let html = page(&json!({"mdx": {"server": "https://a.b/?c=\"d"}}), None, "get /x").html;
        assert!(html.contains("<div class=\"api-servers\" data-chrome hidden><div class=\"api-server\" data-server=\"https://a.b/?c=&quot;d\">"), "{html}");
    }

    #[test]
    fn the_credential_is_that_of_the_page_or_of_the_site() {
        let scheme = |api: Value, own: Option<&str>| {
            let html = page(&api, own, "get /x").html;
            let part = |name: &str| {
                html.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split('"').next()).map(str::to_owned)
            };
            part("data-scheme").map(|scheme| format!("{scheme} {}", part("data-name").unwrap()))
        };
        let site = |method: &str| json!({"mdx": {"auth": {"method": method, "name": "X-Key"}}});
        assert_eq!(scheme(site("bearer"), None).unwrap(), "bearer Authorization");
        assert_eq!(scheme(site("key"), None).unwrap(), "apiKey X-Key");
        assert_eq!(scheme(Value::Null, Some("key")).unwrap(), "apiKey x-api-key");
        assert_eq!(scheme(site("bearer"), Some("basic")).unwrap(), "basic Authorization");
        assert_eq!(
            (scheme(site("bearer"), Some("none")), scheme(site("cobo"), None), scheme(Value::Null, None)),
            (None, None, None)
        );
    }

    #[test]
    fn an_id_of_the_author_is_not_taken() {
        let mut page =
            render::RenderedPage { ids: vec!["authorization-field".to_owned()], ..render::RenderedPage::default() };
        let api = json!({"mdx": {"auth": {"method": "bearer"}}});
        add_operation(&mut page, &api, &FrontMatter::default(), &Endpoint::parse("get /x").unwrap(), &EN);
        assert_eq!(page.ids, ["authorization-field", "authorization-field-"]);
    }
}
