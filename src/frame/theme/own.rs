//! What a page says itself, by number: the frame of its shape has a mark for each.

/// A text of the frame that each page has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Own {
    /// `/guides/start`; `/` for the start page.
    CurrentPath,
    /// The title of the window.
    Title,
    Canonical,
    /// Links to the style sheets that it needs beside the theme's.
    Styles,
    /// Safe inside `<script>`.
    JsonLd,
    /// Its feed, relative to the page.
    Feed,
    Metas,
    /// Digest of a banner that can be closed.
    BannerKey,
    /// The script with the whole page tree, relative to the page.
    NavScript,
    Eyebrow,
    /// The way to the page, which takes the place of the eyebrow.
    Breadcrumbs,
    Tag,
    /// The menu beside the title.
    Actions,
    /// The menu of the page in the contents column.
    ContentsActions,
    EndpointMethod,
    EndpointPath,
    /// The button of the console.
    TryIt,
    /// Choices among views, variations and kinds of updates.
    Switchers,
    Toc,
    H1,
    Description,
    Content,
    Aside,
    /// What a group's root page lists.
    Directory,
    Related,
    ModifiedIso,
    Modified,
    /// Links to change the page and to report a problem with it.
    SourceLinks,
    PreviousUrl,
    Previous,
    NextUrl,
    Next,
    /// Scripts of its islands.
    Scripts,
    /// Data of its islands, safe inside `<script>`.
    Islands,
    /// Its policy, where it is not that of all pages.
    Policy,
}

/// In the order of [`Own`]: what the template calls it, and whether it is HTML.
pub(super) const OWN: [(Own, &str, bool); 35] = [
    (Own::CurrentPath, "current_path", false),
    (Own::Title, "title", false),
    (Own::Canonical, "canonical", false),
    (Own::Styles, "styles_needed", true),
    (Own::JsonLd, "json_ld", true),
    (Own::Feed, "feed", false),
    (Own::Metas, "metas", true),
    (Own::BannerKey, "banner_key", false),
    (Own::NavScript, "nav_script", false),
    (Own::Eyebrow, "eyebrow", false),
    (Own::Breadcrumbs, "breadcrumbs", true),
    (Own::Tag, "tag", false),
    (Own::Actions, "actions", true),
    (Own::ContentsActions, "contents_actions", true),
    (Own::EndpointMethod, "endpoint_method", false),
    (Own::EndpointPath, "endpoint_path", false),
    (Own::TryIt, "try_it", true),
    (Own::Switchers, "switchers", true),
    (Own::Toc, "toc", true),
    (Own::H1, "h1", true),
    (Own::Description, "description", true),
    (Own::Content, "content", true),
    (Own::Aside, "aside", true),
    (Own::Directory, "directory", true),
    (Own::Related, "related", true),
    (Own::ModifiedIso, "modified_iso", false),
    (Own::Modified, "modified_text", false),
    (Own::SourceLinks, "source_links", true),
    (Own::PreviousUrl, "previous_url", false),
    (Own::Previous, "previous_label", true),
    (Own::NextUrl, "next_url", false),
    (Own::Next, "next_label", true),
    (Own::Scripts, "page_scripts", true),
    (Own::Islands, "islands", true),
    (Own::Policy, "page_policy", true),
];

impl Own {
    /// The one of a number, for marks.
    pub(super) fn of_number(number: u32) -> Option<Self> {
        OWN.get(number as usize).map(|(own, ..)| *own)
    }
}
