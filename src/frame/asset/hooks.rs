//! What hosted documentation calls the parts of a page, where the theme has the part under another name.
//!
//! Authors' style sheets are written for these names. Their selectors are widened by the theme's own: `.link` means what
//! `:is(.link,:where(…))` means here, with the same weight.

/// Names in selectors and the theme's selector for the same part, sorted by name. Elements are as the documentation of
/// the platform writes them, `card` for the class `card`.
const HOOKS: [(&str, &str); 108] = [
    ("#api-playground-input", ".op-endpoint"),
    ("#assistant-entry", ".op-assistant"),
    ("#assistant-entry-mobile", ".op-assistant"),
    ("#changelog-filters", ".update-filter"),
    ("#changelog-filters-content", ".update-filter"),
    ("#localization-select-content", ".op-switch-language .op-menu-list"),
    ("#localization-select-item", ".op-switch-language .op-menu-list a"),
    ("#localization-select-trigger", ".op-switch-language>summary"),
    ("#mobile-nav", "html[data-drawer] .op-tree"),
    ("#mobile-nav-content", "html[data-drawer] .op-tree-inner"),
    ("#multi-view-dropdown", ".view-switcher"),
    ("#page-context-menu", ".op-actions .op-menu-list"),
    ("#page-context-menu-button", ".op-actions>:is(button,a)"),
    ("#panel", ".op-aside"),
    ("#search-bar-entry-mobile", ".search-entry"),
    ("#search-input", ".search-field"),
    ("#table-of-contents-content", ".toc-scroll"),
    ("#table-of-contents-layout", "nav.toc"),
    ("#topbar-cta-button", ".op-cta"),
    (".advanced-footer", ".op-foot:has(.op-foot-columns)"),
    (".api-section-heading", ".api-heading"),
    (".api-section-heading-subtitle", ".api-section>p"),
    (".api-section-heading-title", ".api-heading"),
    (".array-param-field", ".field"),
    (".code-block-copy-button", ".code-block>[data-copy]"),
    (".code-block-icon", ".code-head>:is(svg,img)"),
    (".directory-group", ".directory details"),
    (".directory-page", ".directory-row"),
    (".link", ".mdx-content a:not([class],[data-component],[data-linked] *)"),
    (".method-nav-pill", ".op-tree .method-pill"),
    (".mobile-nav-tabs-item", ".op-tabs>ul>li>a"),
    (".multi-view-dropdown", ".view-switcher"),
    (".multi-view-item", ".view-switcher button"),
    (".nav-anchor", ".op-anchors a"),
    (".nav-anchors", ".op-anchors"),
    (".nav-dropdown-content", ".op-menu-list"),
    (".nav-dropdown-item", ".op-menu-list a"),
    (".nav-dropdown-item-description", ".op-menu-list small"),
    (".nav-dropdown-item-icon", ".op-menu-list a>.icon"),
    (".nav-dropdown-item-text-container", ".op-menu-list a>span"),
    (".nav-dropdown-item-title", ".op-menu-list a>span"),
    (".nav-dropdown-products-selector-content", ".op-switch-product>.op-menu-list"),
    (".nav-dropdown-products-selector-item", ".op-switch-product>.op-menu-list a"),
    (".nav-dropdown-products-selector-item-description", ".op-switch-product>.op-menu-list small"),
    (".nav-dropdown-products-selector-item-icon", ".op-switch-product>.op-menu-list a>.icon"),
    (".nav-dropdown-products-selector-item-title", ".op-switch-product>.op-menu-list a>span"),
    (".nav-dropdown-products-selector-trigger", ".op-switch-product>summary"),
    (".nav-dropdown-trigger", ".op-menu>summary"),
    (".nav-tag-pill", ".op-tree .op-tag"),
    (".nav-tag-pill-text", ".op-tree .op-tag"),
    (".object-param-field", ".field"),
    (".op-sidebar", ".op-tree"),
    (".option-dropdown", ".tab-menu>select"),
    (".primitive-param-field", ".field"),
    (".sidebar-group-header", ".sidebar-title"),
    (".sidebar-group-icon", ".sidebar-title>.icon"),
    (".topbar-right-container", ".op-bar-end"),
    (".tryit-button", ".api-try"),
    ("[data-component-part=callout-content]", ".callout-body"),
    ("[data-component-part=callout-icon]", ".callout-icon"),
    ("[data-component-part=card-content-container]", ".box-words"),
    ("[data-component-part=card-content]", ".box-text"),
    ("[data-component-part=card-cta]", ".box-cta"),
    ("[data-component-part=card-icon]", ".box-icon"),
    ("[data-component-part=card-image]", ".box-image"),
    ("[data-component-part=card-title]", ".box-title"),
    ("[data-component-part=code-block-header-filename]", ".code-title"),
    ("[data-component-part=code-block-header]", ".code-head"),
    ("[data-component-part=code-block-root]", ".code-block>pre"),
    ("[data-component-part=code-group-tab-bar]", ".code-tabs>.tab-list"),
    ("[data-component-part=field-content]", ".field-body"),
    ("[data-component-part=field-meta-post]", ".field-label"),
    ("[data-component-part=field-name]", ".field-name"),
    ("[data-component-part=field-required-pill]", ".field-required"),
    ("[data-component-part=step-content]", ".step-body"),
    ("[data-component-part=step-number]", ".step-number"),
    ("[data-component-part=step-title]", ".step-title"),
    ("[data-component-part=tab-button]", ".tab-list>[role=tab]"),
    ("[data-component-part=tab-content]", ".tab-panel"),
    ("[data-component-part=tabs-list]", ".tab-list"),
    ("accordion", ".accordion"),
    ("accordion-group", ".accordion-group"),
    ("breadcrumb-list", ".breadcrumb-list"),
    ("callout", ".callout"),
    ("card", ".card"),
    ("card-group", ".card-group"),
    ("code-block", ".code-block"),
    ("code-group", ".code-group"),
    ("columns", ".columns"),
    ("expandable", ".expandable"),
    ("eyebrow", ".eyebrow"),
    ("field", ".field"),
    ("mdx-content", ".mdx-content"),
    ("method-pill", ".method-pill"),
    ("nav-tabs", ".nav-tabs"),
    ("nav-tabs-item", ".nav-tabs-item"),
    ("pagination-next", ".pagination-next"),
    ("pagination-prev", ".pagination-prev"),
    ("panel", ".panel"),
    ("sidebar-group", ".sidebar-group"),
    ("sidebar-title", ".sidebar-title"),
    ("step", ".step"),
    ("steps", ".steps"),
    ("tabs", ".tabs"),
    ("tile", ".tile"),
    ("toc", ".toc"),
    ("toc-item", ".toc-item"),
    ("tooltip", ".tooltip"),
];

/// The theme's selector for a part that a selector of an author names.
pub(super) fn theme_selector(name: &str) -> Option<&'static str> {
    let bare;
    let name = if name.starts_with('[') {
        bare = name.replace(['"', '\'', ' '], "");
        bare.as_str()
    } else {
        name
    };
    HOOKS.binary_search_by_key(&name, |(hook, _)| hook).ok().map(|at| HOOKS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(HOOKS.is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn quotes_do_not_matter() {
        for name in [
            "[data-component-part=card-title]",
            "[data-component-part=\"card-title\"]",
            "[ data-component-part = 'card-title' ]",
        ] {
            assert_eq!(theme_selector(name), Some(".box-title"), "{name}");
        }
        assert_eq!(theme_selector("[data-component-part^=card]"), None);
    }
}
