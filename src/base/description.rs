//! The description of a page or a site: the Markdown that its author wrote, and the words of it.

use super::short_text::{short_text_words, without_html};

/// A description. Its words are found once, when it is read: window names, previews, lists and search use them on
/// every page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    source: String,
    /// `None`: as the source.
    words: Option<Box<str>>,
    /// `None`: as the source.
    lead: Option<Box<str>>,
}

impl Description {
    /// Reads a description.
    pub fn new(source: String) -> Self {
        let own = |words: &str| (words != source).then(|| words.into());
        let first = source.trim().split("\n\n").next().unwrap_or_default();
        let (words, lead) = (own(&short_text_words(&source)), own(&short_text_words(first)));
        Self { source, words, lead }
    }

    /// Reads one of an API description, which may have elements of HTML.
    pub fn of_api(source: &str) -> Self {
        let shown = Self::new(without_html(source).into_owned());
        let own = |words: &str| Some(words).filter(|words| *words != source).map(Into::into);
        Self { words: own(shown.words()), lead: own(shown.lead()), source: source.to_owned() }
    }

    /// As its author wrote it: inline Markdown, or paragraphs of it.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What it says, for where no marks are read.
    pub fn words(&self) -> &str {
        self.words.as_deref().unwrap_or(&self.source)
    }

    /// What its first paragraph says.
    pub fn lead(&self) -> &str {
        self.lead.as_deref().unwrap_or(&self.source)
    }
}

impl From<&str> for Description {
    fn from(source: &str) -> Self {
        Self::new(source.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::Description;

    #[test]
    fn words_have_no_marks_and_the_lead_is_the_first_paragraph() {
        let description = Description::from(" All *pets* of `x`.\n\nSecond **part**.");
        assert_eq!(description.source(), " All *pets* of `x`.\n\nSecond **part**.");
        assert_eq!((description.words(), description.lead()), ("All pets of x.  Second part.", "All pets of x."));
        let plain = Description::from("Plain text");
        assert_eq!((plain.words(), plain.lead()), ("Plain text", "Plain text"));
        assert_eq!(plain, Description { source: "Plain text".to_owned(), words: None, lead: None });
    }
}
