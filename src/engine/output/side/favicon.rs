//! Icons that browsers, phones and feed readers ask a host for by themselves: `favicon.ico` with 16, 32 and 48 pixels,
//! and `apple-touch-icon.png` with 180, drawn from the site's icon.

use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

use crate::base::FileId;
use crate::frame::asset::lower_extension;
use crate::frame::link::Target;

use super::SiteContext;
use super::picture::drawing::{Fit, of_file};
use super::picture::png::with_alpha;

/// Sizes in `favicon.ico`, pixels.
const SIZES: [u32; 3] = [16, 32, 48];
/// Largest icon of the format, pixels.
const MAX_PIXELS: u32 = 256;
/// What phones put on their home screens: its size and the room around the icon, pixels.
const TOUCH: (u32, u32) = (180, 18);

/// The names of the two files.
const ICO: &str = "favicon.ico";
const TOUCH_ICON: &str = "apple-touch-icon.png";

/// The icons of a site beside the one that its author made.
#[derive(Debug, Default)]
pub struct Icons {
    /// Files to write: names and bytes.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// The one with several sizes, from the root of the bundle, where browsers find it only by a link.
    pub ico: Option<&'static str>,
    /// The one for home screens, from the root of the bundle.
    pub touch: Option<&'static str>,
}

/// Makes them. Files that the author wrote win; an icon that cannot be drawn (`drawing` says which) is linked as it is
/// and no more.
pub fn make_favicons(source: &SiteContext<'_>) -> Icons {
    let mut icons = Icons::default();
    let Some(file) = site_icon_file(source) else { return icons };
    let kind = lower_extension(source.site.tree.path(file));
    if source.is_written(ICO) {
        icons.ico = (source.site.tree.path(file) != ICO).then_some(ICO);
    } else if let Some(bytes) = ico(source, file, &kind) {
        icons.files.push((ICO, bytes));
        icons.ico = (kind != "ico").then_some(ICO);
    }
    if source.is_written(TOUCH_ICON) {
        icons.touch = Some(TOUCH_ICON);
    } else if let Some(bytes) = touch(source, file, &kind) {
        icons.files.push((TOUCH_ICON, bytes));
        icons.touch = Some(TOUCH_ICON);
    }
    icons
}

/// The site's icon for light grounds.
fn site_icon_file(source: &SiteContext<'_>) -> Option<FileId> {
    let icon =
        source.site.config.favicon.as_ref().map(|pair| if pair.light.is_empty() { &pair.dark } else { &pair.light })?;
    match source.resolver.resolve(icon, None, "") {
        Target::Asset(file) => Some(file),
        _ => None,
    }
}

fn ico(source: &SiteContext<'_>, file: FileId, kind: &str) -> Option<Vec<u8>> {
    if kind == "ico" {
        return source.site.tree.read(file).ok();
    }
    let drawn: Option<Vec<_>> =
        SIZES.into_iter().map(|size| Some((with_alpha(&square(source, file, size)?), size, size))).collect();
    if let Some(images) = drawn {
        return container(&images);
    }
    // a PNG of a kind that cannot be drawn may still be carried
    let (width, height) = source.resolver.assets.size(file).filter(|_| kind == "png")?;
    container(&[(source.site.tree.read(file).ok()?, width, height)])
}

/// For home screens, which know no transparency and turn it black: on white. Pages link to an author's PNG that is
/// large enough.
fn touch(source: &SiteContext<'_>, file: FileId, kind: &str) -> Option<Vec<u8>> {
    let (size, room) = TOUCH;
    if kind == "png" && source.resolver.assets.size(file).is_some_and(|(width, height)| width == height && width >= 120)
    {
        return None;
    }
    let icon = square(source, file, size)?;
    let mut picture = Pixmap::new(size, size)?;
    picture.fill(Color::WHITE);
    if icon.pixels().iter().all(|pixel| pixel.alpha() == 255) {
        return Some(with_alpha(&icon));
    }
    let inside = square(source, file, size - 2 * room)?;
    picture.draw_pixmap(
        room as i32,
        room as i32,
        inside.as_ref(),
        &PixmapPaint::default(),
        Transform::identity(),
        None,
    );
    Some(with_alpha(&picture))
}

/// The icon in the middle of a square.
fn square(source: &SiteContext<'_>, file: FileId, size: u32) -> Option<Pixmap> {
    let drawn = of_file(source, file, Fit::Inside, (size, size))?;
    let mut picture = Pixmap::new(size, size)?;
    let (x, y) = ((size - drawn.width()) / 2, (size - drawn.height()) / 2);
    picture.draw_pixmap(x as i32, y as i32, drawn.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    Some(picture)
}

/// An icon file that holds PNGs of (width, height) pixels each.
fn container(images: &[(Vec<u8>, u32, u32)]) -> Option<Vec<u8>> {
    let mut out = vec![0, 0, 1, 0];
    out.extend(u16::try_from(images.len()).ok()?.to_le_bytes());
    let mut at = 6 + 16 * images.len();
    for (png, width, height) in images {
        if !png.starts_with(b"\x89PNG") || *width.max(height) > MAX_PIXELS || *width.min(height) == 0 {
            return None;
        }
        // 256 is written as 0
        let side = |pixels: u32| (pixels % MAX_PIXELS) as u8;
        out.extend([side(*width), side(*height), 0, 0, 1, 0, 32, 0]);
        out.extend(u32::try_from(png.len()).ok()?.to_le_bytes());
        out.extend(u32::try_from(at).ok()?.to_le_bytes());
        at += png.len();
    }
    images.iter().for_each(|(png, _, _)| out.extend(png));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pngs_become_an_icon() {
        let png = b"\x89PNG....".to_vec();
        let icon = container(&[(png.clone(), 256, 32), (png.clone(), 16, 16)]).unwrap();
        assert_eq!((&icon[..8], &icon[14..22]), (&[0, 0, 1, 0, 2, 0, 0, 32][..], &[8, 0, 0, 0, 38, 0, 0, 0][..]));
        assert_eq!((&icon[34..38], &icon[38..46], &icon[46..]), (&[46, 0, 0, 0][..], &png[..], &png[..]));
        for (bytes, width, height) in [(&png[..], 512, 512), (b"GIF", 32, 32), (&png, 0, 1)] {
            assert!(container(&[(bytes.to_vec(), width, height)]).is_none());
        }
    }
}
