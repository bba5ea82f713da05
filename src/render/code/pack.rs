//! Vendored files, many in one, unpacked one by one.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// A pack as `assets/README.md` describes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pack(&'static [u8]);

pub(super) const GRAMMARS: Pack = Pack(include_bytes!("assets/grammars.bin"));
pub(super) const THEMES: Pack = Pack(include_bytes!("assets/themes.bin"));

/// An entry: its columns and where its body is.
#[derive(Clone, Debug)]
pub(super) struct PackEntry {
    pub columns: Vec<&'static str>,
    body: &'static [u8],
}

impl Pack {
    /// All entries, ordered by their first column.
    pub(super) fn entries(self) -> impl Iterator<Item = PackEntry> {
        let (size, rest) = self.0.split_at_checked(4).unwrap_or_default();
        let size = size.try_into().map_or(0, u32::from_le_bytes) as usize;
        let (index, bodies) = rest.split_at_checked(size).unwrap_or_default();
        std::str::from_utf8(index).unwrap_or_default().lines().filter_map(move |line| {
            let mut columns: Vec<&'static str> = line.split('\t').collect();
            let length: usize = columns.pop()?.parse().ok()?;
            let offset: usize = columns.pop()?.parse().ok()?;
            Some(PackEntry { columns, body: bodies.get(offset..offset.checked_add(length)?)? })
        })
    }
}

impl PackEntry {
    /// A column; empty if there is none.
    pub(super) fn column(&self, index: usize) -> &'static str {
        self.columns.get(index).copied().unwrap_or_default()
    }

    /// The body's text.
    pub(super) fn text(&self) -> Option<String> {
        let mut text = String::new();
        ZlibDecoder::new(self.body).read_to_string(&mut text).ok()?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;
    use textmate::compare_matchers;

    use super::*;

    #[test]
    fn every_entry_unpacks_to_json() {
        for pack in [GRAMMARS, THEMES] {
            let entries: Vec<PackEntry> = pack.entries().collect();
            assert!(entries.len() > 60);
            for entry in entries {
                let text = entry.text().expect("unpacks");
                assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", entry.column(0));
            }
        }
    }

    #[test]
    fn copyleft_grammars_are_not_shipped() {
        let left_out =
            ["ada", "gnuplot", "nginx", "org", "racket", "ahk", "ahk2", "bird2", "hcl", "terraform", "aurora-x"];
        assert!(GRAMMARS.entries().chain(THEMES.entries()).all(|entry| !left_out.contains(&entry.column(0))));
    }

    /// Adds the regular expressions of a grammar.
    fn add_sources(grammar: &Value, sources: &mut BTreeSet<String>) {
        match grammar {
            Value::Object(rule) => {
                for (key, value) in rule {
                    match value {
                        Value::String(source) if matches!(&**key, "match" | "begin" | "end" | "while") => {
                            sources.insert(source.clone());
                        }
                        value => add_sources(value, sources),
                    }
                }
            }
            Value::Array(rules) => rules.iter().for_each(|rule| add_sources(rule, sources)),
            _ => {}
        }
    }

    /// The simple matcher of `textmate` is a shortcut, nothing else.
    #[test]
    fn both_matchers_agree_on_the_shipped_grammars() {
        const LINES: [&str; 8] = [
            "  const a_1 = async ({ b, ...c }: D<E>) => `x ${f(1.5e3)}`; // g\n",
            "def f(self, *a, b: int = 0x1F) -> str: return f\"{a!r} \\n\"  # c\n",
            "for x in *.md; do echo \"$x ${y:-1}\" | sed 's/a/b/' > /tmp/z; done\n",
            "<a-b class=\"c d\" :e='f' @g.h=\"i(1)\">&amp; {{ j | k }}</a-b>\n",
            "#[derive(A)] pub fn b<'c>(d: &'c str) -> Vec<u8> { e!(\"{}\", 1_u8) }\n",
            "SELECT a.b, COUNT(*) FROM t AS u WHERE x = 'y''z' AND d > 1.5;\n",
            "- key: &a \"v\" # c [1, {b: *a}] | @media (min-width: 1px) { .a > #b }\n",
            "\tpublic static void main(String[] args) throws E { x->y::z; @A @B(1) }\n",
        ];
        let mut sources = BTreeSet::new();
        for entry in GRAMMARS.entries() {
            let text = entry.text().expect("unpacks");
            add_sources(&serde_json::from_str(&text).expect("is JSON"), &mut sources);
        }
        let mut understood = 0;
        for (source, line) in sources.iter().zip(LINES.iter().cycle()) {
            // a pattern is a good text for itself: it holds its own words
            let own: String = source.chars().filter(|c| *c != '\n').take(40).chain(['\n']).collect();
            understood += usize::from(compare_matchers(source, line) | compare_matchers(source, &own));
        }
        assert!(understood * 10 > sources.len() * 8, "{understood} of {}", sources.len());
    }
}
