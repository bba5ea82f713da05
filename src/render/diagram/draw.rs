//! Mermaid source to SVG, once in the colors of each scheme.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};

use merman::svg::{
    DeterministicTextMeasurer, HostTheme, HostThemeAppearance, MeasurementProfileId, Presentation, SvgEnvironment,
    SvgRenderOptions, TextMeasurementPolicy, TextMeasurementProfile, TextMeasurementProfileIdentity, TextMeasurer,
    TextStyle, ThemeRole,
};
use merman::svg::{LayoutOptions, foreign_object_label_fallback_svg_text};
use merman::{Engine, MermaidConfig, OperationControl, RenderError, RenderOutput, RenderRequest, Renderer, SvgRequest};

use base::cut::SliceText as _;

use super::{measure, sequence};

/// Size of labels, CSS pixels.
pub(super) const FONT_SIZE: f64 = 14.0;
/// The family that labels are measured in and therefore set in.
pub(super) const FONT_FAMILY: &str = "Inter, \"Inter Fallback\", sans-serif";

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiagramScheme {
    Light,
    Dark,
}

/// A color of the drawing: the value for the engine in each scheme, and its replacement in the page.
pub(super) struct Paint {
    role: ThemeRole,
    pub(super) light: &'static str,
    pub(super) dark: &'static str,
    pub(super) css: &'static str,
}

const fn paint(role: ThemeRole, light: &'static str, dark: &'static str, css: &'static str) -> Paint {
    Paint { role, light, dark, css }
}

/// Every value is used once, so that each can be found in the output of the engine.
pub(super) const PAINTS: [Paint; 19] = [
    paint(ThemeRole::Canvas, "#fdfdfe", "#15161b", "var(--op-page)"),
    paint(ThemeRole::Surface, "#fafafb", "#1f2026", "var(--op-raised)"),
    paint(ThemeRole::SurfaceAlt, "#f4f4f6", "#26272e", "var(--op-sunken)"),
    paint(ThemeRole::SurfaceMuted, "#f2f2f5", "#2a2b32", "var(--op-sunken)"),
    paint(ThemeRole::Text, "#1d1e24", "#ebebee", "var(--op-ink)"),
    paint(ThemeRole::SubtleText, "#5d5e68", "#a6a7b1", "var(--op-muted)"),
    paint(ThemeRole::Border, "#8b8c96", "#75767f", "var(--op-line-strong)"),
    paint(ThemeRole::Line, "#5c5d67", "#a5a6b0", "var(--op-muted)"),
    paint(ThemeRole::EdgeLabelBackground, "#fcfcfd", "#16171c", "var(--op-page)"),
    paint(ThemeRole::ClusterBackground, "#f5f5f7", "#1a1b20", "var(--op-sunken)"),
    paint(ThemeRole::ClusterBorder, "#dcdce1", "#34353c", "var(--op-line)"),
    paint(ThemeRole::NoteBackground, "#fdf6e4", "#2e2818", "color-mix(in oklab,var(--op-warning) 9%,var(--op-page))"),
    paint(ThemeRole::NoteBorder, "#e6cd8d", "#665732", "color-mix(in oklab,var(--op-warning) 40%,var(--op-page))"),
    paint(ThemeRole::NoteText, "#1e1f25", "#eaeaed", "var(--op-ink)"),
    paint(ThemeRole::ActorBackground, "#f9f9fa", "#202127", "var(--op-raised)"),
    paint(ThemeRole::ActorBorder, "#8a8b95", "#767780", "var(--op-line-strong)"),
    paint(ThemeRole::ActorText, "#1f2026", "#e9e9ec", "var(--op-ink)"),
    paint(ThemeRole::ActivationBackground, "#efeff2", "#30313a", "var(--op-sunken)"),
    paint(ThemeRole::ActivationBorder, "#898a94", "#777881", "var(--op-line-strong)"),
];

/// Colors of pies, branches, bars, lines: at least 4.5:1 against the page, and so against text in the page's color on
/// them.
const SERIES_LIGHT: [&str; 8] =
    ["#3a6cc9", "#1c7d59", "#9a6109", "#7a55c4", "#bd453c", "#167a8c", "#a44a86", "#66731a"];
const SERIES_DARK: [&str; 8] = ["#8db2f2", "#6fcaa4", "#e0b25e", "#bda2ee", "#ee9a91", "#6cc6d6", "#e09bc9", "#b9c66a"];

/// Whose colors a drawing has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiagramPalette {
    /// The page's, in one scheme.
    Pages(DiagramScheme),
    /// The colors that the source of the diagram sets itself.
    Authors,
}

struct Drawers {
    light: Renderer,
    dark: Renderer,
    authors: Renderer,
    request: SvgRequest,
    measurer: Arc<dyn TextMeasurer + Send + Sync>,
}

/// Room that charts without a size of their own fill, CSS pixels: the width of a page's text.
const ROOM: (f64, f64) = (720.0, 480.0);

/// Made when the first diagram of an export is drawn.
static DRAWERS: LazyLock<Option<Drawers>> = LazyLock::new(|| {
    let measurer = DeterministicTextMeasurer::default()
        .with_width_callback(|text, style| measure::width(text, style.font_size, font_weight(style)));
    let mut layout = LayoutOptions::headless_svg_defaults();
    (layout.container_width, layout.container_height) = ROOM;
    Some(Drawers {
        light: renderer(DiagramPalette::Pages(DiagramScheme::Light))?,
        dark: renderer(DiagramPalette::Pages(DiagramScheme::Dark))?,
        authors: renderer(DiagramPalette::Authors)?,
        request: SvgRequest { environment: environment(measurer.clone())?, layout, ..SvgRequest::default() },
        measurer,
    })
});

fn renderer(palette: DiagramPalette) -> Option<Renderer> {
    let mut theme =
        HostTheme::new().try_with_font_family(FONT_FAMILY).ok()?.try_with_font_size(format!("{FONT_SIZE}px")).ok()?;
    if let DiagramPalette::Pages(scheme) = palette {
        let (appearance, series) = match scheme {
            DiagramScheme::Light => (HostThemeAppearance::Light, SERIES_LIGHT),
            DiagramScheme::Dark => (HostThemeAppearance::Dark, SERIES_DARK),
        };
        theme = theme.with_appearance(appearance).try_with_series_palette(series).ok()?;
        for paint in &PAINTS {
            theme = theme
                .try_with_role(paint.role, if scheme == DiagramScheme::Light { paint.light } else { paint.dark })
                .ok()?;
        }
    }
    let presentation = Presentation::new().with_theme(theme).resolve();
    let site = MermaidConfig::from_value(engine_settings(palette));
    Some(Renderer::new().with_engine(presentation.materialize_engine(Engine::new().with_site_config(site))))
}

/// The engine's settings. `secure` ones cannot be changed by a diagram: how labels are written, and, in the page's
/// colors, the theme.
fn engine_settings(palette: DiagramPalette) -> serde_json::Value {
    let mut secure = vec![
        "secure",
        "securityLevel",
        "startOnLoad",
        "maxTextSize",
        "maxEdges",
        "htmlLabels",
        "fontFamily",
        "layout",
        "defaultRenderer",
    ];
    if palette != DiagramPalette::Authors {
        secure.extend(["theme", "darkMode"]);
    }
    serde_json::json!({
        "secure": secure,
        "securityLevel": "strict",
        "htmlLabels": false,
        "look": "classic",
        "layout": "dagre",
        "fontSize": FONT_SIZE,
        "flowchart": {"htmlLabels": false, "useMaxWidth": false, "padding": 14, "nodeSpacing": 40, "rankSpacing": 44, "minNodeWidth": 64, "wrappingWidth": 240,
            "subGraphTitleMargin": {"top": 4, "bottom": 8}},
        "class": {"htmlLabels": false},
        "state": {"minNodeWidth": 0, "padding": 12},
        "sequence": {"useMaxWidth": false, "mirrorActors": false, "width": 132, "height": 50, "actorMargin": 44, "actorFontSize": 14, "messageFontSize": 14, "noteFontSize": 14},
    })
}

fn environment(measurer: Arc<dyn TextMeasurer + Send + Sync>) -> Option<SvgEnvironment> {
    let identity = TextMeasurementProfileIdentity::new(MeasurementProfileId::new("inter").ok()?, "1").ok()?;
    let policy = TextMeasurementPolicy::uniform(TextMeasurementProfile::new(identity, measurer));
    Some(SvgEnvironment::deterministic().with_text_measurement_policy(policy))
}

/// The weight of a label's style, as CSS counts (400 regular, 700 bold).
fn font_weight(style: &TextStyle) -> u16 {
    match style.font_weight.as_deref().map(str::trim) {
        Some("bold" | "bolder") => 700,
        Some(number) => number.parse().unwrap_or(400),
        None => 400,
    }
}

/// A stick figure needs more room than a box: the height of the first row of a sequence that has one.
const FIGURES: &str = "\n%%{init: {\"sequence\": {\"height\": 66}}}%%";

/// Draws a diagram. `id` is the root's id and starts all ids inside.
///
/// # Errors
/// One line of what is wrong with the source.
pub(super) fn draw_diagram(source: &str, id: &str, palette: DiagramPalette) -> Result<String, String> {
    let drawers = DRAWERS.as_ref().ok_or("the diagram engine cannot be set up")?;
    let renderer = match palette {
        DiagramPalette::Pages(DiagramScheme::Light) => &drawers.light,
        DiagramPalette::Pages(DiagramScheme::Dark) => &drawers.dark,
        DiagramPalette::Authors => &drawers.authors,
    };
    let has_figures = source.lines().any(|line| line.trim_start().starts_with("actor "));
    let source = if has_figures { &format!("{source}{FIGURES}") } else { source };
    let mut request = drawers.request.clone();
    request.options = SvgRenderOptions { diagram_id: Some(id.to_owned()), ..SvgRenderOptions::default() };
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        let output = renderer.render(RenderRequest::svg(source, OperationControl::new(), request))?;
        let RenderOutput::Svg(Some(svg)) = output else { return Ok(None) };
        // some kinds of diagram write labels as HTML whatever the options are
        Ok::<_, RenderError>(Some(if svg.svg().contains("<foreignObject") {
            foreign_object_label_fallback_svg_text(svg.svg(), drawers.measurer.as_ref())
        } else {
            svg.svg().to_owned()
        }))
    }));
    match drawn {
        Ok(Ok(Some(svg))) if svg.contains("-sequencenumber)") => Ok(sequence::separate_self_messages(&svg)),
        Ok(Ok(Some(svg))) => Ok(svg),
        Ok(Ok(None)) => Err("it is empty".to_owned()),
        Ok(Err(error)) => Err(first_message_line(&error.to_string())),
        Err(_) => Err("the diagram engine failed".to_owned()),
    }
}

/// The first line of a message, at most 200 characters.
fn first_message_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    line.char_indices().nth(200).map_or_else(|| line.to_owned(), |(end, _)| format!("{}…", line.slice(..end)))
}
