//! The info string of a fence in plain Markdown, as other tools write it.

/// Language and meta of a fence in plain Markdown, where other tools write classes, ids and options: `{.python #id
/// title="x"}`, `python {.numbered}`, `rust,ignore`, `sh [npm]`.
pub(super) fn fence_info(info: &str) -> (String, String) {
    let info = info.trim();
    let is_option = |word: &str| word.starts_with(['.', '#', ':']);
    if let Some((inside, after)) = info.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        let first = inside.split([' ', '\t', ',']).find(|word| !word.is_empty()).unwrap_or_default();
        let rest: Vec<&str> =
            inside.split_whitespace().skip(1).filter(|word| !is_option(word) && word.contains('=')).collect();
        let after = after.trim();
        // `{directive} language`
        let lang = if after.is_empty() {
            first.trim_start_matches('.')
        } else {
            after.split_whitespace().next().unwrap_or_default()
        };
        return (lang.to_owned(), rest.join(" "));
    }
    // a title alone: `[.env]`
    let lang_end = if info.starts_with('[') { 0 } else { info.find([' ', '\t', '{']).unwrap_or(info.len()) };
    let (lang, meta) = info.split_at(lang_end);
    let meta = meta.trim();
    // VitePress counts lines behind a colon
    let (lang, counts) = match lang.split_once(':') {
        Some((lang, numbers)) if numbers.starts_with("line-numbers") || numbers == "no-line-numbers" => {
            (lang, !numbers.starts_with("no"))
        }
        _ => (lang, false),
    };
    let meta = match meta.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(options) if is_option(options.trim_start()) => "",
        _ => meta
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .filter(|label| !label.is_empty() && *label != "expandable")
            .unwrap_or(meta),
    };
    // VitePress: `{1} [a.js]`
    let labeled = meta
        .strip_suffix(']')
        .and_then(|rest| rest.split_once("} ["))
        .filter(|(_, label)| !label.is_empty() && *label != "expandable" && !label.contains(['[', ']']));
    let labeled = labeled.map(|(options, label)| format!("{options}}} {label}"));
    let meta = labeled.as_deref().unwrap_or(meta);
    let lang = lang.split_once(',').map_or(lang, |(lang, _)| lang);
    let meta = own_options(meta);
    (lang.to_owned(), if counts { format!("lines {meta}") } else { meta })
}

/// Options of a fence as they are called here: `hl_lines="1 3-4"` and `linenums="1"` (Python-Markdown), `file="a.py"`.
/// What has another name is no title.
fn own_options(meta: &str) -> String {
    const KNOWN: [&str; 13] = [
        "title",
        "icon",
        "lang",
        "lines",
        "wrap",
        "expandable",
        "highlight",
        "focus",
        "added",
        "removed",
        "theme",
        "filename",
        "twoslash",
    ];
    if !meta.contains('=') {
        return meta.to_owned();
    }
    let mut out: Vec<String> = Vec::new();
    let mut rest = meta;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(word_end(rest));
        rest = after.trim_start();
        let Some((name, value)) = word
            .split_once('=')
            .filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)))
        else {
            out.push(word.to_owned());
            continue;
        };
        let bare = value.trim_matches(['"', '\'']);
        match name {
            "hl_lines" => out.push(format!("highlight={{{}}}", bare.split_whitespace().collect::<Vec<_>>().join(","))),
            "linenums" => out.push("lines".to_owned()),
            "file" | "fileName" | "file_name" => out.push(format!("title={value}")),
            name if KNOWN.contains(&name) => out.push(word.to_owned()),
            _ => {}
        }
    }
    out.join(" ")
}

/// Where a word ends that may hold quotes and braces with spaces in them.
fn word_end(text: &str) -> usize {
    let (mut quote, mut depth) = (None, 0_u32);
    let end = text.find(|c: char| {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.saturating_sub(1),
            (None, _) => return c.is_whitespace() && depth == 0,
        }
        false
    });
    end.unwrap_or(text.len())
}
