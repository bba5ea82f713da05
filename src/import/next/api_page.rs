//! Pages that `fumadocs-openapi` writes for the operations of a description: `<APIPage document="…" operations={[…]} />`.

use serde_json::Value;

use load::tool::script::text_at;

/// Longest tag that is read, bytes.
const MAX_TAG_BYTES: usize = 16 << 10;

/// The operation that a page shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ApiPage {
    /// The description, from the folder of the project.
    pub(super) document: String,
    /// `GET /path`
    pub(super) operation: String,
}

/// The first tag of a text that shows a single operation of a file. One of several operations is none: a page has one.
pub(super) fn find_api_page(text: &str) -> Option<ApiPage> {
    let start = text.find("<APIPage")?;
    let rest = text.get(start..)?;
    let length = rest.find("/>").filter(|length| *length <= MAX_TAG_BYTES)? + "/>".len();
    let tag = rest.get(..length)?;
    let document = property(tag, "document")?;
    let document: Value = serde_json::from_str(document).ok()?;
    let document = document.as_str().filter(|path| !path.contains("://"))?.trim_start_matches("./");
    let operations: Value = serde_json::from_str(property(tag, "operations")?).ok()?;
    let [operation] = operations.as_array()?.as_slice() else { return None };
    let (method, path) = (text_at(operation, &["method"])?, text_at(operation, &["path"])?);
    Some(ApiPage { document: document.to_owned(), operation: format!("{} {path}", method.to_uppercase()) })
}

/// The value of a property as it is written: between braces, or with its quotes.
fn property<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, rest) = tag.split_once(&format!("{name}="))?;
    match rest.chars().next()? {
        '"' => rest.get(..rest.get(1..)?.find('"')? + 2),
        '{' => {
            let mut depth = 0_u32;
            let mut is_quoted = false;
            let end = rest.char_indices().find_map(|(at, c)| {
                match c {
                    '"' => is_quoted = !is_quoted,
                    '{' if !is_quoted => depth += 1,
                    '}' if !is_quoted => depth -= 1,
                    _ => {}
                }
                (depth == 0).then_some(at)
            })?;
            rest.get(1..end).map(str::trim)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_found() {
        let found = |text: &str| find_api_page(text).map(|page| format!("{} {}", page.document, page.operation));
        for (text, expect) in [
            (
                "a\n<APIPage document={\"./pets.json\"} operations={[{\"path\":\"/pets/{id}\",\"method\":\"get\"}]} webhooks={[]} hasHead={true} />",
                Some("pets.json GET /pets/{id}"),
            ),
            (
                "<APIPage\n  document=\"api/a.yaml\"\n  operations={[\n    { \"path\": \"/x\", \"method\": \"POST\" }\n  ]}\n/>",
                Some("api/a.yaml POST /x"),
            ),
            ("<APIPage document=\"https://x.y/a.json\" operations={[{\"path\":\"/x\",\"method\":\"get\"}]} />", None),
            (
                "<APIPage document=\"a.json\" operations={[{\"path\":\"/x\",\"method\":\"get\"},{\"path\":\"/y\",\"method\":\"get\"}]} />",
                None,
            ),
            ("<APIPage document=\"a.json\" operations={[", None),
            ("words", None),
        ] {
            assert_eq!(found(text).as_deref(), expect, "{text}");
        }
    }
}
