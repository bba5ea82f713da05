//! Regular expressions of templates. Those of Go have the syntax of this crate's, and take linear time as these do.

use regex::RegexBuilder;

use super::run::{MAX_HUGO_VALUE_BYTES, TemplateRun, is_plain_pattern};
use super::value::HugoValue;

/// Largest expression when it is compiled, bytes.
const MAX_COMPILED_BYTES: usize = 1 << 20;
/// What compiling one costs, in steps of a template.
const COMPILE_STEPS: usize = 200;

impl<'w> TemplateRun<'_, 'w, '_> {
    /// `findRE`, `findRESubmatch` and `replaceRE`; `None` if it is another function, or cannot be done.
    pub(super) fn pattern_function(&mut self, name: &str, arguments: &[HugoValue<'w>]) -> Option<HugoValue<'w>> {
        let (pattern, inputs) = arguments.split_first()?;
        let (replacement, input, limit) = match (name, inputs) {
            ("findre" | "findresubmatch", [input]) => (None, input, None),
            ("findre" | "findresubmatch", [input, limit]) => (None, input, Some(limit)),
            ("replacere", [replacement, input]) => (Some(replacement.text()), input, None),
            ("replacere", [replacement, input, limit]) => (Some(replacement.text()), input, Some(limit)),
            _ => return None,
        };
        let limit = match limit {
            Some(HugoValue::Number(limit)) if *limit >= 0.0 => *limit as usize,
            _ => usize::MAX,
        };
        // what stands for the inside of a shortcode is no text to search
        let text = Some(input.text()).filter(|text| is_plain_pattern(text))?;
        self.writer.spend(COMPILE_STEPS + text.len() / 16).then_some(())?;
        let regex = RegexBuilder::new(&pattern.text()).size_limit(MAX_COMPILED_BYTES).build().ok()?;
        let Some(replacement) = replacement else {
            let text_of = |found: Option<regex::Match<'_>>| {
                HugoValue::Text(found.map(|found| found.as_str().to_owned()).unwrap_or_default())
            };
            return Some(HugoValue::List(match name {
                "findre" => regex.find_iter(&text).take(limit).map(|found| text_of(Some(found))).collect(),
                _ => regex
                    .captures_iter(&text)
                    .take(limit.min(MAX_HUGO_VALUE_BYTES / regex.captures_len()))
                    .map(|groups| HugoValue::List(groups.iter().map(text_of).collect()))
                    .collect(),
            }));
        };
        let count = regex.find_iter(&text).take(limit).count();
        let groups = replacement.matches('$').count().saturating_mul(text.len());
        (count.saturating_mul(replacement.len()).saturating_add(groups) <= MAX_HUGO_VALUE_BYTES).then_some(())?;
        // to the library 0 is no limit
        let most = if limit == usize::MAX { 0 } else { limit };
        Some(HugoValue::Text(match count {
            0 => text,
            _ => regex.replacen(&text, most, replacement.as_str()).into_owned(),
        }))
    }
}
