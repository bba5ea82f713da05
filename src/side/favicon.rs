//! Icons that browsers, phones and feed readers ask a host for by themselves: `favicon.ico` with 16, 32 and 48 pixels,
//! and `apple-touch-icon.png` with 180, drawn from the site's icon.

use resvg::tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

use base::{Diagnostic, FileId};
use frame::asset::lower_extension;
use frame::link::ResolvedTarget;

use super::SiteContext;
use super::picture::drawing::{Fit, of_file};
use super::picture::not_drawn::NotDrawn;
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
pub fn make_favicons(source: &SiteContext<'_>, diagnostics: &mut Vec<Diagnostic>) -> Icons {
    let mut icons = Icons::default();
    let Some(file) = site_icon_file(source) else { return icons };
    let kind = lower_extension(source.site.tree.path(file));
    // the larger first: one that costs too much for it is not drawn at all
    let has_touch = source.is_written(TOUCH_ICON);
    let mut drawn = if has_touch { Ok(None) } else { touch(source, file, &kind) };
    let touch = drawn.as_mut().ok().and_then(Option::take);
    let has_ico = source.is_written(ICO);
    if !has_ico && !matches!(drawn, Err(NotDrawn::Costly(_))) {
        drawn = ico(source, file, &kind);
    }
    let ico = drawn.as_mut().ok().and_then(Option::take);
    diagnostics.extend(drawn.err().and_then(|reason| reason.diagnostic(source.site.tree.path(file))));
    icons.ico = match &ico {
        _ if has_ico => (source.site.tree.path(file) != ICO).then_some(ICO),
        Some(_) => (kind != "ico").then_some(ICO),
        None => None,
    };
    icons.touch = (has_touch || touch.is_some()).then_some(TOUCH_ICON);
    icons.files.extend(ico.map(|bytes| (ICO, bytes)));
    icons.files.extend(touch.map(|bytes| (TOUCH_ICON, bytes)));
    icons
}

/// The site's icon for light grounds.
fn site_icon_file(source: &SiteContext<'_>) -> Option<FileId> {
    let icon =
        source.site.config.favicon.as_ref().map(|pair| if pair.light.is_empty() { &pair.dark } else { &pair.light })?;
    match source.resolver.resolve(icon, None, "") {
        ResolvedTarget::Asset(file) => Some(file),
        _ => None,
    }
}

fn ico(source: &SiteContext<'_>, file: FileId, kind: &str) -> Result<Option<Vec<u8>>, NotDrawn> {
    if kind == "ico" {
        return Ok(source.site.tree.read(file).ok());
    }
    let drawn: Result<Vec<_>, _> =
        SIZES.into_iter().map(|size| Ok((with_alpha(&square(source, file, size)?), size, size))).collect();
    match drawn {
        Ok(images) => Ok(container(&images)),
        // a PNG of a kind that cannot be drawn may still be carried
        Err(reason) => match source.resolver.assets.size(file).filter(|_| kind == "png") {
            Some((width, height)) => {
                Ok(source.site.tree.read(file).ok().and_then(|png| container(&[(png, width, height)])))
            }
            None => Err(reason),
        },
    }
}

/// For home screens, which know no transparency and turn it black: on white. Pages link to an author's PNG that is
/// large enough.
fn touch(source: &SiteContext<'_>, file: FileId, kind: &str) -> Result<Option<Vec<u8>>, NotDrawn> {
    let (size, room) = TOUCH;
    if kind == "png" && source.resolver.assets.size(file).is_some_and(|(width, height)| width == height && width >= 120)
    {
        return Ok(None);
    }
    let icon = square(source, file, size)?;
    let mut picture = Pixmap::new(size, size).ok_or(NotDrawn::Unsupported)?;
    picture.fill(Color::WHITE);
    if icon.pixels().iter().all(|pixel| pixel.alpha() == 255) {
        return Ok(Some(with_alpha(&icon)));
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
    Ok(Some(with_alpha(&picture)))
}

/// The icon in the middle of a square.
fn square(source: &SiteContext<'_>, file: FileId, size: u32) -> Result<Pixmap, NotDrawn> {
    let drawn = of_file(source, file, Fit::Inside, (size, size))?;
    let mut picture = Pixmap::new(size, size).ok_or(NotDrawn::Unsupported)?;
    let (x, y) = ((size - drawn.width()) / 2, (size - drawn.height()) / 2);
    picture.draw_pixmap(x as i32, y as i32, drawn.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    Ok(picture)
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
