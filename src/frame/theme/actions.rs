//! The menu of a page (`contextual`): a button with the first option, and a menu with all of them.
//!
//! Links work without scripts. What needs one (copying, printing) is a button, which is hidden without. Options that
//! hand the page to a service need its whole address, and a deployment whose bundles may lead readers to services.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::utf8_percent_encode;

use super::fragment::{PagePlace, ROOT, clean_fragment};
use super::source::{ChromeInput, is_safe};
use super::source_links::COMPONENT;
use super::{ConfigTarget, icons::icon_html};
use base::BundlePath;
use base::html::{self, escape_html_text};
use base::url::{self, relative_url};
use site::contextual::{BuiltIn, Contextual, CustomOption, PageOption};
use site::page::PageEntry;
use templates::words::{self, ActionsWords};

/// Drawings by name: paths of strokes on a grid of 24. The script of the menu draws them.
pub(super) const ICONS: [(&str, &str); 7] = [
    ("copy", "M9 9h11v11H9zM15 9V4H4v11h5"),
    ("file", "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6"),
    ("down", "M12 4v11M7 10l5 5 5-5M5 20h14"),
    ("print", "M7 8V4h10v4M7 17H4V8h16v9h-3M7 14h10v6H7z"),
    ("chat", "M20 12a7.5 7.5 0 0 1-7.5 7.5H4l1.8-3A7.5 7.5 0 1 1 20 12z"),
    ("plug", "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4"),
    ("code", "m8 8-4 4 4 4M16 8l4 4-4 4"),
];
/// The mark of the button that opens the menu.
const CHEVRON: &str = "m6 9 6 6 6-6";

/// What a menu is made for.
#[derive(Clone, Copy)]
pub(super) struct MenuSubject<'a> {
    /// The page.
    pub(super) page: &'a PageEntry,
    /// Its file in the bundle, not encoded.
    pub(super) path: &'a str,
    /// The place of the page in the bundle.
    pub(super) place: &'a PagePlace,
    /// Its language.
    pub(super) lang: &'a str,
    /// The description of its operation: percent-encoded URL relative to the bundle's root.
    pub(super) spec: Option<&'a str>,
    /// `https://docs.example.com`, or empty.
    pub(super) base_url: &'a str,
}

/// What an item does.
enum Act {
    /// Something that the script does; with the text that it copies, if that is not the page's.
    Button(&'static str, Option<String>),
    /// A link; whether it leads out of the bundle, and whether the browser saves what is there.
    Link { url: String, outside: bool, saves: bool },
}

struct ActionItem {
    /// The name of a drawing of [`ICONS`].
    drawing: &'static str,
    /// HTML of the author's icon.
    icon: String,
    label: String,
    description: Option<String>,
    act: Act,
}

/// The menu as HTML; empty if it has no option here.
pub(super) fn page_actions_html(source: &ChromeInput<'_>, menu: &Contextual, about: &MenuSubject<'_>) -> String {
    let words = &words::for_language(about.lang).actions;
    let items: Vec<ActionItem> =
        menu.options.iter().filter_map(|option| page_action_item(source, option, about, words)).collect();
    let Some(first) = items.first() else { return String::new() };
    let markdown_page = BundlePath::sanitize(about.path).markdown_page();
    let mut out = String::with_capacity(1024);
    let copies = items.iter().any(|item| matches!(item.act, Act::Button("copy" | "text", _)));
    out.push_str("<div class=\"op-actions\" data-chrome");
    if copies {
        push_attribute(&mut out, "data-copied", words.copied);
    }
    if items.iter().any(|item| matches!(item.act, Act::Button("copy", None))) {
        push_attribute(&mut out, "data-text", &relative_url(about.path, markdown_page.markdown_script().as_str()));
    }
    out.push('>');
    push_item(&mut out, first, true);
    if items.len() > 1 {
        out.push_str("<details class=\"op-menu\" name=\"menu\"><summary");
        push_attribute(&mut out, "aria-label", words.more);
        out.push('>');
        push_drawing(&mut out, CHEVRON);
        out.push_str("</summary><ul class=\"op-menu-list\">");
        for item in &items {
            out.push_str("<li>");
            push_item(&mut out, item, false);
            out.push_str("</li>");
        }
        out.push_str("</ul></details>");
    }
    out.push_str("</div>");
    out
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    html::push_attr(out, value);
    out.push('"');
}

fn push_drawing(out: &mut String, path: &str) {
    out.push_str(
        "<svg class=\"ui-icon\" viewBox=\"0 0 24 24\" width=\"16\" height=\"16\" aria-hidden=\"true\"><path d=\"",
    );
    out.push_str(path);
    out.push_str("\"/></svg>");
}

/// An item of the menu, or the button beside it, which is drawn before any script runs.
fn push_item(out: &mut String, item: &ActionItem, is_default: bool) {
    let tag = match &item.act {
        Act::Button(action, value) => {
            out.push_str("<button type=\"button\"");
            push_attribute(out, "data-action", action);
            if let Some(value) = value {
                push_attribute(out, "data-value", value);
            }
            "button"
        }
        Act::Link { url, outside, saves } => {
            out.push_str("<a");
            push_attribute(out, "href", url);
            if *outside {
                out.push_str(" target=\"_blank\" rel=\"noopener\"");
            }
            if *saves {
                out.push_str(" download");
            }
            "a"
        }
    };
    if item.icon.is_empty() && !is_default {
        push_attribute(out, "data-icon", item.drawing);
    }
    out.push('>');
    match ICONS.iter().find(|(name, _)| *name == item.drawing) {
        _ if !item.icon.is_empty() => out.push_str(&item.icon),
        Some((_, path)) if is_default => push_drawing(out, path),
        _ => {}
    }
    out.push_str("<span>");
    out.push_str(&escape_html_text(&item.label));
    if let Some(description) = item.description.as_deref().filter(|_| !is_default) {
        out.push_str("<small>");
        out.push_str(&escape_html_text(description));
        out.push_str("</small>");
    }
    out.push_str("</span></");
    out.push_str(tag);
    out.push('>');
}

fn page_action_item(
    source: &ChromeInput<'_>,
    option: &PageOption,
    about: &MenuSubject<'_>,
    words: &ActionsWords,
) -> Option<ActionItem> {
    let option = match option {
        PageOption::BuiltIn(option) => *option,
        PageOption::Custom(option) => return custom(source, option, about),
    };
    let named = |words: &str, name: &str| words.replace("{}", name);
    let chat = |name: &str, address: &str| {
        let prompt = format!("Read {} so that I can ask questions about it.", markdown_url(source, about)?);
        Some((
            "chat",
            named(words.open_in, name),
            outside(format!("{address}{}", utf8_percent_encode(&prompt, COMPONENT))),
        ))
    };
    let (drawing, label, act) = match option {
        BuiltIn::Copy => ("copy", words.copy.to_owned(), Act::Button("copy", None)),
        BuiltIn::View => {
            let markdown_page = BundlePath::sanitize(about.path).markdown_page();
            ("file", words.view.to_owned(), same_window_link(relative_url(about.path, markdown_page.as_str())))
        }
        BuiltIn::Assistant => ("chat", words.assistant.to_owned(), outside(source.options.assistant_endpoint.clone()?)),
        BuiltIn::DownloadPdf => ("print", words.print.to_owned(), Act::Button("print", None)),
        BuiltIn::DownloadSpec => {
            ("down", words.spec.to_owned(), Act::Link { url: about.place.to(about.spec?), outside: false, saves: true })
        }
        BuiltIn::ChatGpt => chat("ChatGPT", "https://chatgpt.com/?hints=search&q=")?,
        BuiltIn::Claude => chat("Claude", "https://claude.ai/new?q=")?,
        BuiltIn::Perplexity => chat("Perplexity", "https://www.perplexity.ai/search?q=")?,
        BuiltIn::Grok => chat("Grok", "https://grok.com/?q=")?,
        BuiltIn::AiStudio => chat("Google AI Studio", "https://aistudio.google.com/prompts/new_chat?prompt=")?,
        BuiltIn::Mcp => ("plug", words.mcp.to_owned(), Act::Button("text", Some(mcp_url(source, about)?))),
        BuiltIn::AddMcp => (
            "plug",
            words.add_mcp.to_owned(),
            Act::Button("text", Some(format!("npx add-mcp {}", mcp_url(source, about)?))),
        ),
        BuiltIn::Cursor => {
            let settings = STANDARD.encode(serde_json::json!({ "url": mcp_url(source, about)? }).to_string());
            let name = utf8_percent_encode(&source.config().name, COMPONENT).to_string();
            let address = format!(
                "cursor://anysphere.cursor-deeplink/mcp/install?name={name}&config={}",
                utf8_percent_encode(&settings, COMPONENT)
            );
            ("code", named(words.connect, "Cursor"), same_window_link(address))
        }
        BuiltIn::VsCode => {
            let settings =
                serde_json::json!({ "name": source.config().name, "type": "http", "url": mcp_url(source, about)? })
                    .to_string();
            (
                "code",
                named(words.connect, "VS Code"),
                same_window_link(format!("vscode:mcp/install?{}", utf8_percent_encode(&settings, COMPONENT))),
            )
        }
    };
    Some(ActionItem { drawing, icon: String::new(), label, description: None, act })
}

/// A link that opens no window: into the bundle, or to a program.
fn same_window_link(url: String) -> Act {
    Act::Link { url, outside: false, saves: false }
}

fn outside(url: String) -> Act {
    Act::Link { url, outside: true, saves: false }
}

/// An option of the author's own. Without placeholders it is a link like any other of the site.
fn custom(source: &ChromeInput<'_>, option: &CustomOption, about: &MenuSubject<'_>) -> Option<ActionItem> {
    let base = filled(source, &option.href, about)?;
    let mut address = base.into_owned();
    for (key, value) in &option.query {
        address.push(if address.contains('?') { '&' } else { '?' });
        let value = filled(source, value, about)?;
        address.extend([
            utf8_percent_encode(key, COMPONENT).to_string().as_str(),
            "=",
            utf8_percent_encode(&value, COMPONENT).to_string().as_str(),
        ]);
    }
    let act = match source.links.href(&address) {
        ConfigTarget::Inside(url) => same_window_link(about.place.to(&url)),
        ConfigTarget::Outside(url) if is_safe(&url) => outside(clean_fragment(&url).into_owned()),
        _ => {
            // the warning about it
            let _ = source.href(&address, "`contextual`");
            return None;
        }
    };
    let icon = option
        .icon
        .as_ref()
        .map(|icon| icon_html(source, icon, None).replace(ROOT, about.place.root()))
        .unwrap_or_default();
    Some(ActionItem {
        drawing: "",
        icon,
        label: clean_fragment(&option.title).into_owned(),
        description: option.description.as_deref().map(|text| clean_fragment(text).into_owned()),
        act,
    })
}

/// A text of an option with the values of its placeholders; `None` if one of them has none in this bundle.
fn filled<'t>(source: &ChromeInput<'_>, text: &'t str, about: &MenuSubject<'_>) -> Option<Cow<'t, str>> {
    let mut out = Cow::Borrowed(text);
    if text.contains("$page") {
        out = Cow::Owned(out.replace("$page", &markdown_url(source, about)?));
    }
    if text.contains("$mcp") {
        out = Cow::Owned(out.replace("$mcp", &mcp_url(source, about)?));
    }
    if text.contains("$path") {
        out = Cow::Owned(out.replace("$path", &format!("/{}", about.page.slug)));
    }
    Some(out)
}

/// The whole address of the page's Markdown, for services that read it.
fn markdown_url(source: &ChromeInput<'_>, about: &MenuSubject<'_>) -> Option<String> {
    let markdown_page = BundlePath::sanitize(about.path).markdown_page();
    service_base(source, about).map(|base| format!("{base}/{}", url::encode_path(markdown_page.as_str())))
}

/// Where `offprint host --mcp` answers to assistants.
fn mcp_url(source: &ChromeInput<'_>, about: &MenuSubject<'_>) -> Option<String> {
    service_base(source, about).map(|base| format!("{base}/mcp"))
}

/// The address of the site, if its pages may be handed to services.
fn service_base<'a>(source: &ChromeInput<'_>, about: &MenuSubject<'a>) -> Option<&'a str> {
    (source.options.may_leave && !about.base_url.is_empty()).then_some(about.base_url)
}
