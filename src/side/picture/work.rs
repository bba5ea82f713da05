//! What it costs to draw an SVG, in steps of about a nanosecond, estimated from the renderer's own tree: counted and not
//! measured, so that every machine draws the same.

use resvg::usvg::filter::{Filter, Kind, Primitive};
use resvg::usvg::{ClipPath, Group, Mask, Node, Paint, Path, Pattern, Stroke, Transform, Tree};

use super::not_drawn::NotDrawn;

/// Most steps of a drawing.
const MAX_DRAWING_STEPS: f64 = 1e9;
/// The renderer's layers are at most so many times as large as the picture.
const LAYER_GROWTH: f64 = 25.0;
/// Steps for a pixel of a layer: it is cleared, filled and put onto what lies below.
const LAYER_STEPS: f64 = 4.0;
/// Most dashes into which the renderer cuts a line.
const MAX_DASHES: f64 = 1e6;

/// Whether a drawing can be drawn onto so many pixels, at a scale.
pub(super) fn check_work(tree: &Tree, scale: f32, pixels: u32) -> Result<(), NotDrawn> {
    let mut estimate = Estimate { left: MAX_DRAWING_STEPS };
    let surface =
        Surface { scale: f64::from(scale), pixels: f64::from(pixels), most: f64::from(pixels) * LAYER_GROWTH };
    estimate.group(tree.root(), surface)
}

/// What something is drawn on.
#[derive(Clone, Copy)]
struct Surface {
    /// Pixels for a unit of the drawing.
    scale: f64,
    /// Its size.
    pixels: f64,
    /// The size of the largest layer upon it.
    most: f64,
}

impl Surface {
    fn transformed(self, transform: Transform) -> Self {
        let (x, y) = transform.get_scale();
        Self { scale: self.scale * f64::from(x.max(y)), ..self }
    }

    /// The pixels of a box of the drawing.
    fn pixels_of(self, width: f32, height: f32) -> f64 {
        (f64::from(width) * self.scale + 4.0) * (f64::from(height) * self.scale + 4.0)
    }
}

struct Estimate {
    left: f64,
}

impl Estimate {
    fn take(&mut self, steps: f64) -> Result<(), NotDrawn> {
        self.left -= steps;
        // not a number: no estimate
        if self.left >= 0.0 { Ok(()) } else { Err(NotDrawn::Costly("drawing it takes too many steps")) }
    }

    fn group(&mut self, group: &Group, surface: Surface) -> Result<(), NotDrawn> {
        self.take(8.0)?;
        let mut inside = surface.transformed(group.transform());
        if group.should_isolate() {
            let bounds = group.layer_bounding_box();
            let layer = surface.pixels_of(bounds.width(), bounds.height()).min(surface.most);
            // a turned filter has a surface of its own, which holds the one below
            let most = if group.filters().is_empty() { surface.most } else { surface.most * 2.0 };
            inside = Surface { pixels: layer, most, ..inside };
            self.take(layer * LAYER_STEPS)?;
            for filter in group.filters() {
                self.filter(filter, inside)?;
            }
            if let Some(clip) = group.clip_path() {
                self.clip(clip, inside)?;
            }
            if let Some(mask) = group.mask() {
                self.mask(mask, inside)?;
            }
        }
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group, inside)?,
                Node::Path(path) => self.path(path, inside)?,
                // no decoders and no fonts are there
                Node::Image(_) | Node::Text(_) => {}
            }
        }
        Ok(())
    }

    fn clip(&mut self, clip: &ClipPath, surface: Surface) -> Result<(), NotDrawn> {
        self.take(surface.pixels * LAYER_STEPS)?;
        self.group(clip.root(), surface.transformed(clip.transform()))?;
        clip.clip_path().map_or(Ok(()), |clip| self.clip(clip, surface))
    }

    fn mask(&mut self, mask: &Mask, surface: Surface) -> Result<(), NotDrawn> {
        self.take(surface.pixels * 2.0 * LAYER_STEPS)?;
        self.group(mask.root(), surface)?;
        mask.mask().map_or(Ok(()), |mask| self.mask(mask, surface))
    }

    fn path(&mut self, path: &Path, surface: Surface) -> Result<(), NotDrawn> {
        self.take(32.0)?;
        if !path.is_visible() {
            return Ok(());
        }
        let bounds = path.stroke_bounding_box();
        let pixels = surface.pixels_of(bounds.width(), bounds.height()).min(surface.pixels);
        let outline = GlyphOutline::of(path, surface.scale);
        if let Some(fill) = path.fill() {
            self.take(outline.steps(1.0))?;
            self.paint(fill.paint(), pixels, surface)?;
        }
        if let Some(stroke) = path.stroke() {
            let dashes = outline.dashes(stroke);
            self.take(dashes * 64.0 + outline.steps(4.0))?;
            self.paint(stroke.paint(), pixels, surface)?;
        }
        Ok(())
    }

    fn paint(&mut self, paint: &Paint, pixels: f64, surface: Surface) -> Result<(), NotDrawn> {
        match paint {
            Paint::Color(_) => self.take(pixels),
            Paint::LinearGradient(gradient) => self.take(pixels * (4 + gradient.stops().len()) as f64),
            Paint::RadialGradient(gradient) => self.take(pixels * (8 + gradient.stops().len()) as f64),
            Paint::Pattern(pattern) => {
                self.take(pixels * 16.0)?;
                self.pattern(pattern, surface)
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern, surface: Surface) -> Result<(), NotDrawn> {
        let inside = surface.transformed(pattern.transform());
        let pixels = inside.pixels_of(pattern.rect().width(), pattern.rect().height());
        self.take(pixels * LAYER_STEPS)?;
        self.group(pattern.root(), Surface { pixels, ..inside })
    }

    fn filter(&mut self, filter: &Filter, surface: Surface) -> Result<(), NotDrawn> {
        for primitive in filter.primitives() {
            self.take(surface.pixels * primitive_steps(primitive, surface))?;
            if let Kind::Image(image) = primitive.kind() {
                self.group(image.root(), surface)?;
            }
        }
        Ok(())
    }
}

/// Steps of a part of a filter for each pixel.
fn primitive_steps(primitive: &Primitive, surface: Surface) -> f64 {
    // inputs are copied, and converted between color spaces
    const INPUT: f64 = 16.0;
    INPUT
        + match primitive.kind() {
            Kind::Turbulence(noise) => 4.0 * (16.0 + 32.0 * f64::from(noise.num_octaves())),
            Kind::Morphology(morphology) => {
                let side = |radius: f32| (2.0 * f64::from(radius) * surface.scale + 1.0).max(1.0);
                // the window is no larger than the picture
                (side(morphology.radius_x().get()) * side(morphology.radius_y().get())).min(surface.pixels) * 4.0
            }
            Kind::ConvolveMatrix(convolution) => {
                f64::from(convolution.matrix().columns()) * f64::from(convolution.matrix().rows()) * 8.0
            }
            Kind::GaussianBlur(_) | Kind::DropShadow(_) => 128.0,
            Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 128.0,
            Kind::Merge(merge) => INPUT * merge.inputs().len() as f64,
            _ => INPUT,
        }
}

/// The lines of a path.
struct GlyphOutline {
    segments: f64,
    /// Their length in units of the drawing; that of the polygon of a curve, which is no shorter.
    length: f64,
    /// Rows of pixels that they go through, all together.
    rows: f64,
    /// How many lines a row has, in the mean.
    in_row: f64,
}

impl GlyphOutline {
    fn of(path: &Path, scale: f64) -> Self {
        let points = path.data().points();
        let (mut length, mut rows) = (0.0, 0.0);
        for (from, to) in points.iter().zip(points.iter().skip(1)) {
            let (across, down) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
            length += across.hypot(down);
            rows += down.abs() * scale;
        }
        let height = (f64::from(path.data().bounds().height()) * scale).max(1.0);
        Self { segments: points.len() as f64, length, rows, in_row: rows / height }
    }

    /// Steps of filling it; of a stroke, so many times as many. Lines that cross are put in order again in each row.
    fn steps(&self, times: f64) -> f64 {
        times * (self.segments * 32.0 + self.rows * 8.0) + (times * self.in_row).powi(2)
    }

    /// How many pieces a line is cut into.
    fn dashes(&self, stroke: &Stroke) -> f64 {
        let Some(array) = stroke.dasharray() else { return 0.0 };
        let sum: f64 = array.iter().copied().map(f64::from).sum();
        if sum > 0.0 { (self.length / sum * array.len() as f64).min(MAX_DASHES) } else { 0.0 }
    }
}
