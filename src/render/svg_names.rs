//! The elements and attributes of SVG by their names, as SVG writes them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// Whether it is an element of a plain drawing: shapes, text, paint and filters.
pub(super) fn is_plain_element(name: &str) -> bool {
    PLAIN_ELEMENTS.contains(&name)
}

/// Whether it is an element of any drawing that may stand in a page.
pub(super) fn is_svg_element(name: &str) -> bool {
    is_plain_element(name) || OTHER_ELEMENTS.contains(&name)
}

/// Whether it is an attribute of a plain drawing.
pub(super) fn is_plain_attribute(name: &str) -> bool {
    PLAIN_ATTRIBUTES.binary_search(&name).is_ok()
}

/// Whether SVG itself writes an attribute with capital letters; all other capitals of JSX stand for a hyphen.
pub(super) fn has_capitals(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase()) && (is_plain_attribute(name) || OTHER_CAPITALS.contains(&name))
}

/// The name of an element as SVG spells it: in HTML, it is written in any case.
pub(super) fn spelled_element(name: &str) -> &str {
    if is_svg_element(name) {
        return name;
    }
    let mut known = PLAIN_ELEMENTS.iter().chain(&OTHER_ELEMENTS).chain(&["foreignObject"]);
    known.find(|known| known.eq_ignore_ascii_case(name)).copied().unwrap_or(name)
}

/// The attribute with capitals whose name in small letters this is.
pub(super) fn spelled_attribute(lower: &str) -> Option<&'static str> {
    static SPELLED: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| {
        let names = PLAIN_ATTRIBUTES.iter().chain(&OTHER_CAPITALS);
        names.filter(|name| has_capitals(name)).map(|name| (name.to_ascii_lowercase(), *name)).collect()
    });
    SPELLED.get(lower).copied()
}

/// Elements that draw.
const PLAIN_ELEMENTS: [&str; 44] = [
    "svg",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polyline",
    "polygon",
    "defs",
    "clipPath",
    "mask",
    "linearGradient",
    "radialGradient",
    "stop",
    "use",
    "symbol",
    "pattern",
    "marker",
    "text",
    "tspan",
    "textPath",
    "filter",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "feTile",
    "feTurbulence",
    "feDiffuseLighting",
    "feSpecularLighting",
    "feDistantLight",
    "fePointLight",
];

/// Elements that load, move or describe, and those that browsers do not draw.
const OTHER_ELEMENTS: [&str; 22] = [
    "title",
    "desc",
    "image",
    "style",
    "switch",
    "view",
    "metadata",
    "animate",
    "animateMotion",
    "animateTransform",
    "mpath",
    "feConvolveMatrix",
    "feDisplacementMap",
    "feSpotLight",
    "a",
    "hatch",
    "hatchpath",
    "mesh",
    "meshgradient",
    "meshpatch",
    "meshrow",
    "solidcolor",
];

/// In alphabetical order.
const PLAIN_ATTRIBUTES: [&str; 129] = [
    "alignment-baseline",
    "amplitude",
    "baseFrequency",
    "baseline-shift",
    "clip-path",
    "clip-rule",
    "clipPathUnits",
    "color",
    "color-interpolation",
    "color-interpolation-filters",
    "cx",
    "cy",
    "d",
    "diffuseConstant",
    "direction",
    "display",
    "dominant-baseline",
    "dx",
    "dy",
    "edgeMode",
    "elevation",
    "exponent",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "filterUnits",
    "flood-color",
    "flood-opacity",
    "font-family",
    "font-size",
    "font-style",
    "font-variant",
    "font-weight",
    "fr",
    "fx",
    "fy",
    "gradientTransform",
    "gradientUnits",
    "height",
    "href",
    "id",
    "in",
    "in2",
    "intercept",
    "k1",
    "k2",
    "k3",
    "k4",
    "lengthAdjust",
    "letter-spacing",
    "lighting-color",
    "marker-end",
    "marker-mid",
    "marker-start",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "mask",
    "mask-type",
    "maskContentUnits",
    "maskUnits",
    "mode",
    "numOctaves",
    "offset",
    "opacity",
    "operator",
    "orient",
    "overflow",
    "paint-order",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "points",
    "preserveAspectRatio",
    "primitiveUnits",
    "r",
    "radius",
    "refX",
    "refY",
    "result",
    "rotate",
    "rx",
    "ry",
    "scale",
    "seed",
    "shape-rendering",
    "slope",
    "spacing",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "style",
    "surfaceScale",
    "tableValues",
    "text-anchor",
    "text-rendering",
    "textLength",
    "transform",
    "type",
    "values",
    "vector-effect",
    "viewBox",
    "visibility",
    "width",
    "word-spacing",
    "writing-mode",
    "x",
    "x1",
    "x2",
    "xlink:href",
    "y",
    "y1",
    "y2",
    "z",
];

/// Attributes with capitals of other elements.
const OTHER_CAPITALS: [&str; 16] = [
    "attributeName",
    "attributeType",
    "calcMode",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "limitingConeAngle",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "repeatCount",
    "repeatDur",
    "systemLanguage",
    "zoomAndPan",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(PLAIN_ATTRIBUTES.is_sorted());
        assert!(
            is_plain_element("feBlend")
                && is_svg_element("feBlend")
                && is_svg_element("image")
                && !is_plain_element("image")
        );
        assert!(
            has_capitals("viewBox")
                && has_capitals("repeatCount")
                && !has_capitals("fill")
                && !has_capitals("strokeWidth")
        );
        assert_eq!(["CLIPPATH", "feblend", "path", "x"].map(spelled_element), ["clipPath", "feBlend", "path", "x"]);
        let spelled = ["viewbox", "preserveaspectratio", "repeatcount", "fill"].map(spelled_attribute);
        assert_eq!(spelled, [Some("viewBox"), Some("preserveAspectRatio"), Some("repeatCount"), None]);
    }
}
