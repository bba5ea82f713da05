//! Tabs as other generators write them.

use crate::tree::{JsxElement, Node, PropValue};

/// Whether other generators have another way to name this tab, or these.
pub(super) fn is_to_be_named(element: &JsxElement) -> bool {
    match element.name.as_str() {
        "TabItem" | "Tabs.Tab" => true,
        "Tab" => element.props.value("title").is_none(),
        "Tabs" => element.props.value("items").is_some(),
        _ => false,
    }
}

/// A tab as Docusaurus, Fumadocs and Nextra know it: `label` is its title, `value` stands in for it.
pub(super) fn adopt_tab(element: &mut JsxElement) {
    "Tab".clone_into(&mut element.name);
    let label = ["label", "value"].iter().find_map(|name| element.props.text(name).map(|label| label.into_owned()));
    if let Some(label) = label.filter(|_| element.props.value("title").is_none()) {
        element.props.set("title", PropValue::String(label));
    }
}

/// Tabs may be named, and one of them chosen, where they are put together: `values={[{value, label}]}` and
/// `defaultValue` (Docusaurus), or `items={["a", "b"]}` (Fumadocs, Nextra).
pub(super) fn name_tabs(element: &mut JsxElement) {
    let text = |value: &PropValue, name: &str| value.field(name).and_then(|field| field.to_text());
    let mut labels: Vec<(String, String)> = Vec::new();
    if let Some(PropValue::Array(values)) = element.props.value("values") {
        labels.extend(values.iter().filter_map(|value| Some((text(value, "value")?, text(value, "label")?))));
    }
    let items: Vec<PropValue> = match element.props.value("items") {
        Some(PropValue::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    let chosen = element.props.text("defaultValue").map(|value| value.into_owned());
    let mut default = None;
    let tabs = element.children.iter_mut().filter_map(|child| match child {
        Node::Element(tab) if tab.name == "Tab" => Some(tab),
        _ => None,
    });
    for (at, tab) in tabs.enumerate() {
        // `{ label: "a", disabled: true }` is a name with options
        let item = items.get(at).map(|item| item.field("label").unwrap_or(item));
        let is_name = |item: &&PropValue| matches!(item, PropValue::String(_) | PropValue::Nodes(_));
        if let Some(item) = item.filter(is_name).filter(|_| tab.props.value("title").is_none()) {
            tab.props.set("title", item.clone());
        }
        let Some(value) = tab.props.text("value").map(|value| value.into_owned()) else { continue };
        if chosen.as_ref() == Some(&value) || tab.props.flag("default") {
            default = Some(at);
        }
        if let Some((_, label)) = labels.iter().find(|(known, _)| *known == value) {
            tab.props.set("title", PropValue::String(label.clone()));
        }
    }
    if let Some(at) = default.filter(|_| element.props.value("defaultTabIndex").is_none()) {
        element.props.set("defaultTabIndex", PropValue::Number(at as f64));
    }
}
