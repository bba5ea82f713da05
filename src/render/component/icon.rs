//! Icons of components: the one place that calls `render::icon`.

use std::borrow::Cow;

use crate::icon::{self, IconLook, named_icon};
use crate::{Renderer, svg};
use base::cut::{SliceText as _, cut};
use markup::tree::{JsxElement, Node, PropValue};
use site::config;

/// The icon of a component's prop (`icon`, `leadIcon` …) as HTML: a name, path or URL with `iconType` and
/// `iconLibrary`, or inline SVG. `size` in pixels.
pub(super) fn prop(r: &mut Renderer<'_>, element: &JsxElement, name: &str, size: f64) -> Option<String> {
    let look = IconLook { size, color: None, class: "" };
    let html = match element.props.value(name)? {
        PropValue::Nodes(nodes) => nodes_as_icon(r, nodes, size),
        PropValue::String(text) => {
            let icon_config = described(element, text);
            r.capture(|r| icon::write_icon(r, &icon_config, &look, element.place))
        }
        _ => return None,
    };
    (!html.trim().is_empty()).then_some(html)
}

fn described(element: &JsxElement, name: &str) -> config::Icon {
    let props = &element.props;
    let text = |prop: &str| props.text(prop).map(Cow::into_owned);
    config::Icon {
        name: name.to_owned(),
        style: text("iconType"),
        library: text("iconLibrary").or_else(|| text("library")),
    }
}

/// Static JSX as an icon: drawings and pictures in it, without anything that takes clicks. A drawing without a size has
/// that of the place.
fn nodes_as_icon(r: &mut Renderer<'_>, nodes: &[Node], size: f64) -> String {
    r.capture(|r| {
        r.state.phrasing += 1;
        r.state.in_link += 1;
        match nodes {
            [Node::Element(element)] if element.name == "svg" => {
                let mut drawing = (**element).clone();
                if drawing.props.value("width").is_none() && drawing.props.value("height").is_none() {
                    drawing.props.set("width", PropValue::Number(size));
                    drawing.props.set("height", PropValue::Number(size));
                }
                svg::write_with(r, &drawing, "icon");
            }
            nodes => r.nodes(nodes),
        }
        r.state.in_link -= 1;
        r.state.phrasing -= 1;
    })
}

/// Writes `<Icon>`.
pub(super) fn write_icon_element(r: &mut Renderer<'_>, element: &JsxElement) {
    let props = &element.props;
    let color = props.text("color");
    let class = props.text("className").or_else(|| props.text("class")).unwrap_or_default();
    let is_drawn = !matches!(props.value("icon"), Some(PropValue::Nodes(_))) && props.text("src").is_none();
    let class = if is_drawn { text_colored_classes(&class) } else { class };
    r.classes.add(&class);
    let look = IconLook { size: props.number("size").unwrap_or(16.0), color: color.as_deref(), class: &class };
    r.raw("<span class=\"icon-inline\" data-component=\"Icon\">");
    match (props.value("icon"), props.text("src")) {
        (Some(PropValue::Nodes(nodes)), _) => {
            let html = nodes_as_icon(r, nodes, look.size);
            r.raw(&html);
        }
        (_, Some(src)) => icon::write_picture(r, &src, &look, element.place),
        _ => {
            if let Some(name) = props.text("icon").or_else(|| props.text("name")) {
                let icon_config = described(element, &name);
                icon::write_icon(r, &icon_config, &look, element.place);
            }
        }
    }
    r.raw("</span>");
}

/// The classes of an icon that is drawn in the color of its text. Authors color icons by their background, because
/// elsewhere an icon is a mask over it: `bg-red-500` becomes `text-red-500`.
fn text_colored_classes(class: &str) -> Cow<'_, str> {
    if !class.contains("bg-") {
        return Cow::Borrowed(class);
    }
    let classes: Vec<Cow<'_, str>> = class
        .split_ascii_whitespace()
        .map(|class| text_color(class).map_or(Cow::Borrowed(class), Cow::Owned))
        .collect();
    Cow::Owned(classes.join(" "))
}

/// The class that gives text the color that this one gives a background, with the same variants: `dark:bg-white` as
/// `dark:text-white`.
fn text_color(class: &str) -> Option<String> {
    const OTHERS: [&str; 24] = [
        "auto",
        "blend-",
        "bottom",
        "center",
        "clip-",
        "conic",
        "contain",
        "cover",
        "fixed",
        "gradient-",
        "left",
        "linear-",
        "local",
        "no-repeat",
        "none",
        "opacity-",
        "origin-",
        "position-",
        "radial",
        "repeat",
        "right",
        "scroll",
        "size-",
        "top",
    ];
    let variants = class.slice(..class.find(['[', '(']).unwrap_or(class.len())).rfind(':').map_or(0, |colon| colon + 1);
    let (variants, utility) = cut(class, variants);
    let (important, utility) = utility.strip_prefix('!').map_or(("", utility), |rest| ("!", rest));
    let color = utility
        .strip_prefix("bg-")
        .filter(|color| !color.is_empty() && !OTHERS.iter().any(|other| color.starts_with(other)))?;
    let color = match color.strip_prefix(['[', '(']) {
        Some(rest)
            if ["url(", "length:", "image:", "position:", "size:"].iter().any(|other| rest.starts_with(other)) =>
        {
            return None;
        }
        Some(rest) if !rest.starts_with("color:") => format!("{}color:{rest}", color.slice(..1)),
        _ => color.to_owned(),
    };
    Some(format!("{variants}{important}text-{color}"))
}

/// Writes an icon by its name (or path, or URL).
pub(super) fn write_named_icon(r: &mut Renderer<'_>, name: &str, size: f64, place: base::Place) {
    let icon_config = named_icon(name, None);
    icon::write_icon(r, &icon_config, &IconLook { size, color: None, class: "" }, place);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(class: &str, expect: &str) {
        assert_eq!(text_colored_classes(class), expect);
    }

    #[test]
    fn backgrounds_color_icons() {
        check("bg-red-500", "text-red-500");
        check("size-4 dark:bg-white mt-1", "size-4 dark:text-white mt-1");
        check("hover:dark:!bg-primary/50", "hover:dark:!text-primary/50");
        check(
            "bg-[#0a0] md:bg-[color:var(--x)] bg-(--brand)",
            "text-[color:#0a0] md:text-[color:var(--x)] text-(color:--brand)",
        );
        for other in [
            "",
            "text-red-500",
            "bg-cover",
            "bg-center",
            "bg-gradient-to-r",
            "bg-[url(/a.png)]",
            "bg-opacity-50",
            "bg-",
            "my-bg-x",
        ] {
            check(other, other);
        }
    }
}
