//! An author's SVG or PNG as pixels.

use resvg::tiny_skia::{FilterQuality, Pixmap, PixmapPaint, PremultipliedColorU8, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use super::expansion::read_bounded;
use super::not_drawn::NotDrawn;
use super::work::check_work;
use crate::SiteContext;
use base::FileId;
use base::isolate::catch_panic;

/// Largest file that is drawn, bytes.
const MOST_BYTES: u64 = 2 << 20;
/// Largest PNG that is drawn, pixels.
const MOST_PIXELS: u64 = 16 << 20;

/// How a drawing fills its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// As large as fits; the result has its own proportions.
    Inside,
    /// The whole box, its edges cut off.
    Cover,
}

/// A file of the site in a box of (width, height) pixels.
///
/// # Errors
/// It cannot be drawn as its author meant it.
pub(crate) fn of_file(source: &SiteContext<'_>, file: FileId, fit: Fit, size: (u32, u32)) -> Result<Pixmap, NotDrawn> {
    let path = source.site.tree.path(file);
    let kind = frame::asset::lower_extension(path);
    if kind == "png" {
        let (width, height) = source.resolver.assets.size(file).ok_or(NotDrawn::Unsupported)?;
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(NotDrawn::Unsupported);
        }
    } else if kind != "svg" {
        return Err(NotDrawn::Unsupported);
    }
    let bytes = source.site.tree.read_at_most(file, MOST_BYTES).map_err(|_| NotDrawn::Unsupported)?;
    // the work of others on hostile input
    let draw = || {
        if kind == "svg" { of_svg(&bytes, fit, size) } else { of_png(&bytes, fit, size).ok_or(NotDrawn::Unsupported) }
    };
    catch_panic(draw).unwrap_or(Err(NotDrawn::Unsupported))
}

/// The scale and the size of a picture of (width, height) in a box.
fn fit_drawing(width: f32, height: f32, fit: Fit, (across, down): (u32, u32)) -> Option<(f32, u32, u32)> {
    if !(width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite()) {
        return None;
    }
    let (x, y) = (across as f32 / width, down as f32 / height);
    match fit {
        Fit::Cover => Some((x.max(y), across, down)),
        Fit::Inside => {
            let scale = x.min(y);
            Some((
                scale,
                ((width * scale).round() as u32).clamp(1, across),
                ((height * scale).round() as u32).clamp(1, down),
            ))
        }
    }
}

fn of_svg(bytes: &[u8], fit: Fit, size: (u32, u32)) -> Result<Pixmap, NotDrawn> {
    let text = std::str::from_utf8(bytes).map_err(|_| NotDrawn::Unsupported)?;
    let document = read_bounded(text)?;
    // it refers to no other file, whatever it says
    let nothing = ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let tree = Tree::from_xmltree(&document, &Options { image_href_resolver: nothing, ..Options::default() })
        .map_err(|_| NotDrawn::Unsupported)?;
    let (scale, width, height) =
        fit_drawing(tree.size().width(), tree.size().height(), fit, size).ok_or(NotDrawn::Unsupported)?;
    check_work(&tree, scale, width * height)?;
    let mut picture = Pixmap::new(width, height).ok_or(NotDrawn::Unsupported)?;
    let (left, top) = (width as f32 - tree.size().width() * scale, height as f32 - tree.size().height() * scale);
    let middle = if fit == Fit::Cover { (left / 2.0, top / 2.0) } else { (0.0, 0.0) };
    resvg::render(&tree, Transform::from_row(scale, 0.0, 0.0, scale, middle.0, middle.1), &mut picture.as_mut());
    Ok(picture)
}

fn of_png(bytes: &[u8], fit: Fit, size: (u32, u32)) -> Option<Pixmap> {
    let mut picture = Pixmap::decode_png(bytes).ok()?;
    let (mut scale, width, height) = fit_drawing(picture.width() as f32, picture.height() as f32, fit, size)?;
    // filters look at a few neighbors only: what is to become much smaller is halved first
    while scale <= 0.5 {
        picture = halved(&picture)?;
        scale = fit_drawing(picture.width() as f32, picture.height() as f32, fit, size)?.0;
    }
    let (across, down) = (picture.width() as f32 * scale, picture.height() as f32 * scale);
    let (x, y) =
        if fit == Fit::Cover { ((width as f32 - across) / 2.0, (height as f32 - down) / 2.0) } else { (0.0, 0.0) };
    let mut out = Pixmap::new(width, height)?;
    let paint = PixmapPaint { quality: FilterQuality::Bicubic, ..PixmapPaint::default() };
    out.draw_pixmap(0, 0, picture.as_ref(), &paint, Transform::from_row(scale, 0.0, 0.0, scale, x, y), None);
    Some(out)
}

/// A picture of half the size, each pixel the mean of four.
fn halved(picture: &Pixmap) -> Option<Pixmap> {
    let (width, height) = ((picture.width() / 2).max(1), (picture.height() / 2).max(1));
    let mut out = Pixmap::new(width, height)?;
    let last = (picture.width() - 1, picture.height() - 1);
    for y in 0..height {
        for x in 0..width {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(dx, dy)| picture.pixel((2 * x + dx).min(last.0), (2 * y + dy).min(last.1)));
            let mean = |channel: fn(PremultipliedColorU8) -> u8| {
                let sum: u32 = four.iter().flatten().map(|pixel| u32::from(channel(*pixel))).sum();
                ((sum + 2) / 4) as u8
            };
            let [r, g, b, a] = [
                PremultipliedColorU8::red,
                PremultipliedColorU8::green,
                PremultipliedColorU8::blue,
                PremultipliedColorU8::alpha,
            ]
            .map(mean);
            out.pixels_mut()[(y * width + x) as usize] = PremultipliedColorU8::from_rgba(r, g, b, a)?;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#f00"/></svg>"##;

    #[test]
    fn drawings_fill_their_box() {
        let inside = of_svg(SQUARE.as_bytes(), Fit::Inside, (100, 100)).unwrap();
        assert_eq!((inside.width(), inside.height()), (100, 50));
        let cover = of_svg(SQUARE.as_bytes(), Fit::Cover, (100, 100)).unwrap();
        assert_eq!((cover.width(), cover.height()), (100, 100));
        assert!(cover.pixels().iter().all(|pixel| (pixel.red(), pixel.alpha()) == (255, 255)));
        let png = inside.encode_png().unwrap();
        let small = of_png(&png, Fit::Inside, (10, 10)).unwrap();
        assert_eq!((small.width(), small.height()), (10, 5));
        assert!(of_png(&png, Fit::Cover, (20, 20)).unwrap().pixels().iter().all(|pixel| pixel.red() > 250));
    }

    #[test]
    fn what_would_come_out_wrong_is_not_drawn() {
        let with = |what: &str| SQUARE.replace("<rect", &format!("{what}<rect"));
        let wide = r#"<path style="fill:#f00;fill:color(display-p3 1 0 0)"/>"#;
        for what in ["<text>a</text>", r#"<image href="/etc/hostname"/>"#, wide] {
            let drawn = of_svg(with(what).as_bytes(), Fit::Inside, (10, 10));
            assert_eq!(drawn.err(), Some(NotDrawn::Unsupported), "{what}");
        }
        for broken in ["", "<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"1\"/>", "\u{0}"] {
            assert!(of_svg(broken.as_bytes(), Fit::Inside, (10, 10)).is_err(), "{broken}");
            assert!(of_png(broken.as_bytes(), Fit::Inside, (10, 10)).is_none(), "{broken}");
        }
    }

    /// How many of an element fit: what is drawn is bounded by what it costs, not by how often a word stands in it.
    #[test]
    fn what_costs_little_is_drawn() {
        let filter =
            r#"<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#f)"><path d="M0 0H9V9"/></g>"#;
        for (what, count) in
            [(r##"<use href="#a"/>"##, 300), ("<g opacity=\".5\"><path d=\"M0 0H9V9\"/></g>", 200), (filter, 20)]
        {
            let text = SQUARE.replace("<rect", &format!("{}<rect id=\"a\"", what.repeat(count)));
            assert!(of_svg(text.as_bytes(), Fit::Inside, (100, 100)).is_ok(), "{what}");
        }
    }
}
