//! The team page of the default theme: titles and leads as headings and words, members as cards.

use serde_json::Value;

use base::Place;
use base::component_line::{self, closing_component_line};
use base::html::tag::{MarkupToken, read_html_token};
use base::html::{self, escape_html_text};
use base::lines::{PlacedLines, Verbatim};
use load::tool::script::{list_at_path, text_at};

use super::values::BoundValues;

/// Most members of a list.
const MAX_MEMBERS: usize = 1_000;

/// Whether a text has such a page.
pub(super) fn is_in(body: &str) -> bool {
    body.contains("<VPTeam")
}

/// Writes the parts of team pages. Members of whom nothing is known stay as they are written.
pub(super) fn write_team_members(lines: &mut PlacedLines, values: &BoundValues) {
    let mut verbatim = Verbatim::default();
    let mut out = PlacedLines::with_capacity(lines.len());
    let mut heading = None;
    let mut title: Option<String> = None;
    let all = std::mem::take(lines);
    let mut at = 0;
    while at < all.len() {
        let (line, place) = (&all[at].0, all[at].1);
        at += 1;
        let trimmed = line.trim();
        if verbatim.takes(trimmed.trim_start_matches('>')) {
            out.push((line.clone(), place));
            continue;
        }
        if let Some(words) = &mut title {
            let (inside, is_end) =
                trimmed.split_once("</template>").map_or((trimmed, false), |(inside, _)| (inside, true));
            words.push_str(&format!(" {inside}"));
            if is_end {
                push_title(&mut out, heading, words, place);
                title = None;
            }
            continue;
        }
        if trimmed.starts_with("<VPTeamMembers") {
            let end =
                all[at - 1..].iter().position(|(line, _)| line.contains("/>") || line.contains("</VPTeamMembers>"));
            let last = at - 1 + end.unwrap_or_default();
            let whole: Vec<&str> = all[at - 1..=last].iter().map(|(line, _)| line.trim()).collect();
            if let Some(members) = team_members(&whole.join(" "), values) {
                push_members(&mut out, &members, place);
                at = last + 1;
                continue;
            }
        }
        let opens =
            |name: &str| trimmed.starts_with(&format!("<{name}>")) || trimmed.starts_with(&format!("</{name}>"));
        if opens("VPTeamPageTitle") || opens("VPTeamPageSection") || opens("VPTeamPage") {
            let level = if trimmed.contains("VPTeamPageTitle") { "#" } else { "##" };
            heading = (!trimmed.starts_with("</")).then_some(level);
            out.push((String::new(), place));
            continue;
        }
        if heading.is_some()
            && let Some(rest) = trimmed.strip_prefix("<template #title>")
        {
            match rest.split_once("</template>") {
                Some((words, _)) => push_title(&mut out, heading, words, place),
                None => title = Some(rest.to_owned()),
            }
            continue;
        }
        if heading.is_some() {
            let words = trimmed.trim_start_matches("<template #lead>").trim_start_matches("<template #members>");
            let words = words.trim_end_matches("</template>").trim();
            // what is indented would be code
            out.push((words.to_owned(), place));
            continue;
        }
        out.push((line.clone(), place));
    }
    *lines = out;
}

fn push_title(out: &mut PlacedLines, heading: Option<&str>, words: &str, place: Place) {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [String::new(), format!("{} {words}", heading.unwrap_or("##")), String::new()] {
        out.push((line, place));
    }
}

/// The members that a tag names.
fn team_members(tag: &str, values: &BoundValues) -> Option<Vec<Value>> {
    let (MarkupToken::Start(tag), _) = read_html_token(tag)? else { return None };
    let name = tag.value(":members").or_else(|| tag.value("v-bind:members"))?;
    let Value::Array(members) = values.value_of(name.trim())? else { return None };
    (members.len() <= MAX_MEMBERS).then_some(members)
}

fn push_members(out: &mut PlacedLines, members: &[Value], place: Place) {
    let mut push = |line: String| out.push((line, place));
    push(String::new());
    push(component_line::opening("CardGroup", &[("cols", "3")]));
    for member in members {
        let name = text_at(member, &["name"]).unwrap_or_default();
        push(component_line::opening("Card", &[("title", name)]));
        // pictures on other servers would be as many empty frames where there is no network
        if let Some(avatar) = text_at(member, &["avatar"]).filter(|avatar| !avatar.contains("//")) {
            let (avatar, name) = (html::attr(avatar), html::attr(name));
            push(format!("<img src=\"{avatar}\" alt=\"{name}\" width=\"64\" height=\"64\">"));
            push(String::new());
        }
        let linked = |words: &str, to: Option<&str>| match to {
            Some(to) => format!("<a href=\"{}\">{}</a>", html::attr(to), escape_html_text(words)),
            None => escape_html_text(words),
        };
        let title = text_at(member, &["title"]).map(escape_html_text);
        let place_of_work = text_at(member, &["org"]).map(|org| linked(org, text_at(member, &["orgLink"])));
        let role: Vec<String> = title.into_iter().chain(place_of_work).collect();
        // descriptions are HTML there
        let about = text_at(member, &["desc"]).map(|words| words.split_whitespace().collect::<Vec<_>>().join(" "));
        let links = list_at_path(member, &["links"]).iter().filter_map(|link| {
            let to = text_at(link, &["link"])?;
            let icon = text_at(link, &["icon"]).or_else(|| text_at(link, &["ariaLabel"])).unwrap_or("link");
            Some(linked(icon, Some(to)))
        });
        let sponsor = text_at(member, &["sponsor"])
            .map(|to| linked(text_at(member, &["actionText"]).unwrap_or("Sponsor"), Some(to)));
        let links: Vec<String> = links.chain(sponsor).collect();
        for line in [role.join(" @ "), about.unwrap_or_default(), links.join(" · ")] {
            if !line.is_empty() {
                push(format!("<div>{line}</div>"));
                push(String::new());
            }
        }
        push(closing_component_line());
    }
    push(closing_component_line());
    push(String::new());
}
