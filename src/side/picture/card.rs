//! The preview of a page: 1200 by 630 pixels, the logo above, the words below, one accent.

use resvg::tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, PixmapPaint, Rect, Transform};

use super::letters::{Letters, Setting, inter};
use super::measure::Measured;
use super::png;
use frame::theme::Shades;

/// Size of the pictures, pixels: what the networks recommend.
pub(super) const SIZE: (u32, u32) = (1200, 630);
/// From the edges to the words.
const MARGIN: f32 = 80.0;
/// Width of the words.
const MEASURE: f32 = 960.0;
/// The line under the words.
const BAR: f32 = 10.0;
/// The box of the logo.
pub(super) const LOGO: (u32, u32) = (420, 56);

/// Sizes of a title and the most lines that it may have in each: the first in which all of it fits is taken.
const TITLES: [(f32, usize); 4] = [(76.0, 2), (64.0, 2), (56.0, 3), (48.0, 3)];
const TITLE_LEADING: f32 = 1.16;
/// Height of capitals in the font, ems.
const CAPITALS: f32 = 0.73;
const EYEBROW_GAP: f32 = 32.0;
const EYEBROW: Setting = Setting { size: 28.0, tracking: 0.0 };
const NAME: Setting = Setting { size: 34.0, tracking: -0.012 };
const HOST: Setting = Setting { size: 25.0, tracking: 0.0 };
const DESCRIPTION: Setting = Setting { size: 31.0, tracking: -0.004 };
const DESCRIPTION_LEADING: f32 = 45.0;

/// What all previews of a site share.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    pub(super) shades: Shades,
    pub(super) logo: Option<&'a Pixmap>,
    /// The site's name, in place of a logo.
    pub(super) name: &'a str,
    /// Its host.
    pub(super) host: &'a str,
    /// A picture of the author that covers everything; shapes and line are left out.
    pub(super) backdrop: Option<&'a Pixmap>,
}

/// The words of a preview; the title can be drawn, the others may be empty.
#[derive(Debug)]
pub(super) struct PreviewWords<'a> {
    pub(super) eyebrow: &'a str,
    pub(super) title: &'a str,
    pub(super) description: &'a str,
}

/// The common part: ground, shapes, logo or name, host.
pub(super) fn ground(about: &Ground<'_>) -> Option<Pixmap> {
    let (regular, bold) = inter()?;
    let shades = &about.shades;
    let mut picture = Pixmap::new(SIZE.0, SIZE.1)?;
    let [r, g, b] = shades.ground;
    picture.fill(Color::from_rgba8(r, g, b, 255));
    if let Some(backdrop) = about.backdrop {
        picture.draw_pixmap(0, 0, backdrop.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    } else {
        let (width, height) = (SIZE.0 as f32, SIZE.1 as f32);
        for (radius, color) in [(430.0, shades.tint), (250.0, shades.deep)] {
            fill_path(&mut picture, PathBuilder::from_circle(width - 10.0, 20.0, radius), color);
        }
        fill_path(
            &mut picture,
            Rect::from_xywh(0.0, height - BAR, width, BAR).map(PathBuilder::from_rect),
            shades.fill,
        );
    }
    if let Some(logo) = about.logo {
        let top = MARGIN as i32 - 8 + (LOGO.1.saturating_sub(logo.height()) / 2) as i32;
        picture.draw_pixmap(MARGIN as i32, top, logo.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    } else if let Some(name) = bold.drawable(about.name) {
        let (lines, _) = Measured::new(bold, &name).lines(NAME, MEASURE * 0.7, 1);
        draw_text_line(&mut picture, bold, &lines.concat(), NAME, MARGIN, MARGIN + 32.0, shades.ink);
    }
    if let Some(host) = regular.drawable(about.host) {
        let (lines, _) = Measured::new(regular, &host).lines(HOST, MEASURE * 0.4, 1);
        let host = lines.concat();
        let x = SIZE.0 as f32 - MARGIN - regular.width(&host, HOST);
        draw_text_line(&mut picture, regular, &host, HOST, x, MARGIN + 29.0, shades.muted);
    }
    Some(picture)
}

/// A page's preview as a PNG file.
pub(super) fn card_png(ground: &Pixmap, shades: &Shades, words: &PreviewWords<'_>) -> Option<Vec<u8>> {
    let (regular, bold) = inter()?;
    let mut picture = ground.clone();
    let (setting, title) = set_card_title(bold, words.title);
    let (description, _) = Measured::new(regular, words.description).lines(DESCRIPTION, MEASURE, 2);
    let description: &[String] = if words.description.is_empty() { &[] } else { &description };
    // from the foot upwards
    let mut y = SIZE.1 as f32 - MARGIN - 8.0;
    for text in description.iter().rev() {
        draw_text_line(&mut picture, regular, text, DESCRIPTION, MARGIN, y, shades.muted);
        y -= DESCRIPTION_LEADING;
    }
    if !description.is_empty() {
        y -= 18.0;
    }
    for text in title.iter().rev() {
        // round letters look as far left as straight ones if all stand a little out
        draw_text_line(&mut picture, bold, text, setting, MARGIN - setting.size * 0.045, y, shades.ink);
        y -= setting.size * TITLE_LEADING;
    }
    // from the tops of the title's capitals
    y += setting.size * (TITLE_LEADING - CAPITALS) - EYEBROW_GAP;
    let (eyebrow, _) = Measured::new(bold, words.eyebrow).lines(EYEBROW, MEASURE, 1);
    draw_text_line(&mut picture, bold, &eyebrow.concat(), EYEBROW, MARGIN, y, shades.accent);
    Some(png::with_palette(&picture))
}

/// The size of a title, and its lines.
fn set_card_title(bold: &Letters, text: &str) -> (Setting, Vec<String>) {
    let measured = Measured::new(bold, text);
    let mut best = (Setting { size: 0.0, tracking: 0.0 }, Vec::new());
    for (size, most) in TITLES {
        let setting = Setting { size, tracking: -0.024 };
        let (lines, fits) = measured.balanced(setting, MEASURE + 40.0, most);
        best = (setting, lines);
        if fits {
            break;
        }
    }
    best
}

fn draw_text_line(
    picture: &mut Pixmap,
    letters: &Letters,
    text: &str,
    setting: Setting,
    x: f32,
    y: f32,
    color: [u8; 3],
) {
    fill_path(picture, letters.outlines(text, setting, x, y), color);
}

fn fill_path(picture: &mut Pixmap, path: Option<Path>, [r, g, b]: [u8; 3]) {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(r, g, b, 255));
    if let Some(path) = path {
        picture.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }
}

/// The mean color of a picture, where the words stand: left of the middle.
pub(super) fn mean(picture: &Pixmap) -> [u8; 3] {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let left = picture.pixels().chunks_exact(width).flat_map(|row| &row[..width * 2 / 3]);
    let sums = left.fold([0u64; 3], |[r, g, b], pixel| {
        // what shines through is the ground of light pages
        let clear = u64::from(255 - pixel.alpha());
        [r + u64::from(pixel.red()) + clear, g + u64::from(pixel.green()) + clear, b + u64::from(pixel.blue()) + clear]
    });
    sums.map(|sum| (sum / (width * 2 / 3 * height).max(1) as u64).min(255) as u8)
}
