//! The start page that other generators make of front matter: a picture, words, buttons, and features as cards.

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
    nodes.extend(buttons(&hero.actions));
    let features = hero.features.iter().map(|feature| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        card(&[
            ("title", &feature.title),
            ("description", &feature.details),
            ("icon", &text(&feature.icon)),
            ("href", &text(&feature.link)),
            ("cta", &text(&feature.link_text)),
        ])
    });
    nodes.extend(group(features.collect()));
    nodes
}

/// The picture, once for each scheme that has its own.
fn pictures(picture: &HeroPicture) -> Vec<Node> {
    let image = |src: &str, class: &str| {
        let props = [("src", src), ("alt", picture.alt.as_str()), ("width", "240"), ("class", class)];
        Node::Element(Box::new(element("img", &props)))
    };
    match &picture.dark {
        Some(dark) => {
            vec![image(&picture.light, "hero-picture block dark:hidden"), image(dark, "hero-picture hidden dark:block")]
        }
        None => vec![image(&picture.light, "hero-picture")],
    }
}

/// The actions in a line; the first one is what most readers want.
fn buttons(actions: &[(String, String)]) -> Option<Node> {
    let mut children = Vec::new();
    for (at, (label, link)) in actions.iter().enumerate() {
        let class = if at == 0 { "button button-primary" } else { "button" };
        let label = vec![Node::Text(label.clone())];
        let button = JsxElement { children: label, ..element("a", &[("href", link), ("class", class)]) };
        children.extend([Node::Element(Box::new(button)), Node::Text(" ".to_owned())]);
    }
    children.pop();
    let line = MarkdownBlock { kind: BlockKind::Paragraph, children, place: Place::default() };
    (!actions.is_empty()).then(|| Node::Block(Box::new(line)))
}

/// A card with what is given of its properties.
fn card(props: &[(&str, &str)]) -> Node {
    let given: Vec<(&str, &str)> = props.iter().copied().filter(|(_, value)| !value.is_empty()).collect();
    Node::Element(Box::new(element("Card", &given)))
}

fn element(name: &str, props: &[(&str, &str)]) -> JsxElement {
    let mut own = Props::default();
    for (name, value) in props {
        own.set(name, PropValue::String((*value).to_owned()));
    }
    JsxElement { name: name.to_owned(), props: own, ..JsxElement::default() }
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
