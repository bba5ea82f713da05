//! The part of the utilities' style sheet that a page needs: pages that use a few do not load what others use.

use std::collections::{BTreeMap, BTreeSet};

use base::cut::SliceText as _;

/// The style sheet of all utilities of a site, cut into its rules.
#[derive(Debug)]
pub struct UtilityRules<'a>(Vec<SubsetNode<'a>>);

#[derive(Debug)]
enum SubsetNode<'a> {
    /// A rule of utilities: the classes in its selector, and all of it.
    Rule(Vec<String>, &'a str),
    /// Values that rules refer to by their names: what stands before the brace, names and declarations.
    Values(&'a str, Vec<(&'a str, &'a str)>),
    /// What is declared of one name: `@property`, `@keyframes`.
    Named(&'a str, &'a str),
    /// A layer or condition around others.
    Group(&'a str, Vec<SubsetNode<'a>>),
    /// Rules that every page needs.
    Always(&'a str),
}

impl<'a> UtilityRules<'a> {
    /// Reads a minified style sheet.
    pub fn of(sheet: &'a str) -> Self {
        Self(nodes(sheet, false))
    }

    /// The style sheet of some classes. What it refers to comes along.
    pub fn for_classes(&self, classes: &[String]) -> String {
        let classes: BTreeSet<&str> = classes.iter().map(String::as_str).collect();
        let mut values = BTreeMap::new();
        let mut named = BTreeSet::new();
        self.0.iter().for_each(|node| collect_css_names(node, &classes, &mut values, &mut named));
        // a value may refer to others
        let mut open: Vec<&str> = named.iter().copied().collect();
        while let Some(name) = open.pop() {
            for name in values.get(name).into_iter().flat_map(|text| words_in_text(text)) {
                if named.insert(name) {
                    open.push(name);
                }
            }
        }
        let mut out = String::new();
        self.0.iter().for_each(|node| push_subset_rules(&mut out, node, &classes, &named));
        out
    }
}

/// `in_utilities`: the rules are those of classes.
fn nodes(sheet: &str, in_utilities: bool) -> Vec<SubsetNode<'_>> {
    let mut out = Vec::new();
    let mut rest = sheet;
    while !rest.is_empty() {
        // the notice of its license
        if let Some(end) = rest.strip_prefix("/*").and_then(|comment| comment.find("*/")) {
            let end = end + 4;
            let end = end + rest.slice(end..).len() - rest.slice(end..).trim_start().len();
            out.push(SubsetNode::Always(rest.slice(..end)));
            rest = rest.slice(end..);
            continue;
        }
        let (at, mark) = next_mark(rest);
        if mark != Some('{') {
            let end = (at + 1).min(rest.len());
            out.push(SubsetNode::Always(rest.slice(..end)));
            rest = rest.slice(end..);
            continue;
        }
        let prelude = rest.slice(..at);
        let inside_end = at + 1 + block_end(rest.slice(at + 1..));
        let inside = rest.slice(at + 1..inside_end);
        let end = (inside_end + 1).min(rest.len());
        let whole = rest.slice(..end);
        rest = rest.slice(end..);
        let name = ["@property ", "@keyframes "].iter().find_map(|word| prelude.strip_prefix(word));
        out.push(if let Some(name) = name {
            SubsetNode::Named(name, whole)
        } else if ["@layer", "@media", "@supports", "@container"].iter().any(|word| prelude.starts_with(word)) {
            SubsetNode::Group(prelude, nodes(inside, in_utilities || prelude == "@layer op.utilities"))
        } else if inside.split(';').all(|declaration| declaration.starts_with("--")) && !prelude.contains('.') {
            SubsetNode::Values(
                prelude,
                inside
                    .split(';')
                    .filter_map(|declaration| Some((declaration.split_once(':')?.0, declaration)))
                    .collect(),
            )
        } else if in_utilities && !prelude.starts_with('@') {
            SubsetNode::Rule(classes_of(prelude), whole)
        } else {
            SubsetNode::Always(whole)
        });
    }
    out
}

/// Notes the values of a sheet, and the names that rules of classes refer to.
fn collect_css_names<'a>(
    node: &SubsetNode<'a>,
    classes: &BTreeSet<&str>,
    values: &mut BTreeMap<&'a str, &'a str>,
    named: &mut BTreeSet<&'a str>,
) {
    match node {
        SubsetNode::Rule(own, text) if is_used(own, classes) => named.extend(words_in_text(text)),
        SubsetNode::Always(text) => named.extend(words_in_text(text)),
        SubsetNode::Values(_, declarations) => values.extend(declarations.iter().copied()),
        SubsetNode::Group(_, inside) => inside.iter().for_each(|node| collect_css_names(node, classes, values, named)),
        SubsetNode::Rule(..) | SubsetNode::Named(..) => {}
    }
}

fn push_subset_rules(out: &mut String, node: &SubsetNode<'_>, classes: &BTreeSet<&str>, named: &BTreeSet<&str>) {
    match node {
        SubsetNode::Rule(own, text) if is_used(own, classes) => out.push_str(text),
        SubsetNode::Always(text) => out.push_str(text),
        SubsetNode::Named(name, text) if named.contains(name) => out.push_str(text),
        SubsetNode::Values(prelude, declarations) => {
            let retained: Vec<&str> = declarations
                .iter()
                .filter(|(name, _)| named.contains(name))
                .map(|(_, declaration)| *declaration)
                .collect();
            if !retained.is_empty() {
                out.extend([prelude, "{", retained.join(";").as_str(), "}"]);
            }
        }
        SubsetNode::Group(prelude, inside) => {
            let from = out.len();
            out.extend([*prelude, "{"]);
            let start = out.len();
            inside.iter().for_each(|node| push_subset_rules(out, node, classes, named));
            if out.len() == start { out.truncate(from) } else { out.push('}') }
        }
        SubsetNode::Rule(..) | SubsetNode::Named(..) => {}
    }
}

/// A rule without classes is for everything.
fn is_used(own: &[String], classes: &BTreeSet<&str>) -> bool {
    own.is_empty() || own.iter().any(|class| classes.contains(class.as_str()))
}

/// Words in a text: names of values and animations are among them.
fn words_in_text(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).filter(|word| !word.is_empty())
}

/// The classes in a selector, without their escapes.
fn classes_of(selector: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut chars = selector.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        }
        if c != '.' {
            continue;
        }
        let mut class = String::new();
        while let Some(c) = chars.next_if(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '\\') || !c.is_ascii()) {
            if c != '\\' {
                class.push(c);
                continue;
            }
            let mut code = String::new();
            while let Some(digit) = chars.next_if(|c| c.is_ascii_hexdigit() && code.len() < 6) {
                code.push(digit);
            }
            match u32::from_str_radix(&code, 16) {
                Ok(code) => {
                    class.extend(char::from_u32(code));
                    chars.next_if(char::is_ascii_whitespace);
                }
                Err(_) => class.extend(chars.next()),
            }
        }
        if !class.is_empty() {
            out.push(class);
        }
    }
    out
}

/// The next `{`, `}` or `;` outside strings and escapes, and where it stands; the end without one.
fn next_mark(text: &str) -> (usize, Option<char>) {
    let mut quote = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (_, '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{' | '}' | ';') => return (at, Some(c)),
            (None, _) => {}
        }
    }
    (text.len(), None)
}

/// Where the block ends that `text` is the inside of.
fn block_end(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    loop {
        let (next, mark) = next_mark(text.slice(at..));
        at += next;
        match mark {
            Some('{') => depth += 1,
            Some('}') if depth == 0 => return at,
            Some('}') => depth -= 1,
            Some(_) => {}
            None => return at,
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "/*! {a;} */\n@layer op.properties;@layer op.utilities{:root,:host{--a:1;--b:var(--c);--c:2;--d:3}.flex{display:flex}.mt-0\\.5{margin:var(--b)}\
        .\\32 xl\\:x\\{{color:red}:is(:where(.group):hover .group-hover\\:x){--tw-x:var(--a);x:y}.spin{animation:spin 1s}\
        @media (width>= 40rem){.sm\\:flex{display:flex;@supports (a:b){c:var(--d)}}}}@layer op.base{.all *{x:y}}@keyframes spin{to{rotate:1turn}}\
        @property --tw-x{syntax:\"*\"}@layer op.properties{@supports (x:y){*,::before{--tw-x:0;--tw-y:0}}}";

    #[track_caller]
    fn check(classes: &[&str], expect: &str) {
        let classes: Vec<String> = classes.iter().map(|class| (*class).to_owned()).collect();
        assert_eq!(UtilityRules::of(SHEET).for_classes(&classes), format!("/*! {{a;}} */\n{expect}"));
    }

    #[test]
    fn rules_of_other_classes_and_what_they_refer_to_stay_away() {
        let base = "@layer op.base{.all *{x:y}}";
        check(&[], &format!("@layer op.properties;{base}"));
        check(&["flex", "other"], &format!("@layer op.properties;@layer op.utilities{{.flex{{display:flex}}}}{base}"));
        check(
            &["mt-0.5"],
            &format!(
                "@layer op.properties;@layer op.utilities{{:root,:host{{--b:var(--c);--c:2}}.mt-0\\.5{{margin:var(--b)}}}}{base}"
            ),
        );
        check(&["2xl:x{"], &format!("@layer op.properties;@layer op.utilities{{.\\32 xl\\:x\\{{{{color:red}}}}{base}"));
        check(
            &["spin"],
            &format!(
                "@layer op.properties;@layer op.utilities{{.spin{{animation:spin 1s}}}}{base}@keyframes spin{{to{{rotate:1turn}}}}"
            ),
        );
        check(
            &["sm:flex"],
            &format!(
                "@layer op.properties;@layer op.utilities{{:root,:host{{--d:3}}@media (width>= 40rem){{.sm\\:flex{{display:flex;@supports (a:b){{c:var(--d)}}}}}}}}{base}"
            ),
        );
        let group = ":is(:where(.group):hover .group-hover\\:x){--tw-x:var(--a);x:y}";
        let properties = "@property --tw-x{syntax:\"*\"}@layer op.properties{@supports (x:y){*,::before{--tw-x:0}}}";
        check(
            &["group-hover:x"],
            &format!("@layer op.properties;@layer op.utilities{{:root,:host{{--a:1}}{group}}}{base}{properties}"),
        );
    }

    #[test]
    fn all_classes_give_all_of_it() {
        check(
            &["flex", "mt-0.5", "2xl:x{", "group", "spin", "sm:flex"],
            &SHEET.replace(";--tw-y:0", "").replace("/*! {a;} */\n", ""),
        );
        for broken in ["", "a", "a{", "}", "/*", "a{b:\"", "\\"] {
            assert_eq!(UtilityRules::of(broken).for_classes(&[]).len(), broken.len(), "{broken}");
        }
    }
}
