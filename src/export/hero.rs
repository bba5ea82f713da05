//! The start page that other generators make of front matter, as cards.

use base::Place;
use markup::tree::{BlockKind, JsxElement, MarkdownBlock, Node, PropValue, Props};
use site::hero::{Hero, HeroPicture};

/// What stands above the page's text, below the page's `description`.
pub(super) fn nodes(hero: &Hero, description: Option<&str>) -> Vec<Node> {
    let words = [&hero.lead, &hero.tagline].into_iter().flatten().filter(|words| Some(words.as_str()) != description);
    let paragraph = |words: &String| {
        Node::Block(Box::new(MarkdownBlock {
            kind: BlockKind::Paragraph,
            children: vec![Node::Text(words.clone())],
            place: Place::default(),
        }))
    };
    let mut nodes: Vec<Node> = hero.picture.iter().flat_map(pictures).collect();
    nodes.extend(words.map(paragraph));
    let actions = hero.actions.iter().map(|(label, link)| card(&[("title", label), ("href", link)], true));
    nodes.extend(group(actions.collect()));
    let features = hero.features.iter().map(|feature| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        card(
            &[
                ("title", &feature.title),
                ("description", &feature.details),
                ("icon", &text(&feature.icon)),
                ("href", &text(&feature.link)),
                ("cta", &text(&feature.link_text)),
            ],
            false,
        )
    });
    nodes.extend(group(features.collect()));
    nodes
}

/// The picture, once for each scheme that has its own.
fn pictures(picture: &HeroPicture) -> Vec<Node> {
    let image = |src: &str, class: &str| {
        let mut props = Props::default();
        for (name, value) in [("src", src), ("alt", picture.alt.as_str()), ("width", "240"), ("class", class)] {
            props.set(name, PropValue::String(value.to_owned()));
        }
        Node::Element(Box::new(JsxElement { name: "img".to_owned(), props, ..JsxElement::default() }))
    };
    match &picture.dark {
        Some(dark) => vec![image(&picture.light, "block dark:hidden"), image(dark, "hidden dark:block")],
        None => vec![image(&picture.light, "")],
    }
}

fn card(props: &[(&str, &str)], is_action: bool) -> Node {
    let mut own = Props::default();
    for (name, value) in props.iter().filter(|(_, value)| !value.is_empty()) {
        own.set(name, PropValue::String((*value).to_owned()));
    }
    if is_action {
        own.set("arrow", PropValue::Bool(true));
        own.set("horizontal", PropValue::Bool(true));
    }
    Node::Element(Box::new(JsxElement { name: "Card".to_owned(), props: own, ..JsxElement::default() }))
}

fn group(cards: Vec<Node>) -> Option<Node> {
    let mut props = Props::default();
    // four stand two and two
    let columns = if cards.len().is_multiple_of(3) || cards.len() > 4 { 3 } else { cards.len().min(2) };
    props.set("cols", PropValue::Number(columns as f64));
    (!cards.is_empty()).then(|| {
        Node::Element(Box::new(JsxElement {
            name: "CardGroup".to_owned(),
            props,
            children: cards,
            ..JsxElement::default()
        }))
    })
}
