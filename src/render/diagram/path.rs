//! Numbers and paths of a drawing, made shorter.

use std::fmt::Write as _;

use base::cut::SliceText as _;

/// Numbers with at most two digits after the point.
pub(super) fn short_numbers(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while from < text.len() {
        let digits = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        if digits == 0 {
            let other = bytes[from..].iter().take_while(|byte| !(byte.is_ascii_digit() || **byte == b'.')).count();
            out.push_str(text.slice(from..from + other));
            from += other;
            continue;
        }
        let number = text.slice(from..from + digits);
        let exponent = bytes.get(from + digits).is_some_and(|byte| matches!(byte, b'e' | b'E'));
        match number
            .split_once('.')
            .filter(|(_, fraction)| fraction.len() > 2 && !exponent)
            .and_then(|_| number.parse::<f64>().ok())
        {
            Some(value) => {
                let rounded = format!("{value:.2}");
                out.push_str(rounded.trim_end_matches('0').trim_end_matches('.'));
            }
            None => out.push_str(number),
        }
        from += digits;
    }
    out
}

/// A path of many short curves, as outlines are written, as a closed one of lines: `M x y C …` whose curves are all as
/// good as straight.
pub(super) fn straightened(path: &str) -> Option<String> {
    let numbers = |text: &str| -> Option<Vec<f64>> {
        text.split([' ', ',']).filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
    };
    let mut curves = path.strip_prefix('M')?.split(['C', 'L']).map(numbers);
    let mut points: Vec<[f64; 2]> = vec![curves.next()??.try_into().ok()?];
    for curve in curves {
        let curve = curve?;
        let [from_x, from_y] = *points.last()?;
        let [.., x, y] = *curve.as_slice() else { return None };
        let length = (x - from_x).hypot(y - from_y);
        // twice the area between a control point and the line
        let off = |control: &[f64]| ((control[0] - from_x) * (y - from_y) - (control[1] - from_y) * (x - from_x)).abs();
        if !matches!(curve.len(), 2 | 6) || curve.len() == 6 && off(&curve[..2]).max(off(&curve[2..4])) > length * 0.5 {
            return None;
        }
        if length > 0.1 {
            points.push([x, y]);
        }
    }
    let mut out = String::with_capacity(points.len() * 12);
    for (index, [x, y]) in points.iter().enumerate() {
        let number = |value: f64| (value * 10.0).round() / 10.0;
        let _ = write!(out, "{}{} {}", if index == 0 { 'M' } else { 'L' }, number(*x), number(*y));
    }
    (points.len() > 2).then(|| out + "Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (long, short) in [
            ("M1.23456,7.0000001L-0.001 5", "M1.23,7L-0 5"),
            ("translate(-19, -14.125)", "translate(-19, -14.12)"),
            ("1.5e-7", "1.5e-7"),
            ("12", "12"),
            ("0.999", "1"),
        ] {
            assert_eq!(short_numbers(long), short);
        }
    }

    #[test]
    fn straight_pieces_become_lines() {
        assert_eq!(
            straightened("M0 0 C1 0, 2 0, 3 0 C3 0, 3 0, 3 0 C3 1, 3 2, 3 4.04").as_deref(),
            Some("M0 0L3 0L3 4Z")
        );
        assert_eq!(straightened("M0 0 L3 0 L3 4").as_deref(), Some("M0 0L3 0L3 4Z"));
        for path in ["", "M0 0", "M0 0 C0 5, 5 5, 5 0", "M0 0 A1 1", "M0 0 C1", "x"] {
            assert_eq!(straightened(path), None, "{path}");
        }
    }
}
