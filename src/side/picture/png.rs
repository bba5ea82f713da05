//! PNG files of opaque pictures with at most 256 colors, and of icons with transparency.
//!
//! `png` writes the chunks. The pixels are compressed by libdeflate, which the crate cannot use: the picture
//! of a page takes 10 ms and has 15.0 kB, against 22 ms and 15.9 kB at the highest level of `png`.

use libdeflater::{CompressionLvl, Compressor};
use png::{BitDepth, ColorType, Encoder};
use resvg::tiny_skia::Pixmap;
use rustc_hash::FxHashMap;

/// Most colors of a palette.
const MAX_COLORS: usize = 256;
/// Of libdeflate, 1 to 12: what follows costs more time than it saves bytes.
const LEVEL: i32 = 9;

type PixelRgb = [u8; 3];

/// An opaque picture, its colors reduced to 256 if it has more.
pub(super) fn with_palette(picture: &Pixmap) -> Vec<u8> {
    let palette = PngPalette::of(picture);
    let width = picture.width() as usize;
    let mut rows = Vec::with_capacity(picture.height() as usize * (width + 1));
    let mut last = (PixelRgb::default(), palette.index(PixelRgb::default()));
    for row in picture.data().chunks_exact(width * 4) {
        rows.push(0); // no filter: neighbors in a palette have nothing in common
        for pixel in row.chunks_exact(4) {
            let color = rgb(pixel);
            if color != last.0 {
                last = (color, palette.index(color));
            }
            rows.push(last.1);
        }
    }
    encode_png(picture, ColorType::Indexed, Some(palette.colors.as_flattened()), &rows)
}

/// A picture with transparency, colors as they are.
pub(crate) fn with_alpha(picture: &Pixmap) -> Vec<u8> {
    let mut rows = Vec::with_capacity(picture.data().len() + picture.height() as usize);
    for row in picture.pixels().chunks_exact(picture.width() as usize) {
        rows.push(0);
        for pixel in row {
            let pixel = pixel.demultiply();
            rows.extend([pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()]);
        }
    }
    encode_png(picture, ColorType::Rgba, None, &rows)
}

/// A file of rows, each with its filter in front; empty if it cannot be written, which memory always can.
fn encode_png(picture: &Pixmap, color: ColorType, palette: Option<&[u8]>, rows: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default());
    let mut packed = vec![0; compressor.zlib_compress_bound(rows.len())];
    // the bound is documented by the library
    let length = compressor.zlib_compress(rows, &mut packed).unwrap_or(0);
    let mut out = Vec::with_capacity(length + 2_000);
    let mut encoder = Encoder::new(&mut out, picture.width(), picture.height());
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    if let Some(palette) = palette {
        encoder.set_palette(palette);
    }
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_chunk(png::chunk::IDAT, &packed[..length])?;
        writer.finish()
    });
    if written.is_ok() { out } else { Vec::new() }
}

fn rgb(pixel: &[u8]) -> PixelRgb {
    [pixel[0], pixel[1], pixel[2]]
}

/// At most 256 colors, and which of them stands for each color of a picture.
struct PngPalette {
    colors: Vec<PixelRgb>,
    index: FxHashMap<PixelRgb, u8>,
}

impl PngPalette {
    fn of(picture: &Pixmap) -> Self {
        let mut counts: FxHashMap<PixelRgb, u32> = FxHashMap::default();
        let mut run: Option<(PixelRgb, u32)> = None;
        for pixel in picture.data().chunks_exact(4) {
            let color = rgb(pixel);
            match &mut run {
                Some((same, length)) if *same == color => *length += 1,
                _ => {
                    if let Some((color, length)) = run.replace((color, 1)) {
                        *counts.entry(color).or_default() += length;
                    }
                }
            }
        }
        if let Some((color, length)) = run {
            *counts.entry(color).or_default() += length;
        }
        let mut all: Vec<(PixelRgb, u32)> = counts.into_iter().collect();
        all.sort_unstable();
        let boxes = median_cut(all);
        let colors = boxes.iter().map(|members| middle(members)).collect();
        let index = boxes
            .iter()
            .enumerate()
            .flat_map(|(at, members)| members.iter().map(move |(color, _)| (*color, at as u8)))
            .collect();
        Self { colors, index }
    }

    fn index(&self, color: PixelRgb) -> u8 {
        self.index.get(&color).copied().unwrap_or(0)
    }
}

/// Parts colors and their counts into at most 256 boxes: again and again the one with the most to lose is cut in two
/// where its widest channel's mean is.
fn median_cut(all: Vec<(PixelRgb, u32)>) -> Vec<Vec<(PixelRgb, u32)>> {
    if all.len() <= MAX_COLORS {
        return all.into_iter().map(|one| vec![one]).collect();
    }
    let mut boxes = vec![all];
    let mut losses = vec![f64::INFINITY];
    while boxes.len() < MAX_COLORS {
        let Some(worst) =
            (0..boxes.len()).max_by(|a, b| losses[*a].total_cmp(&losses[*b])).filter(|at| losses[*at] > 0.0)
        else {
            break;
        };
        let (channel, mean, _) = widest(&boxes[worst]);
        let (low, high): (Vec<_>, Vec<_>) =
            boxes[worst].iter().partition(|(color, _)| f64::from(color[channel]) <= mean);
        losses[worst] = widest(&low).2;
        losses.push(widest(&high).2);
        boxes[worst] = low;
        boxes.push(high);
    }
    boxes
}

/// The channel in which colors differ most: which, its mean, and the sum of its squared distances from it. Sums of
/// whole numbers: no order shows.
fn widest(members: &[(PixelRgb, u32)]) -> (usize, f64, f64) {
    let channels = (0..3).map(|channel| {
        let sums = members.iter().fold((0u64, 0u64, 0u64), |(n, sum, squares), (color, count)| {
            let (value, count) = (u64::from(color[channel]), u64::from(*count));
            (n + count, sum + value * count, squares + value * value * count)
        });
        let (n, sum, squares) = (sums.0.max(1) as f64, sums.1 as f64, sums.2 as f64);
        (channel, sum / n, squares - sum * sum / n)
    });
    let one = members.len() < 2;
    channels
        .max_by(|a, b| a.2.total_cmp(&b.2))
        .map_or((0, 0.0, 0.0), |(channel, mean, loss)| (channel, mean, if one { 0.0 } else { loss }))
}

/// The color that stands for a box: its most frequent one, so that grounds keep theirs.
fn middle(members: &[(PixelRgb, u32)]) -> PixelRgb {
    members.iter().max_by_key(|(color, count)| (*count, *color)).map_or(PixelRgb::default(), |(color, _)| *color)
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::{Color, Paint, Rect, Transform};

    use super::*;

    fn stripes(colors: impl IntoIterator<Item = PixelRgb>) -> Pixmap {
        let colors: Vec<PixelRgb> = colors.into_iter().collect();
        let mut picture = Pixmap::new(colors.len() as u32, 2).unwrap();
        for (x, [r, g, b]) in colors.into_iter().enumerate() {
            let mut paint = Paint::default();
            paint.set_color(Color::from_rgba8(r, g, b, 255));
            picture.fill_rect(Rect::from_xywh(x as f32, 0.0, 1.0, 2.0).unwrap(), &paint, Transform::identity(), None);
        }
        picture
    }

    #[test]
    fn few_colors_stay_exact() {
        let picture = stripes((0..=255).map(|v| [v, 255 - v, v / 2]));
        let back = Pixmap::decode_png(&with_palette(&picture)).unwrap();
        assert!(back.data() == picture.data());
    }

    #[test]
    fn many_colors_stay_near() {
        let picture = stripes((0..2000u32).map(|v| [(v / 8) as u8, (v % 250) as u8, (v * 7 % 256) as u8]));
        let file = with_palette(&picture);
        let back = Pixmap::decode_png(&file).unwrap();
        let apart = back.data().iter().zip(picture.data()).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum::<u32>()
            / (2000 * 2 * 3);
        assert!(apart < 400, "mean square distance {apart}");
        assert!(file == with_palette(&picture), "the same picture is the same file");
    }

    #[test]
    fn transparency_is_kept() {
        let mut picture = Pixmap::new(3, 2).unwrap();
        picture.fill(Color::from_rgba8(200, 100, 0, 128));
        assert!(Pixmap::decode_png(&with_alpha(&picture)).unwrap().data() == picture.data());
    }
}
