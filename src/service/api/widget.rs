//! A small panel on the pages of previews: which pages the deployment changed.
//!
//! 1. Pages that a browser requests get one more script, from their own host, so that the policy of the page holds for
//!    it like for others.
//! 2. The script requests [`CHANGES`], which has the pages among the files that the commit changed, and links to them.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use serde_json::json;

use crate::store::LiveSite;
use frame::link::append_to_head;
use host::site::HostedSite;

use super::error_response::ErrorResponse;

const SCRIPT: &str = "/-/preview/changes.js";
const STYLE: &str = "/-/preview/changes.css";
const CHANGES: &str = "/-/preview/changes.json";

/// Largest page that gets the script, bytes.
const PAGE_BYTES: usize = 16 << 20;
/// Most pages that the panel lists.
const PAGES: usize = 200;

/// The files of the panel.
pub(super) fn widget_file(path: &str, site: &HostedSite, live: &LiveSite) -> Option<Response> {
    let (media_type, body) = match path {
        SCRIPT => ("text/javascript; charset=utf-8", Body::from(const { templates::text("service/changes.js") })),
        STYLE => ("text/css; charset=utf-8", Body::from(const { templates::text("service/changes.css") })),
        CHANGES => ("application/json", Body::from(changes(site, live))),
        _ => return None,
    };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Some(response)
}

/// The pages among the files that the live commit changed, as addresses of the site.
fn changes(site: &HostedSite, live: &LiveSite) -> String {
    let Some(commit) = &live.commit else { return json!({ "commit": null, "added": [], "modified": [] }).to_string() };
    let pages = |files: &[String]| -> Vec<String> {
        files.iter().filter_map(|file| page_address_of_file(site, file)).take(PAGES).collect()
    };
    let files = &commit.files_changed;
    json!({ "commit": commit.sha.get(..7), "added": pages(&files.added), "modified": pages(&files.modified) })
        .to_string()
}

/// The address of the page that a file of the source is, if the site has it.
fn page_address_of_file(site: &HostedSite, file: &str) -> Option<String> {
    let page = file.strip_suffix(".mdx").or_else(|| file.strip_suffix(".md"))?;
    let encoded: Vec<String> = page
        .split('/')
        .map(|part| percent_encoding::utf8_percent_encode(part, percent_encoding::NON_ALPHANUMERIC).to_string())
        .collect();
    let address = format!("/{}", encoded.join("/"));
    let found = site.respond(&Method::HEAD, &address, None, &HeaderMap::new()).status() == StatusCode::OK;
    found.then(|| if page == "index" { "/".to_owned() } else { address })
}

/// Whether a browser requests a page.
pub(super) fn is_page_requested(method: &Method, headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    matches!(*method, Method::GET | Method::HEAD) && accepts.is_some_and(|accepts| accepts.contains("text/html"))
}

/// The headers that request a page unencoded and whole, so that something can be put into it.
pub(super) fn as_it_is(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    for name in [header::ACCEPT_ENCODING, header::RANGE, header::IF_RANGE] {
        headers.remove(name);
    }
    headers
}

/// Puts the script into a page; what is no page stays as it is.
pub(super) async fn put_into(response: Response) -> Result<Response, ErrorResponse> {
    let is_html =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"));
    if !is_html
        || response.headers().contains_key(header::CONTENT_ENCODING)
        || response.status() == StatusCode::NOT_MODIFIED
    {
        return Ok(response);
    }
    let (mut head, body) = response.into_parts();
    let page = to_bytes(body, PAGE_BYTES).await.map_err(ErrorResponse::internal)?;
    let whole = append_to_head(&page, &format!("<script src=\"{SCRIPT}\" defer></script>\n"));
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.remove(header::ACCEPT_RANGES);
    Ok(Response::from_parts(head, Body::from(whole)))
}
