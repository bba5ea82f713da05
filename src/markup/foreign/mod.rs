//! Components of other documentation tools as those of this program: `Aside` is a note or a warning, `TabItem` a tab.
//! Pages of plain folders are read with them, after imports and expressions have been resolved.

mod next;

use base::limits;
use import::web::icon_name;

use crate::component;
use crate::tree::{BlockKind, CodeFence, Flaw, JsxElement, Node, PropValue, Props};

/// The names that are known here and no components of this program.
const NAMES: [&str; 14] = [
    "Aside",
    "CardGrid",
    "Code",
    "Image",
    "LinkButton",
    "LinkCard",
    "PackageManagerTabs",
    "PackageManagers",
    "Picture",
    "TabItem",
    "YouTube",
    "Badge",
    "Icon",
    "Steps",
];

/// Whether a name stands for a component of another tool.
pub(crate) fn is_foreign_component(name: &str) -> bool {
    NAMES.contains(&name) || next::NAMES.contains(&name)
}

/// Writes the components of other tools as those of this program.
pub fn adapt_foreign_components(nodes: &mut Vec<Node>) {
    adapt_below(nodes, 0);
}

fn adapt_below(nodes: &mut Vec<Node>, depth: usize) {
    if depth >= limits::NESTING {
        return;
    }
    for node in nodes.iter_mut() {
        match node {
            Node::Block(block) => adapt_below(&mut block.children, depth + 1),
            Node::Island(island) => adapt_below(&mut island.children, depth + 1),
            Node::Part(part) => adapt_below(&mut part.children, depth + 1),
            Node::Element(element) => {
                adapt_below(&mut element.children, depth + 1);
                adapt_element(element);
                dissolve(&mut element.children);
            }
            _ => {}
        }
    }
    if depth == 0 {
        dissolve(nodes);
    }
}

/// Puts what slots hold in their place: the component that they are for has been written.
fn dissolve(nodes: &mut Vec<Node>) {
    let is_slot = |node: &Node| matches!(node, Node::Element(element) if component::is_fragment(&element.name));
    if !nodes.iter().any(is_slot) {
        return;
    }
    for node in std::mem::take(nodes) {
        match node {
            Node::Element(element) if component::is_fragment(&element.name) => nodes.extend(element.children),
            other => nodes.push(other),
        }
    }
}

fn adapt_element(element: &mut JsxElement) {
    next::adapt(element);
    let props = &element.props;
    let text = |name: &str| props.text(name).map(std::borrow::Cow::into_owned);
    match element.name.as_str() {
        "Aside" => {
            let (name, title) = match text("type").as_deref() {
                Some("tip") => ("Tip", "Tip"),
                Some("caution" | "warning") => ("Warning", "Caution"),
                Some("danger") => ("Danger", "Danger"),
                _ => ("Note", "Note"),
            };
            let title = text("title").unwrap_or_else(|| title.to_owned());
            replace(element, name, &[("title", title)]);
        }
        "TabItem" => {
            let title = text("label").or_else(|| text("value")).unwrap_or_default();
            let icon = text("icon").map(|icon| icon_name(&icon).to_owned()).unwrap_or_default();
            replace(element, "Tab", &[("title", title), ("icon", icon)]);
        }
        "CardGrid" => replace(element, "CardGroup", &[("cols", "2".to_owned())]),
        "LinkCard" => {
            let (title, href) = (text("title").unwrap_or_default(), text("href").unwrap_or_default());
            let words = text("description").map(Node::Text);
            replace(element, "Card", &[("title", title), ("href", href)]);
            element.props.set("arrow", PropValue::Bool(true));
            element.children.splice(0..0, words);
        }
        "LinkButton" => {
            let href = text("href").unwrap_or_default();
            replace(element, "a", &[("href", href)]);
        }
        "Card" if text("icon").is_some() => {
            let icon = text("icon").map(|icon| icon_name(&icon).to_owned()).unwrap_or_default();
            element.props.set("icon", PropValue::String(icon));
        }
        "Badge" if text("text").is_some() => {
            let color = match text("variant").or_else(|| text("type")).as_deref() {
                Some("tip") => "purple",
                Some("success") => "green",
                Some("caution" | "warning") => "orange",
                Some("danger") => "red",
                Some("note" | "info") => "blue",
                _ => "gray",
            };
            let words = text("text").unwrap_or_default();
            replace(element, "Badge", &[("color", color.to_owned())]);
            element.children = vec![Node::Text(words)];
        }
        "Icon" if text("name").is_some() && text("icon").is_none() => {
            let icon = text("name").map(|name| icon_name(&name).to_owned()).unwrap_or_default();
            replace(element, "Icon", &[("icon", icon)]);
        }
        "Code" if text("code").is_some() => {
            let fence = CodeFence {
                lang: text("lang").unwrap_or_default(),
                code: text("code").unwrap_or_default().trim_end().to_owned(),
                place: element.place,
                ..CodeFence::default()
            };
            let title = text("title").unwrap_or_default();
            replace(element, "CodeBlock", &[("filename", title)]);
            element.children = vec![Node::Fence(Box::new(fence))];
        }
        "Image" | "Picture" if props.value("src").is_some() => {
            let src = match props.value("src") {
                Some(PropValue::Object(_)) => {
                    props.value("src").and_then(|src| src.field("src")).and_then(PropValue::to_text)
                }
                _ => text("src"),
            };
            let own = [("src", src.unwrap_or_default()), ("alt", text("alt").unwrap_or_default())];
            let sizes = ["width", "height"].map(|name| (name, text(name).unwrap_or_default()));
            replace(element, "img", &own);
            for (name, size) in sizes.into_iter().filter(|(_, size)| !size.is_empty()) {
                element.props.set(name, PropValue::String(size));
            }
        }
        "YouTube" if text("id").is_some() => {
            let id = text("id").unwrap_or_default();
            let id = id.rsplit(['/', '=']).next().unwrap_or_default();
            let src = format!("https://www.youtube-nocookie.com/embed/{id}");
            let title = text("title").unwrap_or_else(|| "YouTube".to_owned());
            replace(element, "iframe", &[("src", src), ("title", title)]);
        }
        "PackageManagerTabs" => tabs_of_slots(element),
        "PackageManagers" => package_managers(element),
        "Steps" => steps_of_list(element),
        _ => {}
    }
}

/// The badge of VitePress, which says in an attribute what it shows; `None` for any other element.
pub fn badge_of_vitepress(element: &JsxElement) -> Option<JsxElement> {
    let words = element.props.text("text").filter(|_| element.name.eq_ignore_ascii_case("badge"))?;
    let color = match element.props.text("type").as_deref() {
        Some("tip") => "green",
        Some("warning") => "yellow",
        Some("danger") => "red",
        _ => "gray",
    };
    let mut badge = JsxElement { children: vec![Node::Text(words.into_owned())], ..element.clone() };
    replace(&mut badge, "Badge", &[("color", color.to_owned())]);
    Some(badge)
}

/// Gives an element another name and other props; empty ones are left out.
fn replace(element: &mut JsxElement, name: &str, props: &[(&str, String)]) {
    name.clone_into(&mut element.name);
    element.flaw = Flaw::None;
    element.props = Props::default();
    for (name, value) in props.iter().filter(|(_, value)| !value.is_empty()) {
        element.props.set(name, PropValue::String(value.clone()));
    }
}

fn foreign_tab(title: &str, children: Vec<Node>) -> Node {
    let mut props = Props::default();
    props.set("title", PropValue::String(title.to_owned()));
    Node::Element(Box::new(JsxElement { name: "Tab".to_owned(), props, children, ..JsxElement::default() }))
}

/// `<Fragment slot="npm">` and its siblings as tabs.
fn tabs_of_slots(element: &mut JsxElement) {
    let mut tabs = Vec::new();
    let mut rest = Vec::new();
    for child in std::mem::take(&mut element.children) {
        match child {
            Node::Element(inner) if component::is_fragment(&inner.name) && inner.props.text("slot").is_some() => {
                let slot = inner.props.text("slot").unwrap_or_default().into_owned();
                let title = if slot == "yarn" { "Yarn" } else { slot.as_str() };
                tabs.push(foreign_tab(title, inner.children));
            }
            other => rest.push(other),
        }
    }
    if tabs.is_empty() {
        element.children = rest;
        return;
    }
    replace(element, "Tabs", &[]);
    element.children = tabs;
}

/// The commands of package managers for a package.
fn package_managers(element: &mut JsxElement) {
    const NAMES: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
    let text = |name: &str| element.props.text(name).map(std::borrow::Cow::into_owned).unwrap_or_default();
    let (package, arguments, kind) = (text("pkg"), text("args"), text("type"));
    let is_dev = element.props.flag("dev");
    let managers = element.props.list("pkgManagers");
    let command = |name: &str| {
        let start = match (kind.as_str(), name) {
            ("exec", "npm") | ("dlx", "npm") => "npx",
            ("exec", "pnpm") => "pnpm",
            ("exec", "yarn") => "yarn",
            ("exec" | "dlx", "bun") => "bunx",
            ("dlx", "pnpm") => "pnpm dlx",
            ("dlx", "yarn") => "yarn dlx",
            ("create", "npm") => "npm create",
            ("create", "pnpm") => "pnpm create",
            ("create", "yarn") => "yarn create",
            ("create", _) => "bun create",
            ("run", "npm") => "npm run",
            ("run", "pnpm") => "pnpm run",
            ("run", "yarn") => "yarn run",
            ("run", _) => "bun run",
            ("remove", "npm") => "npm uninstall",
            ("remove", "pnpm") => "pnpm remove",
            ("remove", "yarn") => "yarn remove",
            ("remove", _) => "bun remove",
            (_, "npm") if package.is_empty() => "npm install",
            (_, "pnpm") if package.is_empty() => "pnpm install",
            (_, "yarn") if package.is_empty() => "yarn install",
            (_, "bun") if package.is_empty() => "bun install",
            (_, "npm") => "npm i",
            (_, "pnpm") => "pnpm add",
            (_, "yarn") => "yarn add",
            _ => "bun add",
        };
        let dev = if is_dev { if name == "bun" { "-d" } else { "-D" } } else { "" };
        let parts = [start, dev, package.as_str(), arguments.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let shown = NAMES.iter().filter(|name| match managers.as_slice() {
        [] => **name != "bun",
        managers => managers.iter().any(|one| one == *name),
    });
    let place = element.place;
    let tabs = shown
        .map(|name| {
            let fence = CodeFence { lang: "sh".to_owned(), code: command(name), place, ..CodeFence::default() };
            foreign_tab(name, vec![Node::Fence(Box::new(fence))])
        })
        .collect();
    replace(element, "Tabs", &[]);
    element.children = tabs;
}

/// Steps that are written as an ordered list.
fn steps_of_list(element: &mut JsxElement) {
    let is_blank = |node: &Node| matches!(node, Node::Text(text) if text.trim().is_empty());
    let mut filled = element.children.iter().filter(|child| !is_blank(child));
    let is_list = matches!(
        (filled.next(), filled.next()),
        (Some(Node::Block(block)), None) if matches!(block.kind, BlockKind::List { start: Some(_) })
    );
    if !is_list {
        return;
    }
    let mut steps = Vec::new();
    for child in std::mem::take(&mut element.children) {
        let Node::Block(list) = child else { continue };
        for item in list.children {
            let Node::Block(item) = item else { continue };
            let place = item.place;
            let children = in_paragraphs(item.children, place);
            steps.push(Node::Element(Box::new(JsxElement {
                name: "Step".to_owned(),
                children,
                place,
                ..JsxElement::default()
            })));
        }
    }
    element.children = steps;
}

/// The words of an item that has no paragraphs, in one.
fn in_paragraphs(children: Vec<Node>, place: base::Place) -> Vec<Node> {
    use crate::tree::MarkdownBlock;
    let is_phrasing = |node: &Node| match node {
        Node::Text(_) | Node::Code(_) | Node::Break { .. } | Node::FootnoteRef(_) | Node::Html { .. } => true,
        Node::Block(block) => block.kind.is_phrasing(),
        Node::Element(element) => element.inline,
        _ => false,
    };
    let mut out: Vec<Node> = Vec::new();
    let mut words: Vec<Node> = Vec::new();
    let flush = |words: &mut Vec<Node>, out: &mut Vec<Node>| {
        if !words.is_empty() {
            let children = std::mem::take(words);
            out.push(Node::Block(Box::new(MarkdownBlock { kind: BlockKind::Paragraph, children, place })));
        }
    };
    for child in children {
        if is_phrasing(&child) {
            words.push(child);
        } else {
            flush(&mut words, &mut out);
            out.push(child);
        }
    }
    flush(&mut words, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_mdx;
    use base::FileId;

    /// The outline of a text: names of elements and props.
    fn shown(text: &str) -> String {
        let mut nodes = parse_mdx(text, FileId(0), 1).nodes;
        adapt_foreign_components(&mut nodes);
        let mut out = String::new();
        push(&mut out, &nodes);
        out
    }

    fn push(out: &mut String, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Element(element) => {
                    let props = element
                        .props
                        .0
                        .iter()
                        .map(|(name, value)| format!(" {name}={}", value.to_text().unwrap_or_default()));
                    out.push_str(&format!("<{}{}>", element.name, props.collect::<String>()));
                    push(out, &element.children);
                    out.push_str("</>");
                }
                Node::Block(block) => push(out, &block.children),
                Node::Text(text) => out.push_str(text.trim()),
                Node::Fence(fence) => out.push_str(&fence.code),
                _ => {}
            }
        }
    }

    #[test]
    fn components_of_nextra_and_fumadocs() {
        for (text, expect) in [
            ("<Callout type=\"warning\" emoji=\"!\">\n  x\n</Callout>", "<Warning>x</>"),
            ("<Callout title=\"T\" type=\"error\">x</Callout>", "<Danger title=T>x</>"),
            ("<Callout icon=\"key\">x</Callout>", "<Callout icon=key>x</>"),
            (
                "<Cards num=\"3\">\n  <Cards.Card title=\"A\" href=\"/a\" arrow />\n</Cards>",
                "<CardGroup cols=3><Card title=A href=/a arrow=></></>",
            ),
            ("<Card title=\"A\" description=\"D\" />", "<Card title=A>D</>"),
            (
                "<FileTree>\n  <FileTree.Folder name=\"a\" defaultOpen>\n    <FileTree.File name=\"b\" active />\n  </FileTree.Folder>\n</FileTree>",
                "<FileTree><Tree.Folder name=a defaultOpen=><Tree.File name=b active= highlight=></></></>",
            ),
            (
                "<Files><Folder name=\"a\"><File name=\"b\" /></Folder></Files>",
                "<Tree><Tree.Folder name=a><Tree.File name=b></></></>",
            ),
            ("<Steps>\n\n### One\n\na\n\n### Two\n\nb\n\n</Steps>", "<Steps><Step>Onea</><Step>Twob</></>"),
            (
                "<Accordions>\n<Accordion title=\"A\">x</Accordion>\n</Accordions>",
                "<AccordionGroup><Accordion title=A>x</></>",
            ),
            ("<Bleed>\n\nx\n\n</Bleed>", "x"),
        ] {
            assert_eq!(shown(text), expect, "{text}");
        }
    }

    #[test]
    fn components_of_starlight() {
        for (text, expect) in [
            ("<Aside type=\"caution\">\n\nWords\n\n</Aside>", "<Warning title=Caution>Words</>"),
            ("<Aside title=\"Own\">x</Aside>", "<Note title=Own>x</>"),
            ("<Tabs>\n<TabItem label=\"A\">\n\nx\n\n</TabItem>\n</Tabs>", "<Tabs><Tab title=A>x</></>"),
            ("<LinkCard title=\"T\" description=\"D\" href=\"/a\" />", "<Card title=T href=/a arrow=>D</>"),
            ("<Badge text=\"New\" variant=\"tip\" />", "<Badge color=purple>New</>"),
            ("<Code code=\"let a\" lang=\"js\" title=\"a.js\" />", "<CodeBlock filename=a.js>let a</>"),
            ("<Steps>\n\n1. One\n2. Two\n\n</Steps>", "<Steps><Step>One</><Step>Two</></>"),
            ("<PackageManagers pkg=\"x\" dev pkgManagers=\"npm\" />", "<Tabs><Tab title=npm>npm i -D x</></>"),
            (
                "<PackageManagerTabs>\n<Fragment slot=\"yarn\">\n```sh\nyarn\n```\n</Fragment>\n</PackageManagerTabs>",
                "<Tabs><Tab title=Yarn>yarn</></>",
            ),
        ] {
            assert_eq!(shown(text), expect, "{text}");
        }
    }
}
