//! What themes make of HTML by their style sheets.

use base::cut::SliceText as _;

/// A line whose stacks of icons are the number or icon in front: `<span class="fa-stack">…</span>`.
pub(super) fn unstacked(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((start, end)) = stack(rest) {
        out.push_str(rest.slice(..start));
        let inner = rest.slice(start..end);
        rest = rest.slice(end + "</span>".len()..);
        let words = remove_tags(inner);
        match words.trim() {
            // two icons: the one behind goes
            "" => out.push_str(&front_icon(inner)),
            words if words.bytes().all(|byte| byte.is_ascii_digit()) => out.push_str(&format!("{words}. ")),
            words => out.push_str(&format!("{words} ")),
        }
    }
    out.push_str(rest);
    out
}

/// Where a stack begins and where its end tag does.
fn stack(text: &str) -> Option<(usize, usize)> {
    let mark = text.find("fa-stack")?;
    let start = text.slice(..mark).rfind("<span")?;
    let end = text.slice(mark..).find("</span>")? + mark;
    (!text.slice(start..mark).contains('>')).then_some((start, end))
}

fn remove_tags(text: &str) -> String {
    let mut out = String::new();
    for part in text.split('<') {
        out.push_str(part.split_once('>').map_or(part, |(_, words)| words));
    }
    out
}

/// The icon that is not behind the other.
fn front_icon(text: &str) -> String {
    let icons = text.split("<i ").skip(1).map(|part| part.split_once('>').map_or(part, |(tag, _)| tag));
    icons.filter(|tag| !tag.contains("fa-stack-2x")).map(|tag| format!("<i {tag}></i>")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_what_stands_in_front() {
        let number = r#"<h2><span class="fa-stack fa-1x"><i class="fa fa-circle fa-stack-2x"></i><strong class="fa-stack-1x">1</strong></span>Start</h2>"#;
        assert_eq!(unstacked(number), "<h2>1. Start</h2>");
        let icons = r#"a <span class="fa-stack"><i class="fa fa-square fa-stack-2x"></i><i class="fa fa-flag fa-stack-1x"></i></span> b"#;
        assert_eq!(unstacked(icons), r#"a <i class="fa fa-flag fa-stack-1x"></i> b"#);
        assert_eq!(unstacked("fa-stack"), "fa-stack");
    }
}
