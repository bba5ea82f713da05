//! Components of Nextra and Fumadocs.

use crate::tree::{BlockKind, JsxElement, Node, PropValue, Props};

use super::replace;

/// The names that are known here and no components of this program.
pub(super) const NAMES: [&str; 27] = [
    "Accordions",
    "Bleed",
    "Cards",
    "Cards.Card",
    "CodeBlockTab",
    "CodeBlockTabs",
    "CodeBlockTabsList",
    "CodeBlockTabsTrigger",
    "Collapse",
    "DynamicCodeBlock",
    "File",
    "FileTree.File",
    "FileTree.Folder",
    "Files",
    "Folder",
    "GithubInfo",
    "ImageZoom",
    "InlineTOC",
    "Table.Td",
    "Table.Th",
    "Table.Tr",
    "Tabs.Tab",
    "TabsContent",
    "TabsList",
    "TabsTrigger",
    "TypeTable",
    "Wrapper",
];

/// Writes a component as one of this program.
pub(super) fn adapt(element: &mut JsxElement) {
    let text = |name: &str| element.props.text(name).map(std::borrow::Cow::into_owned);
    match element.name.as_str() {
        "Callout" if text("type").is_some() || text("emoji").is_some() || text("title").is_some() => {
            let name = match text("type").as_deref() {
                Some("warn" | "warning") => "Warning",
                Some("error") => "Danger",
                Some("success") => "Check",
                Some("idea") => "Tip",
                Some("default") => "Note",
                Some("info" | "important") => "Info",
                _ => "Note",
            };
            replace(element, name, &[("title", text("title").unwrap_or_default())]);
        }
        "Cards" => {
            let columns = text("num").unwrap_or_else(|| "2".to_owned());
            replace(element, "CardGroup", &[("cols", columns)]);
        }
        "Cards.Card" | "Card" => {
            "Card".clone_into(&mut element.name);
            let words = text("description").map(Node::Text);
            element.props.0.retain(|(name, _)| name != "description");
            element.children.splice(0..0, words);
        }
        "FileTree.Folder" | "FileTree.File" => name_entry(element),
        "Files" => {
            "Tree".clone_into(&mut element.name);
            name_entries(&mut element.children);
        }
        "Accordions" => replace(element, "AccordionGroup", &[]),
        "Steps" => steps_of_headings(element),
        "TypeTable" => type_table(element),
        "Table.Td" | "Table.Th" | "Table.Tr" => {
            element.name = element.name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        }
        "Table" if is_table_of_elements(element) => "table".clone_into(&mut element.name),
        "DynamicCodeBlock" => {
            let code = text("code").map(Node::Text);
            replace(element, "CodeBlock", &[("language", text("lang").unwrap_or_default())]);
            element.children = code.into_iter().collect();
        }
        // what is in it keeps its names until then
        "Tabs" => name_contents(element),
        "CodeBlockTabs" => {
            replace(element, "Tabs", &[]);
            element
                .children
                .retain(|child| !matches!(child, Node::Element(inner) if inner.name == "CodeBlockTabsList"));
        }
        "CodeBlockTab" => {
            let title = text("value").unwrap_or_default();
            replace(element, "Tab", &[("title", title)]);
        }
        "ImageZoom" => "Image".clone_into(&mut element.name),
        "InlineTOC" | "GithubInfo" => {
            element.children.clear();
            replace(element, "Fragment", &[]);
        }
        // they only say how wide something is
        "Bleed" | "Collapse" | "Wrapper" => replace(element, "Fragment", &[]),
        _ => {}
    }
}

/// Whether a table is written as HTML has it, with components for its parts.
fn is_table_of_elements(element: &JsxElement) -> bool {
    const PARTS: [&str; 5] = ["thead", "tbody", "tfoot", "tr", "Table.Tr"];
    element.children.iter().any(|child| matches!(child, Node::Element(part) if PARTS.contains(&part.name.as_str())))
}

/// Tabs whose titles stand in a list of their own: `<TabsList><TabsTrigger value="a">A</TabsTrigger></TabsList>` before
/// `<TabsContent value="a">`.
fn name_contents(element: &mut JsxElement) {
    let value_of = |element: &JsxElement| element.props.text("value").map(std::borrow::Cow::into_owned);
    let mut titles: Vec<(String, Vec<Node>)> = Vec::new();
    element.children.retain_mut(|child| {
        let Node::Element(list) = child else { return true };
        if list.name != "TabsList" {
            return true;
        }
        for trigger in &mut list.children {
            if let Node::Element(trigger) = trigger
                && let Some(value) = value_of(trigger)
            {
                titles.push((value, std::mem::take(&mut trigger.children)));
            }
        }
        false
    });
    if titles.is_empty() {
        return;
    }
    for child in &mut element.children {
        let Node::Element(content) = child else { continue };
        let Some(value) = value_of(content).filter(|_| content.name == "TabsContent") else { continue };
        "Tab".clone_into(&mut content.name);
        if let Some((_, title)) = titles.iter_mut().find(|(known, _)| *known == value) {
            content.props.set("title", PropValue::Nodes(std::mem::take(title)));
        }
    }
}

/// A file or folder, alone or of a tree.
fn name_entry(element: &mut JsxElement) {
    let name = if element.name.ends_with("Folder") { "Tree.Folder" } else { "Tree.File" };
    name.clone_into(&mut element.name);
    if element.props.flag("active") {
        element.props.set("highlight", PropValue::Bool(true));
    }
    if element.props.flag("open") {
        element.props.set("defaultOpen", PropValue::Bool(true));
    }
}

/// The same for those in each other; the depth of elements has been bounded.
fn name_entries(nodes: &mut [Node]) {
    for node in nodes {
        match node {
            Node::Element(element) => {
                if matches!(element.name.as_str(), "Folder" | "File") {
                    name_entry(element);
                }
                name_entries(&mut element.children);
            }
            Node::Block(block) => name_entries(&mut block.children),
            _ => {}
        }
    }
}

/// Steps that begin with headings of the same level, which stay headings.
fn steps_of_headings(element: &mut JsxElement) {
    let level_of = |node: &Node| match node {
        Node::Block(block) => match block.kind {
            BlockKind::Heading { level, .. } => Some(level),
            _ => None,
        },
        _ => None,
    };
    let Some(least) = element.children.iter().filter_map(level_of).min() else { return };
    let mut before = Vec::new();
    let mut steps: Vec<JsxElement> = Vec::new();
    for child in std::mem::take(&mut element.children) {
        match (level_of(&child) == Some(least), steps.last_mut()) {
            (true, _) => steps.push(JsxElement {
                name: "Step".to_owned(),
                children: vec![child],
                place: element.place,
                ..JsxElement::default()
            }),
            (false, Some(step)) => step.children.push(child),
            (false, None) => before.push(child),
        }
    }
    element.children = before;
    element.children.extend(steps.into_iter().map(|step| Node::Element(Box::new(step))));
}

/// `type={{ name: { type, description, default, required } }}`: a table of properties as fields.
fn type_table(element: &mut JsxElement) {
    let Some(PropValue::Object(entries)) = element.props.value("type").cloned() else { return };
    let place = element.place;
    let fields = entries.into_iter().map(|(name, entry)| {
        let text = |key: &str| entry.field(key).and_then(PropValue::to_text).filter(|text| !text.is_empty());
        let mut props = Props::default();
        props.set("name", PropValue::String(name));
        for key in ["type", "default"] {
            if let Some(text) = text(key) {
                props.set(key, PropValue::String(text));
            }
        }
        for key in ["required", "deprecated"] {
            if matches!(entry.field(key), Some(PropValue::Bool(true))) {
                props.set(key, PropValue::Bool(true));
            }
        }
        let children = match entry.field("description") {
            Some(PropValue::Nodes(nodes)) => nodes.clone(),
            Some(value) => value.to_text().map(Node::Text).into_iter().collect(),
            None => Vec::new(),
        };
        Node::Element(Box::new(JsxElement {
            name: "ResponseField".to_owned(),
            props,
            children,
            place,
            ..JsxElement::default()
        }))
    });
    let fields = fields.collect();
    replace(element, "Fragment", &[]);
    element.children = fields;
}
