//! An author's SVG or PNG as pixels.

use resvg::tiny_skia::{FilterQuality, Pixmap, PixmapPaint, PremultipliedColorU8, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};

use crate::base::FileId;
use crate::base::isolate::catch_panic;
use crate::output::side::SiteContext;

/// Largest file that is drawn, bytes.
const MOST_BYTES: u64 = 2 << 20;
/// Largest PNG that is drawn, pixels.
const MOST_PIXELS: u64 = 16 << 20;
/// What may stand in an SVG how often: each can multiply what is to be drawn by itself, and those that stand for others
/// by what these hold.
const MOST_OF: [(&str, usize); 6] =
    [("<use", 24), ("<marker", 8), ("<pattern", 8), ("<mask", 32), ("<filter", 12), ("<clipPath", 400)];
/// What would be missing without a word: text needs fonts, pictures in pictures need decoders, entities can grow
/// without end.
const NEVER: [&str; 4] = ["<text", "<image", "<foreignObject", "<!ENTITY"];

/// How a drawing fills its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::output::side) enum Fit {
    /// As large as fits; the result has its own proportions.
    Inside,
    /// The whole box, its edges cut off.
    Cover,
}

/// A file of the site in a box of (width, height) pixels; `None` if it cannot be drawn as its author meant it.
pub(in crate::output::side) fn of_file(
    source: &SiteContext<'_>,
    file: FileId,
    fit: Fit,
    size: (u32, u32),
) -> Option<Pixmap> {
    let path = source.site.tree.path(file);
    let kind = crate::frame::asset::lower_extension(path);
    if kind == "png" {
        let (width, height) = source.resolver.assets.size(file)?;
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return None;
        }
    } else if kind != "svg" {
        return None;
    }
    let bytes = source.site.tree.read_at_most(file, MOST_BYTES).ok()?;
    // the work of others on hostile input
    let draw = || if kind == "svg" { of_svg(&bytes, fit, size) } else { of_png(&bytes, fit, size) };
    catch_panic(draw).flatten()
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

fn of_svg(bytes: &[u8], fit: Fit, size: (u32, u32)) -> Option<Pixmap> {
    let text = std::str::from_utf8(bytes).ok()?;
    if NEVER.iter().any(|mark| text.contains(mark))
        || MOST_OF.iter().any(|(mark, most)| text.matches(mark).count() > *most)
    {
        return None;
    }
    // it refers to no other file, whatever it says
    let nothing = ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let tree = Tree::from_str(text, &Options { image_href_resolver: nothing, ..Options::default() }).ok()?;
    let (scale, width, height) = fit_drawing(tree.size().width(), tree.size().height(), fit, size)?;
    let mut picture = Pixmap::new(width, height)?;
    let (left, top) = (width as f32 - tree.size().width() * scale, height as f32 - tree.size().height() * scale);
    let middle = if fit == Fit::Cover { (left / 2.0, top / 2.0) } else { (0.0, 0.0) };
    resvg::render(&tree, Transform::from_row(scale, 0.0, 0.0, scale, middle.0, middle.1), &mut picture.as_mut());
    Some(picture)
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
        let many = r##"<use href="#a"/>"##.repeat(30);
        for what in ["<text>a</text>", r#"<image href="/etc/hostname"/>"#, &many] {
            assert!(of_svg(with(what).as_bytes(), Fit::Inside, (10, 10)).is_none(), "{what}");
        }
        for broken in ["", "<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"1\"/>", "\u{0}"] {
            assert!(of_svg(broken.as_bytes(), Fit::Inside, (10, 10)).is_none(), "{broken}");
            assert!(of_png(broken.as_bytes(), Fit::Inside, (10, 10)).is_none(), "{broken}");
        }
    }
}
