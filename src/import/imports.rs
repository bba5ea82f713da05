//! Import statements as they are written anew.

pub(super) use base::import_statement::{
    ImportStatement as Import, import_length as length_of, read_import as parse_import,
};

/// An import statement of names.
pub(super) fn written(names: &[(&str, &str)], from: &str) -> String {
    let default = names.iter().find(|(exported, _)| *exported == "default").map(|(_, local)| (*local).to_owned());
    let all = names.iter().find(|(exported, _)| *exported == "*").map(|(_, local)| format!("* as {local}"));
    let named: Vec<String> = names
        .iter()
        .filter(|(exported, _)| !matches!(*exported, "default" | "*"))
        .map(|(exported, local)| match exported {
            exported if exported == local => (*local).to_owned(),
            exported if exported.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$')) => {
                format!("{exported} as {local}")
            }
            exported => format!("'{exported}' as {local}"),
        })
        .collect();
    let named = (!named.is_empty()).then(|| format!("{{ {} }}", named.join(", ")));
    let parts: Vec<String> = [default, all, named].into_iter().flatten().collect();
    let quote = if from.contains('\'') { '"' } else { '\'' };
    if parts.is_empty() { String::new() } else { format!("import {} from {quote}{from}{quote};", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_written() {
        assert_eq!(written(&[("default", "A"), ("b", "c")], "/x.js"), "import A, { b as c } from '/x.js';");
        assert_eq!(written(&[("a-b", "c")], "/it's.js"), "import { 'a-b' as c } from \"/it's.js\";");
    }
}
