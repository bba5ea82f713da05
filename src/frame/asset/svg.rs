//! The size of an SVG: `width` and `height`, else its `viewBox`.
//!
//! Only the first tag is read. A parser of XML would read a whole drawing for four numbers, and refuse one that browsers
//! show as far as its first error.

/// Width and height in pixels, rounded.
pub(super) fn svg_size(text: &str) -> Option<(u32, u32)> {
    let (_, tag) = text.split_once("<svg")?;
    let (tag, _) = tag.split_once('>')?;
    let length = |name: &str| svg_attribute(tag, name)?.trim_end_matches("px").parse::<f64>().ok();
    let (width, height) = match (length("width"), length("height")) {
        (Some(width), Some(height)) => (width, height),
        _ => {
            let view = svg_attribute(tag, "viewBox")?;
            let mut numbers =
                view.split([' ', ',']).filter(|part| !part.is_empty()).filter_map(|part| part.parse::<f64>().ok());
            (numbers.nth(2)?, numbers.next()?)
        }
    };
    (width >= 1.0 && height >= 1.0 && width < 1e6 && height < 1e6)
        .then_some((width.round() as u32, height.round() as u32))
}

fn svg_attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    while let Some((before, after)) = rest.split_once(name) {
        let starts = before.ends_with(|c: char| c.is_ascii_whitespace());
        if let Some(value) = after.trim_start().strip_prefix('=').filter(|_| starts) {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return value.strip_prefix(quote)?.split(quote).next().map(str::trim);
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(svg_size("<?xml?><svg width='10px' height=\"20\">"), Some((10, 20)));
        assert_eq!(svg_size("<svg stroke-width=\"3\" viewBox=\"0 0 24 12.4\">"), Some((24, 12)));
        assert_eq!(svg_size("<svg width=\"100%\" height=\"1\">"), None);
    }
}
