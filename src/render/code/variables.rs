//! The theme `css-variables` of hosted documentation: authors' style sheets give its colors, by variables. Colors that they
//! do not give are those of the site.

use textmate::ThemeRule;

/// What sites call the theme.
pub(super) const VARIABLES: &str = "css-variables";

/// The ground and the ink of blocks: declarations.
pub(super) const GROUND: &str = "--op-code-ground:var(--mint-color-background,var(--shiki-background,var(--op-sunken)));--op-code-ink:var(--mint-color-text,var(--shiki-foreground,var(--op-ink)));--op-code-line:color-mix(in oklab,var(--op-code-ink) 14%,var(--op-code-ground))";

/// Kinds of tokens: the end of their variables' names, the color of the site, and the scopes.
const TOKENS: [(&str, &str, &[&str]); 9] = [
    ("punctuation", "--code-quiet", &["punctuation", "meta.brace", "keyword.operator.accessor"]),
    ("constant", "--op-blue", &["constant", "support.constant", "variable.language", "variable.other.constant"]),
    ("string", "--op-green", &["string", "markup.inline.raw", "markup.fenced_code"]),
    ("string-expression", "--op-green", &["string.quoted", "string.template", "string.regexp", "entity.name.tag"]),
    ("keyword", "--op-red", &["keyword", "storage", "support.type.property-name.json"]),
    ("parameter", "--op-orange", &["variable.parameter"]),
    (
        "function",
        "--op-purple",
        &["entity.name.function", "support.function", "entity.name.type", "entity.other.attribute-name"],
    ),
    ("link", "--op-blue", &["markup.underline.link", "string.other.link"]),
    ("comment", "--code-quiet", &["comment", "punctuation.definition.comment"]),
];

/// The colors of the theme, in order.
pub(super) fn variable_colors() -> Vec<String> {
    let color = |name: &str, own: &str| format!("var(--mint-token-{name},var(--shiki-token-{name},var({own})))");
    TOKENS.iter().map(|(name, own, _)| color(name, own)).collect()
}

/// What scopes look like; color 0 is the ink.
pub(super) fn variable_rules() -> Vec<ThemeRule> {
    (1..)
        .zip(TOKENS)
        .flat_map(|(color, (_, _, scopes))| {
            scopes.iter().map(move |scope| ThemeRule { selector: (*scope).to_owned(), color: Some(color), font: None })
        })
        .collect()
}
