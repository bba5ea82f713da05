//! JSX tags with small letters: HTML as authors write it in MDX, brought into a shape that every parser reads the same
//! way.

use std::borrow::Cow;

use base::cut::SliceText as _;
use base::{Diagnostic, LoadKind, html};
use markup::tree::{BlockKind, Flaw, IslandPart, JsxElement, Node, PropValue};

use super::component::media;
use super::component::unknown::{tell_dropped, tell_unknown, write_word};
use super::phrasing::{all_phrasing, unwrapped_children};
use super::tags::{TagForm, is_unfit, tag_kind};
use super::{
    Renderer, attributes, embedded, image::write_image_element, island, mathml, outline, svg,
    table::write_table_element,
};

/// Writes an element whose name starts with a small letter.
pub(crate) fn write_html_element(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = element.name.as_str();
    if html::is_phrasing(name) && name != "a" {
        attributes::open_element(r, name, element, "");
        r.state.in_code += u32::from(html::is_code_element(name));
        r.nodes(inline_children(&element.children));
        r.state.in_code -= u32::from(html::is_code_element(name));
        r.raw(&format!("</{name}>"));
        return;
    }
    if r.state.phrasing > 0
        && !matches!(
            tag_kind(name),
            TagForm::Void
                | TagForm::Control
                | TagForm::Special
                | TagForm::Dropped
                | TagForm::Transparent
                | TagForm::Unknown
        )
    {
        return reduced(r, element);
    }
    match tag_kind(name) {
        TagForm::Block => write_html_block(r, element),
        TagForm::Paragraph => write_html_paragraph(r, element),
        TagForm::Heading => write_html_heading(r, element),
        TagForm::List => write_html_list(r, element),
        TagForm::Terms => terms(r, element),
        TagForm::Void if name == "hr" && r.state.phrasing > 0 => {}
        TagForm::Void => {
            attributes::open_element(r, name, element, "");
            // in code, a line break of ours is one of the text
            if name != "wbr" && r.state.in_code == 0 {
                r.raw("\n");
            }
        }
        TagForm::Stray => plain_block(r, "div", element, ""),
        TagForm::Control => control(r, element),
        TagForm::Phrasing => phrasing_only(r, element),
        TagForm::Special => special(r, element),
        TagForm::Dropped => dropped(r, element),
        TagForm::Unknown if element.flaw == Flaw::Unclosed => write_word(r, element),
        TagForm::Transparent => r.nodes(&element.children),
        TagForm::Unknown => {
            if element.flaw == Flaw::None {
                tell_unknown(r, name, element.place);
            }
            r.nodes(&element.children);
        }
    }
}

/// Children of a tag in a sentence: MDX may have put a paragraph between.
fn inline_children(children: &[Node]) -> &[Node] {
    match unwrapped_children(children).as_slice() {
        [Node::Block(block)] if block.kind == BlockKind::Paragraph => {
            match children.iter().find(|child| matches!(child, Node::Block(_))) {
                Some(Node::Block(block)) => &block.children,
                _ => children,
            }
        }
        _ => children,
    }
}

/// Where only phrasing content is valid, blocks become spans.
fn reduced(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "button" | "label" if r.state.in_link == 0 => return phrasing_only(r, element),
        "div" | "p" | "section" | "button" | "label" => attributes::open_element(r, "span", element, ""),
        _ => r.raw("<span>"),
    }
    r.nodes(&element.children);
    r.raw("</span>");
}

fn plain_block(r: &mut Renderer<'_>, tag: &str, element: &JsxElement, class: &str) {
    attributes::open_element(r, tag, element, class);
    r.nodes(&element.children);
    r.raw(&format!("</{tag}>\n"));
}

fn write_html_block(r: &mut Renderer<'_>, element: &JsxElement) {
    let tag = match element.name.as_str() {
        name if is_unfit(name) => "div",
        "center" => "div",
        name => name,
    };
    match tag {
        "details" => details(r, element),
        "fieldset" => fieldset(r, element),
        "figure" => figure(r, element),
        "div" if element.name == "center" => plain_block(r, "div", element, "center"),
        tag => plain_block(r, tag, element, ""),
    }
}

/// `<details>`: its summary comes first, one is made up where there is none.
fn details(r: &mut Renderer<'_>, element: &JsxElement) {
    attributes::open_element(r, "details", element, "");
    if !write_head_child(r, element, "summary") {
        r.raw("<summary data-chrome>Details</summary>\n");
    }
    r.raw("<div class=\"details-body\">\n");
    below_head(r, element, "summary", |r, nodes| r.flow(nodes));
    r.raw("</div></details>\n");
}

/// `<figure>`: none without anything in it, where a picture cannot be had.
fn figure(r: &mut Renderer<'_>, element: &JsxElement) {
    let inside = r.capture(|r| r.nodes(&element.children));
    if inside.trim().is_empty() && !element.children.is_empty() {
        return;
    }
    attributes::open_element(r, "figure", element, "");
    r.raw(&inside);
    r.raw("</figure>\n");
}

/// `<fieldset>`: its legend comes first, if it has one.
fn fieldset(r: &mut Renderer<'_>, element: &JsxElement) {
    attributes::open_element(r, "fieldset", element, "");
    write_head_child(r, element, "legend");
    below_head(r, element, "legend", |r, nodes| r.nodes(nodes));
    r.raw("</fieldset>\n");
}

fn is_named(node: &Node, name: &str) -> bool {
    matches!(node, Node::Element(element) if element.name == name)
}

/// Writes the child that heads an element; false if there is none.
fn write_head_child(r: &mut Renderer<'_>, element: &JsxElement, name: &str) -> bool {
    let found = unwrapped_children(&element.children).into_iter().find(|child| is_named(child, name));
    if let Some(Node::Element(head)) = found {
        phrasing_only(r, head);
    }
    found.is_some()
}

/// Writes the children of an element but for the one that heads it. That may stand in a fragment or paragraph of its
/// own; all other children keep their neighbors.
fn below_head<'k>(r: &mut Renderer<'k>, element: &JsxElement, name: &str, write: impl Fn(&mut Renderer<'k>, &[Node])) {
    let children = &element.children;
    if let Some(at) = children.iter().position(|child| is_named(child, name)) {
        write(r, &children[..at]);
        return write(r, &children[at + 1..]);
    }
    let within = unwrapped_children(children);
    let Some(at) = within.iter().position(|child| is_named(child, name)) else { return write(r, children) };
    for child in within[..at].iter().chain(&within[at + 1..]) {
        write(r, std::slice::from_ref(*child));
    }
}

fn write_html_paragraph(r: &mut Renderer<'_>, element: &JsxElement) {
    let children = inline_children(&element.children);
    if !all_phrasing(children) {
        return plain_block(r, "div", element, "p");
    }
    attributes::open_element(r, "p", element, "");
    r.nodes(children);
    r.raw("</p>\n");
}

/// A JSX heading: it has the anchor its author gave it, or none.
fn write_html_heading(r: &mut Renderer<'_>, element: &JsxElement) {
    let level = element.name.as_bytes()[1] - b'0';
    let tag = level.max(2);
    let text = outline::heading_node_text(&element.children);
    let id = element.props.text("id").and_then(|id| r.ids.explicit(&id));
    r.raw(&format!("<h{tag}"));
    if let Some(id) = &id {
        r.attr("id", id);
    }
    attributes::write_attributes(r, &element.name, element, if level == 1 { "h1" } else { "" }, &["id"]);
    r.raw(">");
    r.state.phrasing += 1;
    r.state.in_heading += 1;
    r.nodes(&element.children);
    r.state.in_heading -= 1;
    r.state.phrasing -= 1;
    r.raw(&format!("</h{tag}>\n"));
    if let Some(id) = id {
        r.contents_entry(level, id, &text);
    }
}

/// A list holds items only: whatever else stands in it becomes one.
fn write_html_list(r: &mut Renderer<'_>, element: &JsxElement) {
    let tag = if element.name == "ol" { "ol" } else { "ul" };
    attributes::open_element(r, tag, element, "");
    r.raw("\n");
    list_items(r, &element.children);
    r.raw(&format!("</{tag}>\n"));
}

fn list_items(r: &mut Renderer<'_>, nodes: &[Node]) {
    unwrapped_children(nodes).into_iter().for_each(|child| list_item(r, child));
}

/// Writes what stands in a list.
pub(super) fn list_item(r: &mut Renderer<'_>, child: &Node) {
    match child {
        Node::Element(item) if item.name == "li" => {
            attributes::open_element(r, "li", item, "");
            r.nodes(inline_children(&item.children));
        }
        // a Markdown list in a JSX one
        Node::Block(list) if matches!(list.kind, BlockKind::List { .. }) => return r.nodes(&list.children),
        Node::Block(item) if matches!(item.kind, BlockKind::Item { .. }) => {
            return r.nodes(std::slice::from_ref(child));
        }
        Node::Island(it) => {
            return island::write_in_list(r, it, &|r, nodes| match nodes {
                // what a later state shows may stand inside an item
                [node] if !island::is_item(node) && !matches!(node, Node::Part(_) | Node::Block(_)) => r.nodes(nodes),
                _ => list_items(r, nodes),
            });
        }
        Node::Part(part) => return island::write_part_in_list(r, part, &list_item),
        other => {
            r.raw("<li>");
            r.nodes(std::slice::from_ref(other));
        }
    }
    r.raw("</li>\n");
}

fn terms(r: &mut Renderer<'_>, element: &JsxElement) {
    attributes::open_element(r, "dl", element, "");
    r.raw("\n");
    term_items(r, &element.children, true);
    r.raw("</dl>\n");
}

/// What stands in a `<dl>`, or in a `<div>` around some of its items: whatever is no item becomes one.
fn term_items(r: &mut Renderer<'_>, nodes: &[Node], may_group: bool) {
    let is_item = |node: &Node| matches!(node, Node::Element(item) if matches!(item.name.as_str(), "dt" | "dd"));
    for child in unwrapped_children(nodes) {
        match child {
            Node::Element(item) if is_item(child) => plain_block(r, &item.name, item, ""),
            Node::Element(group)
                if may_group && group.name == "div" && unwrapped_children(&group.children).into_iter().any(is_item) =>
            {
                attributes::open_element(r, "div", group, "");
                r.raw("\n");
                term_items(r, &group.children, false);
                r.raw("</div>\n");
            }
            _ => {
                r.raw("<dd>");
                r.nodes(std::slice::from_ref(child));
                r.raw("</dd>\n");
            }
        }
    }
}

/// Controls do nothing without the author's script; they keep their looks, and a name.
fn control(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = element.name.as_str();
    if element.props.text("type").as_deref() == Some("hidden") {
        return;
    }
    if r.state.in_link > 0 {
        // no control may stand there: what it says stays
        return r.text(&Node::text_of(&element.children));
    }
    r.raw("<");
    r.raw(name);
    let named = ["aria-label", "aria-labelledby", "id", "title"].iter().any(|prop| element.props.text(prop).is_some());
    if !named {
        let label = element
            .props
            .text("placeholder")
            .or_else(|| element.props.text("name"))
            .unwrap_or_else(|| "Value".into())
            .into_owned();
        r.attr("aria-label", &label);
    }
    let is_picture = name == "input" && element.props.text("type").as_deref() == Some("image");
    let without: &[&str] = if is_picture { &["form", "list"] } else { &["src", "form", "list"] };
    attributes::write_attributes(r, name, element, "", without);
    r.raw(">");
    match name {
        "select" => {
            options(r, &element.children);
            r.raw("</select>");
        }
        "textarea" => {
            r.text(&Node::text_of(&element.children));
            r.raw("</textarea>");
        }
        _ => {}
    }
}

/// What a `<select>` holds: options, and groups of them.
fn options(r: &mut Renderer<'_>, nodes: &[Node]) {
    for node in unwrapped_children(nodes) {
        let Node::Element(option) = node else { continue };
        match option.name.as_str() {
            "option" => {
                attributes::open_element(r, "option", option, "");
                r.text(&Node::text_of(&option.children));
                r.raw("</option>");
            }
            "optgroup" => {
                attributes::open_element(r, "optgroup", option, "");
                options(r, &option.children);
                r.raw("</optgroup>");
            }
            "hr" => r.raw("<hr>"),
            _ => options(r, &option.children),
        }
    }
}

/// `<button>`, `<label>` and `<summary>`.
fn phrasing_only(r: &mut Renderer<'_>, element: &JsxElement) {
    let name = element.name.as_str();
    let takes_clicks = name == "button";
    if takes_clicks && r.state.in_link > 0 {
        attributes::open_element(r, "span", element, "button");
        r.state.phrasing += 1;
        r.nodes(&element.children);
        r.state.phrasing -= 1;
        r.raw("</span>");
        return;
    }
    if takes_clicks && has_link(&element.children) {
        return link_button(r, element);
    }
    r.raw("<");
    r.raw(name);
    if takes_clicks {
        r.raw(" type=\"button\"");
    }
    attributes::write_attributes(r, name, element, "", &["type", "form"]);
    r.raw(">");
    r.state.phrasing += 1;
    r.state.in_link += u32::from(takes_clicks);
    r.nodes(&element.children);
    r.state.in_link -= u32::from(takes_clicks);
    r.state.phrasing -= 1;
    r.raw(&format!("</{name}>"));
    if matches!(name, "summary" | "legend") {
        r.raw("\n");
    }
}

fn has_link(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Element(element) => {
            matches!(element.name.as_str(), "a" | "Link") && element.props.text("href").is_some()
                || has_link(&element.children)
        }
        Node::Block(block) => matches!(block.kind, BlockKind::Link { .. }) || has_link(&block.children),
        Node::Part(part) => has_link(&part.children),
        _ => false,
    })
}

/// `<button><a href="…">`: HTML has no such thing. Without a script the link is what it does, so the link stays and
/// looks as the button does.
fn link_button(r: &mut Renderer<'_>, element: &JsxElement) {
    let class =
        if element.props.value("className").or_else(|| element.props.value("class")).is_some() { "" } else { "button" };
    if let [Node::Element(link)] = unwrapped_children(&element.children).as_slice()
        && link.name == "a"
    {
        let mut link = (*link).clone();
        let looks = element.props.0.iter().filter(|(name, _)| matches!(name.as_str(), "className" | "class" | "style"));
        let mut props: Vec<_> = looks.filter(|(name, _)| link.props.value(name).is_none()).cloned().collect();
        if props.is_empty() && link.props.value("className").is_none() && !class.is_empty() {
            props.push(("className".to_owned(), PropValue::String(class.to_owned())));
        }
        link.props.0.extend(props);
        r.state.phrasing += 1;
        anchor(r, &link);
        r.state.phrasing -= 1;
        return;
    }
    attributes::open_element(r, "span", element, class);
    r.state.phrasing += 1;
    r.nodes(&element.children);
    r.state.phrasing -= 1;
    r.raw("</span>");
}

fn special(r: &mut Renderer<'_>, element: &JsxElement) {
    match element.name.as_str() {
        "a" => anchor(r, element),
        "img" | "image" => write_image_element(r, element),
        "svg" => svg::write_svg(r, element),
        "math" => mathml::write_mathml(r, element),
        "picture" => embedded::write_picture(r, element),
        "map" => embedded::write_map(r, element),
        "area" => embedded::write_area(r, element),
        "meter" | "progress" => embedded::write_gauge(r, element),
        "object" => embedded::write_object(r, element),
        "style" => write_html_style(r, element),
        "video" | "audio" => media::write_local_or_placeholder(r, element),
        "iframe" => media::write_frame(r, element, "Embedded page"),
        "embed" => media::write_frame(r, element, "Embedded file"),
        "pre" if r.state.phrasing == 0 => pre(r, element),
        "table" if r.state.phrasing == 0 => write_table_element(r, element),
        _ => reduced(r, element),
    }
}

/// `<a>`: a link, unless it stands in one, leads nowhere or is refused.
fn anchor(r: &mut Renderer<'_>, element: &JsxElement) {
    let children = if element.inline { inline_children(&element.children) } else { &element.children };
    let href = element.props.text("href");
    let target = match &href {
        Some(href) if r.state.in_link == 0 => r.resolve(href, element.place),
        _ => super::Href::default(),
    };
    if target.url.is_empty() {
        let tag = if r.state.phrasing > 0 || all_phrasing(children) { "span" } else { "div" };
        r.raw("<");
        r.raw(tag);
        attributes::write_attributes(r, tag, element, "", &["href", "download"]);
        r.raw(">");
        r.nodes(children);
        r.raw(&format!("</{tag}>"));
        return;
    }
    r.raw("<a");
    r.href_attr_of(&target, Some(element));
    attributes::write_attributes(r, "a", element, "", &["href"]);
    let start = r.out.len();
    r.raw(">");
    r.state.in_link += 1;
    r.nodes(children);
    r.state.in_link -= 1;
    let named = ["aria-label", "title"].iter().any(|prop| element.props.text(prop).is_some());
    if r.out.slice(start + 1..).trim().is_empty() && !named {
        r.out.truncate(start);
        r.attr("aria-label", href.as_deref().unwrap_or_default());
        r.raw(">");
    }
    r.raw("</a>");
}

/// `<pre>` in JSX: its text with its line breaks; a code block in it takes its place.
fn pre(r: &mut Renderer<'_>, element: &JsxElement) {
    let mut children = Cow::Borrowed(element.children.as_slice());
    if has_paragraph(&children) {
        children = Cow::Owned(without_paragraphs(&children));
    }
    if !all_phrasing(&children) {
        return plain_block(r, "div", element, "");
    }
    attributes::open_element(r, "pre", element, "");
    r.state.phrasing += 1;
    r.state.in_code += 1;
    // a parser drops the first newline of a `<pre>`
    if let Some(Node::Text(text)) = children.first()
        && text.starts_with('\n')
    {
        r.raw("\n");
    }
    r.nodes(&children);
    r.state.in_code -= 1;
    r.state.phrasing -= 1;
    r.raw("</pre>\n");
    let tag_end = r.out.rfind("<pre").map(|at| at + 4);
    if let Some(at) = tag_end {
        r.out.insert_str(at, " tabindex=\"0\"");
    }
}

fn is_paragraph(node: &Node) -> bool {
    matches!(node, Node::Block(block) if block.kind == BlockKind::Paragraph)
}

fn has_paragraph(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Element(element) => html::is_phrasing(&element.name) && has_paragraph(&element.children),
        Node::Part(part) => has_paragraph(&part.children),
        node => is_paragraph(node),
    })
}

/// What MDX has put into paragraphs, as the text of a `<pre>`: with a blank line before each but the first.
fn without_paragraphs(nodes: &[Node]) -> Vec<Node> {
    let mut out = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Node::Block(block) if is_paragraph(node) => {
                if !out.is_empty() {
                    out.push(Node::Text("\n\n".to_owned()));
                }
                out.extend(block.children.iter().cloned());
            }
            Node::Element(element) if html::is_phrasing(&element.name) => {
                let children = without_paragraphs(&element.children);
                out.push(Node::Element(Box::new(JsxElement { children, ..(**element).clone() })));
            }
            Node::Part(part) => {
                let children = without_paragraphs(&part.children);
                out.push(Node::Part(Box::new(IslandPart { children, ..(**part).clone() })));
            }
            node => out.push(node.clone()),
        }
    }
    out
}

fn write_html_style(r: &mut Renderer<'_>, element: &JsxElement) {
    let css = attributes::css_urls(r, &Node::text_of(&element.children), element.place);
    if css.trim().is_empty() {
        return;
    }
    r.raw("<style>");
    r.raw(&css.replace("</", "<\\/").replace("<!--", ""));
    r.raw("</style>\n");
}

fn dropped(r: &mut Renderer<'_>, element: &JsxElement) {
    if element.name == "link" {
        return sheet_link(r, element);
    }
    if matches!(element.name.as_str(), "template" | "title") && !Node::text_of(&element.children).trim().is_empty() {
        tell_dropped(r, element);
    }
    if element.name == "script" {
        r.warn_once("<script>", element.place, || {
            Diagnostic::new("script-dropped", "a `<script>` in a page is left out")
                .hint("move it to a .js file of the source, and export with `--include-js`")
        });
    }
}

/// `<link rel="stylesheet">` of a sheet that stands elsewhere, once the bundle has it; every other link is left out,
/// and the site's own sheets belong to all pages anyway.
fn sheet_link(r: &mut Renderer<'_>, element: &JsxElement) {
    let is_sheet = element
        .props
        .text("rel")
        .is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("stylesheet")));
    let href = element
        .props
        .text("href")
        .filter(|href| is_sheet && ["https://", "http://", "//"].iter().any(|start| href.trim().starts_with(start)));
    let Some(href) = href else { return };
    let source = r.load(&href, LoadKind::Sheet, element.place);
    if source.external || source.url.is_empty() {
        return;
    }
    r.raw("<link rel=\"stylesheet\"");
    r.attr("href", &source.url);
    if let Some(media) = element.props.text("media") {
        r.attr("media", &media);
    }
    r.raw(">");
}
