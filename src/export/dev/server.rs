//! Answers browsers: pages, files, and the events that notify a page of its changes.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, Request, State as Shared};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event as Message, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use futures_core::Stream;
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::{DevReply, ShownPage, Workspace};
use base::html::escape_html_text;
use base::{BundlePath, Diagnostic};
use bundle::media_type;
use frame::link::append_to_head;
use frame::theme::rooted;
use http::range::{self, ByteRange};
use http::validator::has_version;

use super::notes::Notes;
use super::session::{BrowserState, DevSession};

/// The script that pages of the development server load, and nothing else does.
const CLIENT: &str = "/-/dev/client.js";

/// Answers requests until the listener fails.
pub(super) async fn serve_dev(
    listener: tokio::net::TcpListener,
    session: Arc<DevSession>,
    host: String,
) -> io::Result<()> {
    let router = Router::new()
        .route("/-/dev/events", get(event_response))
        .route(CLIENT, get(dev_client))
        .fallback(get(show_address))
        .layer(middleware::from_fn_with_state(Arc::new(host.to_ascii_lowercase()), guard_host))
        .with_state(session);
    axum::serve(listener, router).await
}

/// Turns away requests that name another host: a page from elsewhere could have its own name lead to this machine.
async fn guard_host(Shared(host): Shared<Arc<String>>, request: Request, next: Next) -> Response {
    let named = request.headers().get(header::HOST).and_then(|value| value.to_str().ok());
    let named = named.or_else(|| request.uri().host());
    if !named.is_some_and(|named| is_ours(named, &host)) {
        let message = "This development server accepts only localhost and IP addresses as host names. For another name, start it with --host NAME.\n";
        return (StatusCode::FORBIDDEN, message).into_response();
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, header::HeaderValue::from_static("nosniff"));
    response
}

/// Whether the value of a `Host` header means this server: an address, `localhost`, or the name that it was started
/// with.
fn is_ours(named: &str, host: &str) -> bool {
    let named = named.to_ascii_lowercase();
    if let Some((address, _)) = named.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<IpAddr>().is_ok();
    }
    let name = named.rsplit_once(':').map_or(named.as_str(), |(name, _)| name);
    name == "localhost" || name.ends_with(".localhost") || name == host || name.parse::<IpAddr>().is_ok()
}

async fn dev_client() -> Response {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    let script = SCRIPT.get_or_init(|| {
        let css = serde_json::Value::from(const { templates::text("dev/panel.css") }).to_string();
        const { templates::text("dev/client.js") }.replace("\"@panel.css@\"", &css)
    });
    (
        [(header::CONTENT_TYPE, media_type::media_type("client.js")), (header::CACHE_CONTROL, "no-cache")],
        script.as_str(),
    )
        .into_response()
}

/// The decoded path of an address, without its leading slash.
fn decode_url_path(path: &str) -> Option<String> {
    percent_decode_str(path.trim_start_matches('/')).decode_utf8().ok().map(|path| path.into_owned())
}

async fn show_address(Shared(session): Shared<Arc<DevSession>>, uri: Uri, headers: HeaderMap) -> Response {
    let state = session.state();
    let view = AddressView::of(&state, uri.path()).await;
    match view {
        AddressView::Page { path, shown, found } => {
            if found {
                session.tell_page(&path, &shown);
            }
            // the page for what is missing knows how far up the site begins
            let html = if found { None } else { rooted(&shown.html, uri.path()) };
            page_response(
                html.as_deref().unwrap_or(&shown.html),
                if found { StatusCode::OK } else { StatusCode::NOT_FOUND },
                &state_version(&state, shown.digest),
            )
        }
        AddressView::Waiting => {
            let reason = state.failure.as_ref().map_or("it is being loaded", |failure| failure.message.as_str());
            let waiting = const { templates::text("dev/waiting.html") }.replace("@reason@", &with_code(reason));
            page_response(&waiting, StatusCode::SERVICE_UNAVAILABLE, &state_version(&state, WAITING))
        }
        AddressView::File { path, bytes } => file_response(&path, &bytes, &headers),
        AddressView::Elsewhere(to) => match header::HeaderValue::from_str(&to) {
            Ok(to) => (
                StatusCode::TEMPORARY_REDIRECT,
                [(header::LOCATION, to), (header::CACHE_CONTROL, header::HeaderValue::from_static("no-store"))],
            )
                .into_response(),
            Err(_) => StatusCode::NOT_FOUND.into_response(),
        },
    }
}

/// A sentence as HTML, with its `code` set as code.
fn with_code(text: &str) -> String {
    let part = |(index, part): (usize, &str)| {
        if index % 2 == 1 { format!("<code>{}</code>", escape_html_text(part)) } else { escape_html_text(part) }
    };
    text.split('`').enumerate().map(part).collect()
}

/// What an address shows.
enum AddressView {
    Page {
        path: String,
        shown: Arc<ShownPage>,
        found: bool,
    },
    File {
        path: String,
        bytes: Arc<Vec<u8>>,
    },
    Elsewhere(String),
    /// There is no site yet.
    Waiting,
}

/// Stands for the digest of a page where there is no site.
const WAITING: u64 = 0;

impl AddressView {
    async fn of(state: &BrowserState, path: &str) -> Self {
        let Some(edition) = &state.edition else { return Self::Waiting };
        // what is no text is no page's name
        let path = decode_url_path(path).unwrap_or_else(|| "\u{fffd}".to_owned());
        let requested = path.clone();
        let answer = move |workspace: &Workspace<'_>| {
            let answer = workspace.answer(&requested);
            let address = if let DevReply::Page(shown) = &answer {
                workspace.address_of(shown).map(BundlePath::to_string)
            } else {
                None
            };
            (answer, address)
        };
        let Some((answer, address)) = edition.ask(answer).await else { return Self::Waiting };
        match answer {
            // a page has several addresses, and one name in messages
            DevReply::Page(shown) => Self::Page { path: address.unwrap_or(path), shown, found: true },
            DevReply::Missing(shown) => Self::Page { path, shown, found: false },
            DevReply::File { path, bytes } => Self::File { path, bytes },
            DevReply::Elsewhere(to) => Self::Elsewhere(to),
        }
    }

    fn digest(&self) -> u64 {
        match self {
            Self::Page { shown, .. } => shown.digest,
            _ => WAITING,
        }
    }
}

/// What a browser shows: the page, and how often what it loads has changed.
fn state_version(state: &BrowserState, digest: u64) -> String {
    format!("{digest:x}.{}.{}", state.files, state.styles)
}

/// A page, with the script of the development server.
fn page_response(html: &str, status: StatusCode, version: &str) -> Response {
    let script = format!("<script src=\"{CLIENT}\" data-version=\"{version}\" defer></script>\n");
    let body = append_to_head(html.as_bytes(), &script);
    (status, [(header::CONTENT_TYPE, media_type::media_type("page.html")), (header::CACHE_CONTROL, "no-store")], body)
        .into_response()
}

/// A file, or the range of it that a player requests; 304 if the browser has it.
fn file_response(path: &str, bytes: &[u8], headers: &HeaderMap) -> Response {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let tag = format!("\"{:x}\"", hasher.finish());
    let kind = [
        (header::CONTENT_TYPE, media_type::media_type(path)),
        (header::CACHE_CONTROL, "no-cache"),
        (header::ACCEPT_RANGES, "bytes"),
    ];
    let mut response = if has_version(headers, &tag) {
        (StatusCode::NOT_MODIFIED, kind).into_response()
    } else if let ByteRange::Part(first, end) = range::of_request(headers, &tag, bytes.len() as u64)
        && let Some(part) = usize::try_from(first).ok().zip(usize::try_from(end).ok())
        && let Some(part) = bytes.get(part.0..part.1)
    {
        let range = format!("bytes {first}-{}/{}", end - 1, bytes.len());
        (StatusCode::PARTIAL_CONTENT, kind, [(header::CONTENT_RANGE, range)], Body::from(part.to_vec())).into_response()
    } else {
        (kind, Body::from(bytes.to_vec())).into_response()
    };
    if let Ok(tag) = header::HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// What a browser says of itself.
#[derive(Deserialize)]
struct OpenPage {
    /// Path of the address that it shows, percent-encoded.
    page: String,
    /// The version that it shows.
    version: String,
}

/// A message to a browser.
#[derive(Serialize)]
struct VersionEvent<'a> {
    version: &'a str,
}

async fn event_response(Shared(session): Shared<Arc<DevSession>>, Query(reader): Query<OpenPage>) -> Response {
    let (sender, receiver) = mpsc::channel(8);
    tokio::spawn(follow_changes(session, reader, sender));
    Sse::new(Messages(receiver)).keep_alive(KeepAlive::default()).into_response()
}

/// Sends changes to one browser until it disconnects.
async fn follow_changes(session: Arc<DevSession>, reader: OpenPage, sender: mpsc::Sender<Message>) -> Option<()> {
    let mut changes = session.subscribe();
    let mut known = reader.version;
    let mut notes = String::new();
    loop {
        let state = changes.borrow_and_update().clone();
        let view = AddressView::of(&state, &reader.page).await;
        if let AddressView::Page { path, shown, found: true } = &view {
            session.tell_page(path, shown);
        }
        let now = state_version(&state, view.digest());
        if now != known {
            let styles_only =
                now.rsplit_once('.').map(|(rest, _)| rest) == known.rsplit_once('.').map(|(rest, _)| rest);
            known = now;
            let name = if styles_only { "styles" } else { "reload" };
            sender.send(event_message(name, &VersionEvent { version: &known })?).await.ok()?;
        }
        let found = view_problems(&state, view).await;
        let found = serde_json::to_string(&Notes::new(&session.settings().root, found)).ok()?;
        if found != notes {
            sender.send(Message::default().event("notes").data(&found)).await.ok()?;
            notes = found;
        }
        tokio::select! {
            changed = changes.changed() => changed.ok()?,
            () = sender.closed() => return None,
        }
    }
}

fn event_message(name: &str, data: &impl Serialize) -> Option<Message> {
    Message::default().event(name).json_data(data).ok()
}

/// What is wrong with what a browser shows: why the site is not the newest, the page, the site.
async fn view_problems(state: &BrowserState, view: AddressView) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = state.problem().into_iter().collect();
    if let AddressView::Page { shown, .. } = view {
        all.extend(shown.diagnostics.iter().cloned());
    }
    if let Some(edition) = &state.edition {
        all.extend(edition.ask(|workspace| workspace.diagnostics()).await.unwrap_or_default());
    }
    all
}

/// The messages to one browser.
struct Messages(mpsc::Receiver<Message>);

impl Stream for Messages {
    type Item = Result<Message, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|message| message.map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_names_are_ours() {
        for named in [
            "localhost",
            "localhost:3000",
            "docs.localhost:1",
            "127.0.0.1:3000",
            "[::1]:3000",
            "[::1]",
            "192.168.0.7:80",
            "My-Box.local:3000",
        ] {
            assert!(is_ours(named, "my-box.local"), "{named}");
        }
        for named in [
            "",
            "example.com",
            "example.com:3000",
            "localhost.example.com",
            "127.0.0.1.example.com:3000",
            "evillocalhost",
            "[evil]:1",
            "other.local",
        ] {
            assert!(!is_ours(named, "my-box.local"), "{named}");
        }
    }
}
