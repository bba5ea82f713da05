//! What the index is told of a page.

/// A page as its exporter knows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchPage<'a> {
    /// Its file from the bundle's root, percent-encoded.
    pub url: &'a str,
    /// Title.
    pub title: &'a str,
    /// Its name in the sidebar, if that is another one.
    pub sidebar_title: &'a str,
    /// The name of the site: titles may go without its words.
    pub site_name: &'a str,
    /// Where it stands: names of tab and groups, outermost first.
    pub place: &'a [&'a str],
    /// Description.
    pub description: &'a str,
    /// Words that find the page though it does not say them.
    pub keywords: &'a [String],
    /// `GET /path` of an API page.
    pub endpoint: &'a str,
    /// Factor of its rank; 1 for most.
    pub boost: f64,
    /// Where it stands: index into the areas of its index.
    pub area: u32,
    /// Rendered content, in order.
    pub html: [&'a str; 2],
}
