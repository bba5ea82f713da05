//! JSX elements in Markdown: components of the library as tags with their data, HTML as the Markdown that says the
//! same.

use serde_json::Value as Json;

use base::Place;
use base::cut::cut;
use markup::component::{ComponentMarkdown, find_component};
use markup::tree::{JsxElement, Node, PropValue, Props, number_text};
use render::component::media;
use render::phrasing::{all_phrasing, is_blank, unwrapped_children};

use super::markdown::{LinkAddresses, MarkdownWriter, collapse_whitespace, markdown_link_destination};

/// Props that say how something looks, not what it says.
const LOOKS: [&str; 14] = [
    "className",
    "class",
    "style",
    "iconLibrary",
    "iconStyle",
    "leadIcon",
    "tailIcon",
    "library",
    "key",
    "ref",
    "noZoom",
    "noAnchor",
    "actions",
    "titleSize",
];

/// An element that is a block of its own.
pub(super) fn write_element_block(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    if w.pure && !is_transparent(&element.name) {
        return;
    }
    match element.name.as_str() {
        "p" | "li" => w.flow(&element.children),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            w.heading(element.name.as_bytes()[1] - b'0', element.props.text("id").as_deref(), &element.children)
        }
        "ul" | "ol" => write_list(w, element),
        "blockquote" => w.quote(&element.children),
        "pre" => w.code_block("", Node::text_of(&element.children).trim_matches('\n')),
        "table" => write_table(w, element),
        "hr" => w.raw("---"),
        "details" => details(w, element),
        "figcaption" | "caption" | "summary" => w.inlines(&element.children),
        _ => other(w, element, false),
    }
}

/// An element in a sentence.
pub(super) fn inline(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let children = &element.children;
    if w.pure && !is_transparent(&element.name) {
        return;
    }
    match element.name.as_str() {
        "b" | "strong" => w.marked("**", children),
        "i" | "em" | "cite" | "dfn" | "var" => w.marked("*", children),
        "del" | "s" | "strike" => w.marked("~~", children),
        "code" | "kbd" | "samp" | "tt" => w.code(&Node::text_of(children)),
        "br" => w.line_break(true),
        "ul" | "ol" if w.in_cell => write_list(w, element),
        "wbr" => {}
        "sub" | "sup" => {
            w.raw(&format!("<{}>", element.name));
            w.inlines(children);
            w.raw(&format!("</{}>", element.name));
        }
        name => match find_component(name) {
            Some(known) if known.markdown == ComponentMarkdown::Tag && known.role.is_inline() => inline_tag(w, element),
            Some(_) if w.one_line => {
                write_title(w, element);
                w.inlines(children);
            }
            Some(known) if !known.role.is_inline() && !known.markdown.is_content() => {
                w.part(2);
                write_element_block(w, element);
                w.part(2);
            }
            _ => other(w, element, true),
        },
    }
}

/// Elements that mean the same in a sentence and by themselves.
fn other(w: &mut MarkdownWriter<'_>, element: &JsxElement, in_sentence: bool) {
    let children = &element.children;
    if let Some(known) = find_component(&element.name) {
        return written_component(w, element, known.markdown, in_sentence);
    }
    match element.name.as_str() {
        "a" => write_element_link(w, element, in_sentence),
        "img" => image(w, element),
        "video" | "audio" | "iframe" | "embed" | "object" => media_link(w, element),
        "svg" | "style" | "script" | "noscript" | "template" | "head" | "link" | "meta" | "canvas" | "input"
        | "select" | "textarea" | "source" | "track" => {}
        name if is_box(name) && (in_sentence || w.one_line || all_phrasing(children)) => w.boxed(children),
        _ => write_inside(w, children, in_sentence),
    }
}

fn written_component(w: &mut MarkdownWriter<'_>, element: &JsxElement, form: ComponentMarkdown, in_sentence: bool) {
    match form {
        ComponentMarkdown::Tag => write_component_tag(w, element),
        ComponentMarkdown::AgentContent if element.props.text("for").as_deref() != Some("agents") => {}
        ComponentMarkdown::Content | ComponentMarkdown::AgentContent | ComponentMarkdown::Table => {
            write_inside(w, &element.children, in_sentence)
        }
        ComponentMarkdown::Link => write_element_link(w, element, in_sentence),
        ComponentMarkdown::Image => image(w, element),
        ComponentMarkdown::Video => media_link(w, element),
        ComponentMarkdown::Math => w.raw(&format!("${}$", collapse_whitespace(&text_inside(element)))),
        ComponentMarkdown::Code => code_block(w, element),
        ComponentMarkdown::Diagram => w.code_block("mermaid", text_inside(element).trim()),
        ComponentMarkdown::Heading => {
            let level = element.props.number("level").map_or(2, |level| level.clamp(1.0, 6.0) as u8);
            w.heading(level, element.props.text("id").as_deref(), &element.children);
        }
        ComponentMarkdown::Prompt => prompt(w, element),
        ComponentMarkdown::Nothing => {}
    }
}

fn write_element_link(w: &mut MarkdownWriter<'_>, element: &JsxElement, in_sentence: bool) {
    match element.props.text("href") {
        Some(href) => w.link(&href, element.place, &element.children),
        None => write_inside(w, &element.children, in_sentence),
    }
}

fn image(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    if let Some(src) = element.props.text("src") {
        let text = |name| element.props.text(name).unwrap_or_default();
        w.image(&src, element.place, &text("alt"), &text("title"));
    }
}

/// Elements whose looks keep apart what stands in them.
fn is_box(name: &str) -> bool {
    matches!(
        name,
        "div"
            | "button"
            | "label"
            | "span"
            | "section"
            | "article"
            | "header"
            | "footer"
            | "nav"
            | "aside"
            | "main"
            | "figure"
            | "form"
            | "center"
    )
}

fn write_inside(w: &mut MarkdownWriter<'_>, nodes: &[Node], in_sentence: bool) {
    if in_sentence || w.one_line || all_phrasing(nodes) { w.inlines(nodes) } else { w.flow(nodes) }
}

/// Components that leave no tag: what stands in them is the page's.
fn is_transparent(name: &str) -> bool {
    find_component(name).is_some_and(|known| known.markdown.is_content())
}

// -- components

/// A component: its tag, and what stands in it on lines of its own.
fn write_component_tag(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let name = &element.name;
    let props = props(w, &element.props, element.place);
    if is_blank(&element.children) {
        return empty_tag(w, name, &props);
    }
    w.raw(&format!("<{name}{props}>"));
    w.opened();
    w.flow(&element.children);
    w.part(1);
    w.raw(&format!("</{name}>"));
}

fn inline_tag(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let name = &element.name;
    let props = props(w, &element.props, element.place);
    if is_blank(&element.children) {
        return empty_tag(w, name, &props);
    }
    w.raw(&format!("<{name}{props}>"));
    w.inlines(&element.children);
    w.raw(&format!("</{name}>"));
}

/// A component without children; an icon that is a drawing says nothing.
fn empty_tag(w: &mut MarkdownWriter<'_>, name: &str, props: &str) {
    if name != "Icon" || props.contains(" icon=") {
        w.raw(&format!("<{name}{props} />"));
    }
}

/// The title of a component that has no room for its tag.
fn write_title(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    if let Some(title) = element.props.text("title") {
        w.text(&title);
        w.raw(" ");
    }
}

fn prompt(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let props = props(w, &element.props, element.place);
    w.raw(&format!("<Prompt{props}>"));
    w.part(1);
    w.raw(text_inside(element).trim());
    w.part(1);
    w.raw("</Prompt>");
}

fn code_block(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let props = &element.props;
    let of = |names: &[&str]| names.iter().find_map(|name| props.text(name)).unwrap_or_default();
    let (language, title) = (of(&["language", "lang"]), of(&["filename", "title"]));
    let fence = unwrapped_children(&element.children)
        .into_iter()
        .find_map(|child| if let Node::Fence(fence) = child { Some(fence) } else { None });
    let (own, meta) = fence.map_or(("", ""), |fence| (fence.lang.as_str(), fence.meta.as_str()));
    let language = if own.is_empty() { &*language } else { own };
    // what stands first is the language
    let language = if language.is_empty() && !(meta.is_empty() && title.is_empty()) { "text" } else { language };
    let info = [language, meta, &title].join(" ");
    let info = collapse_whitespace(&info);
    match fence {
        Some(fence) => w.code_block(info.trim(), &fence.code),
        None => w.code_block(info.trim(), text_inside(element).trim_matches('\n')),
    }
}

fn text_inside(element: &JsxElement) -> String {
    element.raw.as_ref().map_or_else(|| Node::text_of(&element.children), |raw| raw.to_string())
}

/// The data of a component as attributes.
fn props(w: &MarkdownWriter<'_>, props: &Props, place: Place) -> String {
    let mut out = String::new();
    for (index, (name, value)) in props.0.iter().enumerate() {
        let is_later_again = props.0[index + 1..].iter().any(|(later, _)| later == name);
        let is_handler = name.len() > 2 && name.starts_with("on") && name.as_bytes()[2].is_ascii_uppercase();
        if LOOKS.contains(&name.as_str()) || is_handler || is_later_again {
            continue;
        }
        let text = match (name.as_str(), value) {
            ("href", PropValue::String(href)) => PropValue::String(w.addresses.link(href, place)),
            ("src" | "img", PropValue::String(src)) => PropValue::String(w.addresses.load(src, place)),
            ("icon", PropValue::String(icon)) if icon.contains('/') => PropValue::String(w.addresses.load(icon, place)),
            (_, PropValue::String(text)) if text.contains("](") => {
                PropValue::String(with_links(w.addresses, text, place))
            }
            (_, PropValue::Nodes(nodes)) => PropValue::String(collapse_whitespace(&Node::text_of(nodes)).into_owned()),
            (_, value) => value.clone(),
        };
        push_prop(&mut out, name, &text);
    }
    out
}

/// Words with the links and pictures of Markdown where they lead.
pub(super) fn with_links(addresses: &dyn LinkAddresses, text: &str, place: Place) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (words, after) = cut(rest, at + 2);
        out.push_str(words);
        rest = after;
        let Some(target) = after
            .split_once(')')
            .map(|(target, _)| target)
            .filter(|target| !target.is_empty() && !target.contains(char::is_whitespace))
        else {
            continue;
        };
        let is_picture = words.rsplit_once('[').is_some_and(|(before, _)| before.ends_with('!'));
        let moved = if is_picture { addresses.load(target, place) } else { addresses.link(target, place) };
        if !moved.is_empty() {
            out.push_str(&moved);
            rest = cut(after, target.len()).1;
        }
    }
    out.push_str(rest);
    out
}

fn push_prop(out: &mut String, name: &str, value: &PropValue) {
    let value = match value {
        // of a field, `default` is a value
        PropValue::Bool(true) if name != "default" => return out.push_str(&format!(" {name}")),
        PropValue::String(text) if text.is_empty() => return,
        PropValue::Null => return,
        PropValue::String(text) if !text.contains('"') => format!("\"{}\"", collapse_whitespace(text)),
        value => match value_to_json(value) {
            Some(json) => format!("{{{json}}}"),
            None => return,
        },
    };
    out.push_str(&format!(" {name}={value}"));
}

/// Data as JSON; nothing for what is none.
fn value_to_json(value: &PropValue) -> Option<Json> {
    Some(match value {
        PropValue::Null => Json::Null,
        PropValue::Bool(on) => Json::Bool(*on),
        PropValue::Number(number) => number_text(*number).parse::<serde_json::Number>().ok().map(Json::Number)?,
        PropValue::String(text) => Json::String(text.clone()),
        PropValue::Array(items) => Json::Array(items.iter().filter_map(value_to_json).collect()),
        PropValue::Object(fields) => {
            Json::Object(fields.iter().filter_map(|(key, value)| Some((key.clone(), value_to_json(value)?))).collect())
        }
        PropValue::Nodes(nodes) => Json::String(collapse_whitespace(&Node::text_of(nodes)).into_owned()),
        PropValue::Undefined | PropValue::Function(_) | PropValue::Expr(_) | PropValue::Live(..) => return None,
    })
}

// -- HTML

fn write_list(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let mut number =
        (element.name == "ol").then(|| element.props.number("start").map_or(1, |start| start.max(0.0) as u64));
    list_items(w, &element.children, &mut number);
}

fn list_items(w: &mut MarkdownWriter<'_>, nodes: &[Node], number: &mut Option<u64>) {
    for item in unwrapped_children(nodes) {
        let children = match item {
            Node::Element(item) => item.children.as_slice(),
            Node::Island(island) => {
                list_items(w, &island.children, number);
                continue;
            }
            Node::Part(part) => {
                list_items(w, &part.children, number);
                continue;
            }
            node => std::slice::from_ref(node),
        };
        if w.in_cell && w.one_line {
            w.item_in_cell(number, children);
        } else {
            w.item(number, "", false, children);
        }
    }
}

fn write_table(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let mut rows = Vec::new();
    collect_rows(&element.children, &mut rows, 0);
    w.rows(&[], &rows);
}

fn collect_rows<'n>(nodes: &'n [Node], rows: &mut Vec<Vec<&'n [Node]>>, depth: usize) {
    // how many rows each column is still taken by a cell above
    let mut taken: Vec<usize> = Vec::new();
    for node in unwrapped_children(nodes) {
        let Node::Element(element) = node else { continue };
        if element.name == "tr" {
            rows.push(cells(&element.children, &mut taken));
        } else if depth < 4 {
            collect_rows(&element.children, rows, depth + 1);
        }
    }
}

/// The cells of a row, with empty ones where others reach into it.
fn cells<'n>(nodes: &'n [Node], taken: &mut Vec<usize>) -> Vec<&'n [Node]> {
    let mut row: Vec<&[Node]> = Vec::new();
    let mut below = vec![0; taken.len()];
    let fill = |row: &mut Vec<&'n [Node]>, below: &mut Vec<usize>| {
        while let Some(rows) = taken.get(row.len()).filter(|rows| **rows > 0) {
            below[row.len()] = rows - 1;
            row.push(&[]);
        }
    };
    for node in unwrapped_children(nodes) {
        let Node::Element(cell) = node else { continue };
        fill(&mut row, &mut below);
        let (columns, rows) = (span(cell, ["colSpan", "colspan"]), span(cell, ["rowSpan", "rowspan"]));
        for column in 0..columns {
            if below.len() <= row.len() {
                below.resize(row.len() + 1, 0);
            }
            below[row.len()] = rows - 1;
            row.push(if column == 0 { cell.children.as_slice() } else { &[] });
        }
    }
    fill(&mut row, &mut below);
    *taken = below;
    row
}

/// Over how many columns or rows a cell reaches.
fn span(cell: &JsxElement, names: [&str; 2]) -> usize {
    const MOST: f64 = 100.0;
    names
        .into_iter()
        .find_map(|name| cell.props.number(name))
        .filter(|number: &f64| number.is_finite())
        .map_or(1, |number| number.clamp(1.0, MOST) as usize)
}

fn details(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let is_summary = |node: &Node| matches!(node, Node::Element(it) if it.name == "summary");
    if let Some(at) = element.children.iter().position(is_summary) {
        w.flow(&element.children[..at]);
        for part in element.children[at..].chunk_by(|_, next| !is_summary(next)) {
            if let [Node::Element(summary), rest @ ..] = part {
                w.part(2);
                w.marked("**", &summary.children);
                w.part(2);
                w.flow(rest);
            }
        }
        return;
    }
    if all_phrasing(&element.children) {
        return w.flow(&element.children);
    }
    for child in unwrapped_children(&element.children) {
        w.part(2);
        match child {
            Node::Element(summary) if summary.name == "summary" => w.marked("**", &summary.children),
            node => w.flow(std::slice::from_ref(node)),
        }
    }
}

/// A film, a sound or a page of another host: a link that says so.
fn media_link(w: &mut MarkdownWriter<'_>, element: &JsxElement) {
    let source = |node: &Node| {
        if let Node::Element(source) = node { source.props.text("src").map(|src| src.into_owned()) } else { None }
    };
    let src = element
        .props
        .text("src")
        .map(|src| src.into_owned())
        .or_else(|| unwrapped_children(&element.children).into_iter().find_map(source));
    let Some(src) = src else {
        if let Some(words) = media::inner_page(element) {
            write_inside(w, &words, w.one_line);
        }
        return;
    };
    let url = w.addresses.load(&src, element.place);
    let words = element
        .props
        .text("title")
        .or_else(|| element.props.text("aria-label"))
        .unwrap_or_else(|| element.name.as_str().into());
    // a link holds no other: there it says what it is, apart from the words beside it
    if w.in_link && !url.is_empty() {
        w.text(&collapse_whitespace(&words));
        w.raw(" ");
    } else if !url.is_empty() {
        w.raw("[");
        w.text(&collapse_whitespace(&words));
        w.raw(&format!("]({})", markdown_link_destination(&url)));
    }
}
