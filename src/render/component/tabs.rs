//! `Tabs` and `CodeGroup`: every panel stands under its title; a script turns them into ARIA tabs, or a menu,
//! synchronised by title.

use std::fmt::Write as _;

use crate::phrasing::{is_blank, unwrapped_children};
use crate::{Renderer, inline, outline};
use base::html::{self, escape_html_text};
use markup::fence_info::BlockOptions;
use markup::tree::{CodeFence, JsxElement, Node};

use super::open_tag::open_component_tag;
use super::{
    code_block,
    icon::{self, write_named_icon},
};

/// A tab before it is written.
struct Tab<'n> {
    /// Escaped HTML of its title.
    title: String,
    /// The title as text, by which tabs of different groups change together.
    text: String,
    icon: Option<TabIcons>,
    content: TabContent<'n>,
}

/// An icon for the list of tabs, and for the title above the panel.
struct TabIcons {
    list: String,
    title: String,
}

impl TabIcons {
    /// A drawing with ids of its own is drawn again: no two elements of a page share one.
    fn of(mut draw: impl FnMut() -> Option<String>) -> Option<Self> {
        let list = draw()?;
        let title = if list.contains(" id=\"") { draw()? } else { list.clone() };
        Some(Self { list, title })
    }
}

enum TabContent<'n> {
    Panel(&'n JsxElement),
    Fence(&'n CodeFence),
    Code(&'n JsxElement),
    /// A panel with content that another writer puts there.
    Filled,
}

/// What chooses among panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// A row of tabs.
    Tabs,
    /// A `select`: many titles, little room.
    Menu,
}

/// Writes tabs, a tab outside of them, or a group of code blocks.
pub(super) fn write_tabs_component(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "Tabs" => write_tabs_element(r, element),
        "Tab" => write_lone(r, element),
        _ => write_codes(r, element),
    }
}

/// Writes `Tabs`.
fn write_tabs_element(r: &mut Renderer<'_>, element: &JsxElement) {
    let children = unwrapped_children(&element.children);
    let mut tabs = Vec::new();
    for child in &children {
        match child {
            Node::Element(tab) if tab.name == "Tab" => tabs.push(tab_of(r, tab, tabs.len())),
            // what is no tab comes before them
            other => r.nodes(std::slice::from_ref(*other)),
        }
    }
    open_component_tag(r, "div", "tabs", element);
    if element.props.maybe_flag("sync") != Some(false) {
        r.raw(" data-sync");
    }
    if element.props.flag("borderBottom") {
        r.raw(" data-border");
    }
    r.raw(">\n");
    let first = element.props.number("defaultTabIndex").unwrap_or(0.0).max(0.0) as usize;
    write_tabs(r, &tabs, first, "Tabs", Chooser::Tabs);
    r.raw("</div>\n");
}

fn tab_of<'n>(r: &mut Renderer<'_>, element: &'n JsxElement, index: usize) -> Tab<'n> {
    let text = inline::prop_text(&element.props, "title");
    let text = if text.trim().is_empty() { format!("Tab {}", index + 1) } else { text };
    let title = r.prop_html(&element.props, "title", false).unwrap_or_else(|| escape_html_text(&text));
    Tab {
        title,
        text,
        icon: TabIcons::of(|| icon::prop(r, element, "icon", 16.0)),
        content: TabContent::Panel(element),
    }
}

/// Writes the tab list (or the menu) and the panels. Ids come before any content, as the anchor rules count them.
fn write_tabs(r: &mut Renderer<'_>, tabs: &[Tab<'_>], first: usize, label: &str, chooser: Chooser) {
    let first = if first < tabs.len() { first } else { 0 };
    let serial = r.serial_id("tabs");
    // the counters of headings inside a panel must not run ahead of the panel's own id: claim one by one
    let list_at = r.out.len();
    let label = html::attr(&list_label(label, tabs));
    let mut list = match chooser {
        Chooser::Tabs => format!("<div class=\"tab-list\" role=\"tablist\" aria-label=\"{label}\" hidden>"),
        Chooser::Menu => format!("<div class=\"tab-menu\" data-chrome hidden><select aria-label=\"{label}\">"),
    };
    for (at, tab) in tabs.iter().enumerate() {
        let panel = panel_id(r, tab, &serial, at);
        let selected = at == first;
        let role = match chooser {
            Chooser::Tabs => {
                let tab_id = r.ids.claim(format!("{serial}-tab-{}", at + 1), '-', 2);
                push_tab(&mut list, tab, &tab_id, &panel, selected);
                format!("role=\"tabpanel\" aria-labelledby=\"{tab_id}\"")
            }
            Chooser::Menu => {
                let (value, on) = (html::attr(&panel), if selected { " selected" } else { "" });
                let _ = write!(list, "<option value=\"{value}\"{on}>{}</option>", escape_html_text(tab.text.trim()));
                format!("role=\"group\" aria-label=\"{}\"", html::attr(tab.text.trim()))
            }
        };
        write_panel(r, tab, &panel, &role, selected);
    }
    list.push_str(match chooser {
        Chooser::Tabs => "</div>\n",
        Chooser::Menu => "</select></div>\n",
    });
    // a link may hold no button: there the panels stay under their titles
    if r.state.in_link == 0 {
        r.out.insert_str(list_at, &list);
    }
}

fn push_tab(list: &mut String, tab: &Tab<'_>, tab_id: &str, panel: &str, selected: bool) {
    let (panel, stop) = (html::attr(panel), if selected { 0 } else { -1 });
    let icon =
        tab.icon.as_ref().map(|icon| format!("<span class=\"tab-icon\">{}</span>", icon.list)).unwrap_or_default();
    let _ = write!(
        list,
        "<button type=\"button\" role=\"tab\" id=\"{tab_id}\" aria-controls=\"{panel}\" aria-selected=\"{selected}\" tabindex=\"{stop}\">{icon}{}</button>",
        tab.title,
    );
}

/// Panels that others fill: those of an API reference.
pub struct Panels {
    titles: Vec<String>,
    /// Id and role of each.
    panels: Vec<(String, String)>,
}

impl Panels {
    /// Writes the list that chooses among panels with these titles.
    pub fn start(r: &mut Renderer<'_>, label: &str, titles: Vec<String>, chooser: Chooser) -> Self {
        let serial = r.serial_id("tabs");
        let mut panels = Vec::with_capacity(titles.len());
        let label = html::attr(label);
        r.raw(&match chooser {
            Chooser::Tabs => format!("<div class=\"tab-list\" role=\"tablist\" aria-label=\"{label}\" hidden>"),
            Chooser::Menu => format!("<div class=\"tab-menu\" data-chrome hidden><select aria-label=\"{label}\">"),
        });
        for (at, title) in titles.iter().enumerate() {
            let panel = r.ids.claim(format!("{serial}-panel-{}", at + 1), '-', 2);
            let (shown, is_first) = (escape_html_text(title), at == 0);
            let role = match chooser {
                Chooser::Tabs => {
                    let id = r.ids.claim(format!("{serial}-tab-{}", at + 1), '-', 2);
                    let tab = Tab { title: shown, text: title.clone(), icon: None, content: TabContent::Filled };
                    push_tab(&mut r.out, &tab, &id, &panel, is_first);
                    format!("role=\"tabpanel\" aria-labelledby=\"{id}\"")
                }
                Chooser::Menu => {
                    let selected = if is_first { " selected" } else { "" };
                    r.raw(&format!("<option value=\"{panel}\"{selected}>{shown}</option>"));
                    format!("role=\"group\" aria-label=\"{}\"", html::attr(title))
                }
            };
            panels.push((panel, role));
        }
        r.raw(match chooser {
            Chooser::Tabs => "</div>\n",
            Chooser::Menu => "</select></div>\n",
        });
        Self { titles, panels }
    }

    /// Opens a panel; `attributes` are written as they are.
    pub fn open(&self, r: &mut Renderer<'_>, at: usize, attributes: &str) {
        let (Some((id, role)), Some(title)) = (self.panels.get(at), self.titles.get(at)) else { return };
        r.raw(&format!("<div class=\"tab-panel\" {role} id=\"{id}\""));
        r.attr("data-title", title);
        r.raw(attributes);
        if at > 0 {
            r.raw(" data-idle");
        }
        r.raw(">\n<p class=\"tab-title\">");
        r.text(title);
        r.raw("</p>\n");
    }

    /// Closes the panel that was opened last.
    pub fn close(&self, r: &mut Renderer<'_>) {
        r.raw("</div>\n");
    }
}

/// A name for the list of tabs that tells it from others: what it offers.
fn list_label(label: &str, tabs: &[Tab<'_>]) -> String {
    let names: Vec<&str> = tabs.iter().take(4).map(|tab| tab.text.trim()).collect();
    format!("{label}: {}", names.join(", "))
}

fn panel_id(r: &mut Renderer<'_>, tab: &Tab<'_>, serial: &str, at: usize) -> String {
    let base = match tab.content {
        TabContent::Panel(element) => match element.props.text("id") {
            Some(id) => id.trim().to_owned(),
            None => outline::heading_slug(&tab.text),
        },
        _ => String::new(),
    };
    let base = if base.is_empty() { format!("{serial}-panel-{}", at + 1) } else { base };
    r.ids.claim(base, '-', 2)
}

/// Writes a panel; `role` are the attributes that say what it is.
fn write_panel(r: &mut Renderer<'_>, tab: &Tab<'_>, id: &str, role: &str, selected: bool) {
    match tab.content {
        TabContent::Panel(element) => open_component_tag(r, "div", "tab-panel", element),
        _ => r.raw("<div class=\"tab-panel\""),
    }
    r.raw(" ");
    r.raw(role);
    r.attr("id", id);
    r.attr("data-title", tab.text.trim());
    // shown or hidden before the script has run, where there is one
    if !selected {
        r.raw(" data-idle");
    }
    r.raw(">\n<p class=\"tab-title\">");
    if let Some(icon) = &tab.icon {
        r.raw(&icon.title);
    }
    r.raw(&tab.title);
    r.raw("</p>\n");
    match tab.content {
        TabContent::Panel(element) => {
            let within = r.within.replace(id.to_owned());
            r.flow(&element.children);
            r.within = within;
        }
        TabContent::Fence(fence) => code_block::write_fence(r, fence, false),
        TabContent::Code(element) => code_block::write_code_block_with(r, element, false),
        TabContent::Filled => {}
    }
    r.raw("</div>\n");
}

/// Writes a `Tab` that stands alone: under its title.
fn write_lone(r: &mut Renderer<'_>, element: &JsxElement) {
    let tab = tab_of(r, element, 0);
    let id = panel_id(r, &tab, "tab", 0);
    open_component_tag(r, "div", "tab-panel", element);
    r.attr("id", &id);
    r.raw(">\n<p class=\"tab-title\" data-lone>");
    r.raw(&tab.title);
    r.raw("</p>\n");
    r.flow(&element.children);
    r.raw("</div>\n");
}

/// Writes `CodeGroup`.
fn write_codes(r: &mut Renderer<'_>, element: &JsxElement) {
    open_component_tag(r, "div", "code-group", element);
    r.raw(" data-sync>\n");
    write_code_tabs(r, &element.children, "Code", element.props.flag("dropdown"));
    r.raw("</div>\n");
}

/// Writes code blocks as tabs; a single one, and whatever else stands among them, as it is.
pub(super) fn write_code_tabs(r: &mut Renderer<'_>, children: &[Node], label: &str, dropdown: bool) {
    let children = code_parts(children);
    let codes = children.iter().filter(|child| is_code_block(child)).count();
    if codes < 2 {
        for child in children {
            r.flow(std::slice::from_ref(child));
        }
        return;
    }
    let mut tabs: Vec<Tab<'_>> = Vec::with_capacity(codes);
    let mut others = Vec::new();
    for child in children {
        let (options, content) = match child {
            Node::Fence(fence) if fence.lang != "mermaid" => (BlockOptions::of_fence(fence), TabContent::Fence(fence)),
            Node::Element(element) if element.name == "CodeBlock" => {
                (BlockOptions::of_props(&element.props), TabContent::Code(element))
            }
            other => {
                others.push(other);
                continue;
            }
        };
        let text = tab_text(&options, content_title(&content), tabs.len());
        let icon = TabIcons::of(|| {
            options.icon.as_ref().map(|name| r.capture(|r| write_named_icon(r, name, 14.0, base::Place::default())))
        });
        tabs.push(Tab { title: escape_html_text(&text), text, icon, content });
    }
    r.raw("<div class=\"code-tabs\">\n");
    write_tabs(r, &tabs, 0, label, if dropdown { Chooser::Menu } else { Chooser::Tabs });
    r.raw("</div>\n");
    for other in others {
        r.flow(std::slice::from_ref(other));
    }
}

/// Like `parts`, and without a group around a group.
fn code_parts(children: &[Node]) -> Vec<&Node> {
    let found = unwrapped_children(children);
    match found.as_slice() {
        [Node::Element(group)]
            if matches!(group.name.as_str(), "CodeGroup" | "SnippetGroup") && !is_blank(&group.children) =>
        {
            found
        }
        _ => found,
    }
}

fn is_code_block(node: &Node) -> bool {
    match node {
        Node::Fence(fence) => fence.lang != "mermaid",
        Node::Element(element) => element.name == "CodeBlock",
        _ => false,
    }
}

/// The title of a fence inside a `CodeBlock` that has none itself.
fn content_title(content: &TabContent<'_>) -> Option<String> {
    let TabContent::Code(element) = content else { return None };
    unwrapped_children(&element.children).into_iter().find_map(|child| match child {
        Node::Fence(fence) => BlockOptions::of_fence(fence).title,
        _ => None,
    })
}

/// A tab is named by its code's title, else its language, else its place.
fn tab_text(options: &BlockOptions, inner_title: Option<String>, at: usize) -> String {
    match (&options.title, inner_title) {
        (Some(title), _) => title.clone(),
        (None, Some(title)) => title,
        (None, None) if !options.lang.is_empty() => options.lang.clone(),
        _ => format!("Code {}", at + 1),
    }
}
