//! What `docs.json` says about search engines, addresses, variables and outside services.

use rustc_hash::FxHashSet;

use base::Diagnostic;
use base::cut::SliceText as _;
use base::diagnostic::list_in_backticks;
use base::refs::is_refused_address;

use super::canonical::{is_refused_tag, refused_tag};
use super::config::{Feedback, Redirect, Seo};
use super::fields::{FieldPath, UnreadKeys};
use super::json::JsonValue;
use super::problems::LoadProblems;
use super::read_log::Asked;

/// Outside services that `integrations` knows, and their settings.
const INTEGRATIONS: [(&str, &[&str]); 23] = [
    ("adobe", &["launchUrl"]),
    ("amplitude", &["apiKey"]),
    ("clarity", &["projectId"]),
    ("clearbit", &["publicApiKey"]),
    ("cookies", &["key", "value"]),
    ("fathom", &["siteId"]),
    ("frontchat", &["snippetId"]),
    ("ga4", &["measurementId"]),
    ("gtm", &["tagId"]),
    ("heap", &["appId"]),
    ("hightouch", &["writeKey", "apiHost"]),
    ("hotjar", &["hjid", "hjsv"]),
    ("intercom", &["appId"]),
    ("koala", &["publicApiKey"]),
    ("logrocket", &["appId"]),
    ("mixpanel", &["projectToken", "region"]),
    ("onetrust", &["domainScript", "categoryId", "scriptSource"]),
    ("pirsch", &["id"]),
    ("plausible", &["domain", "server"]),
    ("posthog", &["apiKey", "apiHost", "sessionRecording"]),
    ("segment", &["key", "cdnUrl"]),
    ("telemetry", &["enabled"]),
    ("transcend", &["bundleId", "analyticsPurpose"]),
];

/// `seo`.
pub(crate) fn read_seo(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Seo {
    const INDEXING: [(&str, bool); 2] = [("navigable", false), ("all", true)];
    let Some(mut fields) = field.object(problems) else { return Seo::default() };
    let mut seo = Seo {
        metatags: fields.take("metatags").map(|tags| metatags(&tags, problems)).unwrap_or_default(),
        index_all: fields.choice("indexing", &INDEXING, problems).unwrap_or(false),
        trailing_slash: fields.flag("trailingSlash", problems).unwrap_or(false),
        organization: fields.take("organization").map(|organization| organization.anything()),
        paths: Vec::new(),
    };
    for path in fields.list("paths", problems) {
        let Some(mut fields) = path.object(problems) else { continue };
        let prefix = fields.text("path", problems);
        let tags = fields.take("metatags").map(|tags| metatags(&tags, problems)).unwrap_or_default();
        fields.finish("an entry of `seo.paths`", UnreadKeys::Warn, problems);
        match prefix {
            Some(prefix) if seo.paths.iter().all(|(known, _)| *known != prefix) => seo.paths.push((prefix, tags)),
            Some(_) => path.wrong("an entry with a `path` of its own", problems),
            None => path.wrong("an entry with `path`", problems),
        }
    }
    fields.finish("`seo`", UnreadKeys::Warn, problems);
    seo
}

fn metatags(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Vec<(String, String)> {
    let Some(mut fields) = field.object(problems) else { return Vec::new() };
    let mut tags = Vec::new();
    for (name, content) in fields.all() {
        for asked in [Asked::Text, Asked::Flag, Asked::Number] {
            content.note(|| asked);
        }
        match &content.json.value {
            JsonValue::String(text) if is_refused_tag(name, text) => {
                problems.at(content.json.at, refused_tag(&content.path))
            }
            JsonValue::String(text) => tags.push((name.to_owned(), text.trim().to_owned())),
            JsonValue::Bool(on) => tags.push((name.to_owned(), on.to_string())),
            JsonValue::Number(number) => tags.push((name.to_owned(), number.to_string())),
            JsonValue::Null => {}
            _ => content.wrong("a string", problems),
        }
    }
    tags
}

/// `redirects`: the first of two with one source counts.
pub(crate) fn read_redirects(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Vec<Redirect> {
    let mut sources = FxHashSet::default();
    let mut redirects = Vec::new();
    for entry in field.list(problems) {
        let Some(mut fields) = entry.object(problems) else { continue };
        let (source, destination) = (fields.text("source", problems), fields.text("destination", problems));
        let permanent = fields.flag("permanent", problems).unwrap_or(true);
        fields.finish("a redirect", UnreadKeys::Warn, problems);
        let (Some(source), Some(destination)) =
            (source.filter(|it| !it.is_empty()), destination.filter(|it| !it.is_empty()))
        else {
            entry.wrong("a redirect with `source` and `destination`", problems);
            continue;
        };
        if source.contains(['#', '?']) {
            let message = format!("`{}.source` is `{source}`; a source with `#` or `?` can never match", entry.path);
            problems.at(entry.json.at, Diagnostic::new("redirect-source", message));
            continue;
        }
        if is_refused_address(&destination) {
            let message =
                format!("`{}.destination` has a scheme that bundles do not lead to; there is no redirect", entry.path);
            let hint = "use a page, a file of the site, or an `https` address";
            problems.at(entry.json.at, Diagnostic::new("refused-link", message).hint(hint));
            continue;
        }
        if !sources.insert(source.clone()) {
            let message = format!("`{}` is the second redirect from `{source}`; the first one is used", entry.path);
            problems.at(entry.json.at, Diagnostic::new("redirect-repeated", message));
            continue;
        }
        redirects.push(Redirect { source, destination, permanent });
    }
    redirects
}

/// `variables`, without HTML.
pub(crate) fn variables(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Vec<(String, String)> {
    let Some(mut fields) = field.object(problems) else { return Vec::new() };
    let mut variables = Vec::new();
    for (name, value) in fields.all() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        if name.is_empty() || !name.chars().all(is_name) {
            let message =
                format!("`{}`: the name of a variable may have only letters, digits, `_`, `.` and `-`", value.path);
            problems.at(value.json.at, Diagnostic::error("config-value", message));
        } else if let Some(text) = value.as_str() {
            variables.push((name.to_owned(), without_html(text)));
        } else if let JsonValue::Number(number) = &value.json.value {
            value.doubt("a string", problems);
            variables.push((name.to_owned(), number.to_string()));
        } else {
            value.wrong("a string", problems);
        }
    }
    variables.sort_by(|(one, _), (other, _)| one.cmp(other));
    variables
}

/// Drops tags, comments, and what stands inside elements whose content is no text. What is left is stripped again until
/// nothing changes, so that no tag can be put together from the remains of others; markup nested deeper than a few
/// rounds loses every `<`.
fn without_html(text: &str) -> String {
    const MAX_ROUNDS: usize = 8;
    let mut text = text.to_owned();
    for _ in 0..MAX_ROUNDS {
        let stripped = strip_html_tags(&text);
        if stripped.len() == text.len() {
            return text;
        }
        text = stripped;
    }
    text.replace('<', "")
}

fn strip_html_tags(text: &str) -> String {
    const BODIES: [&str; 8] = ["script", "style", "iframe", "object", "noscript", "template", "textarea", "title"];
    // only ASCII changes, so the offsets are those of the text
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(open) = text.slice(at..).find('<').map(|open| at + open) {
        out.push_str(text.slice(at..open));
        if !lower.slice(open + 1..).starts_with(|c: char| c.is_ascii_lowercase() || matches!(c, '/' | '!' | '?')) {
            out.push('<');
            at = open + 1;
            continue;
        }
        at = text.slice(open..).find('>').map_or(text.len(), |end| open + end + 1);
        let name_end =
            lower.slice(open + 1..).find(|c: char| !c.is_ascii_alphanumeric()).map_or(text.len(), |end| open + 1 + end);
        let name = lower.slice(open + 1..name_end);
        if BODIES.contains(&name) {
            at = lower.slice(at..).find(&format!("</{name}")).map_or(text.len(), |body| at + body);
        }
    }
    out.push_str(text.slice(at..));
    out
}

/// `feedback`: of the older format, with where the repository is. A rating of pages would need a server.
pub(crate) fn read_feedback(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Feedback {
    let Some(mut fields) = field.object(problems) else { return Feedback::default() };
    fields.skip(&["thumbsRating"]);
    let repository = fields.take("repository").and_then(|field| {
        let text = field.text(problems)?.trim_end_matches('/').to_owned();
        let is_page = text
            .strip_prefix("https://")
            .is_some_and(|rest| rest.contains('/') && !rest.contains(['@', '?', '#', ' ', '"', '<']));
        if !is_page {
            field.wrong("the page of a repository, like `https://github.com/acme/docs`", problems);
        }
        is_page.then(|| text.strip_suffix(".git").unwrap_or(&text).to_owned())
    });
    let given =
        |text: Option<String>| text.map(|text| text.trim_matches('/').to_owned()).filter(|text| !text.is_empty());
    let feedback = Feedback {
        edit: fields.flag("suggestEdit", problems).unwrap_or(false),
        issue: fields.flag("raiseIssue", problems).unwrap_or(false),
        repository,
        branch: given(fields.text("branch", problems)),
        directory: given(fields.text("directory", problems)),
    };
    fields.finish("`feedback`", UnreadKeys::Warn, problems);
    feedback
}

/// `variations.options`: (id, label), ids unique.
pub(crate) fn variations(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Vec<(String, String)> {
    let Some(mut fields) = field.object(problems) else { return Vec::new() };
    let mut variations: Vec<(String, String)> = Vec::new();
    for option in fields.list("options", problems) {
        let Some(mut fields) = option.object(problems) else { continue };
        let (id, label) = (fields.text("id", problems), fields.text("label", problems));
        fields.finish("a variation", UnreadKeys::Warn, problems);
        match id {
            Some(id) if variations.iter().all(|(known, _)| *known != id) => {
                let label = label.filter(|label| !label.is_empty()).unwrap_or_else(|| id.clone());
                variations.push((id, label));
            }
            _ => option.wrong("an option with an `id` of its own", problems),
        }
    }
    fields.finish("`variations`", UnreadKeys::Warn, problems);
    variations
}

/// `integrations`, as written; a name that the format does not know is an error. A bundle has none of them unless an
/// export enables them.
pub(crate) fn integrations(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Vec<(String, serde_json::Value)> {
    let Some(mut fields) = field.object(problems) else { return Vec::new() };
    let mut known = Vec::new();
    for (name, settings) in INTEGRATIONS {
        let Some(field) = fields.take(name) else { continue };
        integration(&field, settings, problems);
        known.push((name.to_owned(), field.json.to_value()));
    }
    fields.finish("`integrations`", UnreadKeys::Refuse, problems);
    known
}

/// Warns of settings that a service does not have.
fn integration(field: &FieldPath<'_>, settings: &'static [&'static str], problems: &mut LoadProblems) {
    if field.json.as_object().is_none() {
        return field.doubt(&format!("an object with {}", list_in_backticks(settings.iter().copied())), problems);
    }
    if let Some(mut fields) = field.object(problems) {
        fields.skip(settings);
        fields.finish("an integration of this service", UnreadKeys::Warn, problems);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(without_html(text), expect);
    }

    #[test]
    fn variables_lose_their_html() {
        check("1 < 2 & <b>bold</b>", "1 < 2 & bold");
        check("<script>alert(1)</SCRIPT>x", "x");
        check("a<scr<b>ipt>alert(1)</script>", "aipt>alert(1)");
        check("<<b>script>x</script>", "");
        check("<style>", "");
        check("<img src=x onerror=alert(1)", "");
    }
}
