//! Sequence diagrams with numbers: the engine puts the number of a message to oneself on the words above its arrow.

use base::cut::SliceText as _;

/// How far the number stands to the left of where the arrow begins: half of its badge and a little.
const LEFT: f64 = 14.0;
/// Half of the height of the arrow.
const DOWN: f64 = 10.0;
/// From the middle of a badge to the line that its number stands on.
const BASELINE: f64 = 4.0;

/// Moves the numbers of messages to oneself beside their arrows.
pub(super) fn separate_self_messages(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len() + 64);
    let mut rest = svg;
    while let Some(end) = rest.find("<path ").and_then(|at| Some(at + rest.slice(at..).find('>')? + 1)) {
        let tag = rest.slice(..end).rfind('<').map_or("", |at| rest.slice(at..end));
        out.push_str(rest.slice(..end));
        rest = rest.slice(end..);
        if let Some((x, y)) = self_arrow_start(tag)
            && let Some((moved, after)) = move_message_number(rest, x - LEFT, y + DOWN)
        {
            out.push_str(&moved);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// Where the arrow of a message to oneself begins.
fn self_arrow_start(tag: &str) -> Option<(f64, f64)> {
    let curve = arrow_attribute(tag, "d").filter(|d| tag.contains("messageLine") && d.contains('C'))?;
    let (x, y) = curve.trim_start_matches(['M', ' ']).split(['C', ' ']).next()?.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

/// The markup up to the number of the message that was just written, with the number at another place, and what comes
/// after.
fn move_message_number(rest: &str, x: f64, y: f64) -> Option<(String, &str)> {
    let marker = rest.find("-sequencenumber")?;
    let line = rest.slice(..marker).rfind('<').filter(|at| !rest.slice(..*at).contains("messageLine"))?;
    let line_end = marker + rest.slice(marker..).find('>')? + 1;
    let text = line_end + rest.slice(line_end..).find("<text")?;
    let text_end = text + rest.slice(text..).find('>')? + 1;
    let line_tag = with(with(with(with(rest.slice(line..line_end).to_owned(), "x1", x), "x2", x), "y1", y), "y2", y);
    let text_tag = with(with(rest.slice(text..text_end).to_owned(), "x", x), "y", y + BASELINE);
    Some(([rest.slice(..line), &line_tag, rest.slice(line_end..text), &text_tag].concat(), rest.slice(text_end..)))
}

fn arrow_attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag.slice(start..).split('"').next()
}

fn with(tag: String, name: &str, value: f64) -> String {
    match arrow_attribute(&tag, name) {
        Some(old) => tag.replacen(&format!(" {name}=\"{old}\""), &format!(" {name}=\"{value}\""), 1),
        None => tag,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::drawn;

    /// The middle of the words and of the badge of each message.
    fn places(html: &str, class: &str) -> Vec<(f64, f64)> {
        let tags = html.split('<').filter(|tag| tag.contains(class) && tag.starts_with("text"));
        let number = |tag: &str, name: &str| {
            super::arrow_attribute(tag, name).and_then(|value| value.parse::<f64>().ok()).unwrap_or_default()
        };
        tags.map(|tag| (number(tag, "x"), number(tag, "y"))).collect()
    }

    #[test]
    fn numbers_stand_beside_the_words_of_messages_to_oneself() {
        let html = drawn("sequenceDiagram\n autonumber\n A->>B: one\n B->>B: poll\n B-->>A: two");
        let (words, numbers) = (places(&html, "messageText"), places(&html, "sequenceNumber"));
        assert_eq!((words.len(), numbers.len()), (3, 3), "{html}");
        // words are 17 high and hang from where they are put; a badge is 24 high around its number's line
        assert!(numbers[1].1 - super::BASELINE - 12.0 >= words[1].1 + 16.0 + 6.0, "{words:?} {numbers:?}");
        assert!(numbers[1].0 < words[1].0, "{words:?} {numbers:?}");
        assert_eq!(numbers[0].0, places(&drawn("sequenceDiagram\n autonumber\n A->>B: one"), "sequenceNumber")[0].0);
    }
}
