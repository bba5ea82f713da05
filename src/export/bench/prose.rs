//! Words and sentences of a generated site.

use base::cut::cut;

/// A small generator of numbers (SplitMix64): the same seed gives the same words everywhere.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64, page: u64) -> Self {
        let mut dice = Self(seed);
        Self(dice.next() ^ page.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both possible.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        let span = u64::from(high.saturating_sub(low)) + 1;
        low + u32::try_from(self.next() % span).unwrap_or_default()
    }

    pub(super) fn pick(&mut self, from: &[&'static str]) -> &'static str {
        let last = u32::try_from(from.len().saturating_sub(1)).unwrap_or(u32::MAX);
        from.get(self.between(0, last) as usize).copied().unwrap_or_default()
    }

    pub(super) fn noun(&mut self) -> &'static str {
        self.pick(&NOUNS)
    }
    pub(super) fn verb(&mut self) -> &'static str {
        self.pick(&VERBS)
    }
    pub(super) fn adjective(&mut self) -> &'static str {
        self.pick(&ADJECTIVES)
    }

    /// A sentence; `link` writes the Markdown link of those that have one.
    pub(super) fn sentence(&mut self, out: &mut String, link: &mut dyn FnMut(&mut Self, &mut String)) {
        let template = self.pick(&SENTENCES);
        let mut rest = template;
        while let Some((text, tail)) = rest.split_once('{') {
            let (name, tail) = tail.split_once('}').unwrap_or((tail, ""));
            out.push_str(text);
            match name {
                "noun" => out.push_str(self.noun()),
                "verb" => out.push_str(self.verb()),
                "adj" => out.push_str(self.adjective()),
                "name" => out.push_str(&format!("{}_{}", self.noun(), self.noun())),
                "number" => out.push_str(&self.between(2, 4999).to_string()),
                _ => link(self, out),
            }
            rest = tail;
        }
        out.push_str(rest);
    }
}

/// A word with a capital letter.
pub(super) fn capital(word: &str) -> String {
    let (first, rest) = cut(word, word.len().min(1));
    first.to_uppercase() + rest
}

const SENTENCES: [&str; 12] = [
    "A {adj} {noun} keeps its {noun} for {number} seconds, after which the {noun} has to {verb} it again.",
    "Nothing stops you from using a {adj} {noun} here, as long as the {noun} can {verb} every {noun}.",
    "The {noun} looks at `{name}` first; if that is unset, it falls back to the {adj} {noun} and {number}.",
    "We measured {number} {noun}s with one {adj} {noun}, and **none of them lost a {noun}**.",
    "Read {link} before you {verb} the {noun} of a {adj} {noun}.",
    "Is the {noun} {adj}? Then {verb} it with `{name}` and let the {noun} do the rest.",
    "You can *only* {verb} a {noun} that is {adj}, because the {noun} doesn't know about any other {noun}.",
    "Both the {noun} and the {adj} {noun} are described in {link}, together with the {noun}.",
    "Once the {noun} has been told to {verb}, its {adj} {noun} stays {adj} until the next {noun}.",
    "More than {number} {noun}s at a time make the {noun} {adj}, so {verb} them in small groups.",
    "Teams with a {adj} {noun} usually {verb} it at night, when the {noun} is idle.",
    "If {number} ms are not enough, {verb} the {noun} or give the {adj} {noun} a larger {noun}.",
];

const NOUNS: [&str; 72] = [
    "account",
    "adapter",
    "agent",
    "alarm",
    "archive",
    "batch",
    "bucket",
    "channel",
    "client",
    "cluster",
    "column",
    "command",
    "connection",
    "container",
    "counter",
    "credential",
    "cursor",
    "daemon",
    "device",
    "digest",
    "document",
    "draft",
    "edge",
    "endpoint",
    "environment",
    "export",
    "filter",
    "folder",
    "frame",
    "gateway",
    "grant",
    "group",
    "handle",
    "host",
    "import",
    "instance",
    "interval",
    "invoice",
    "job",
    "journal",
    "key",
    "lease",
    "ledger",
    "library",
    "member",
    "message",
    "mirror",
    "monitor",
    "mount",
    "network",
    "operator",
    "order",
    "packet",
    "parser",
    "peer",
    "plan",
    "plugin",
    "pointer",
    "pool",
    "probe",
    "process",
    "profile",
    "proxy",
    "reader",
    "record",
    "registry",
    "report",
    "resource",
    "rule",
    "scope",
    "sensor",
    "ticket",
];

const VERBS: [&str; 48] = [
    "activate", "allocate", "append", "approve", "archive", "assign", "attach", "audit", "balance", "bind", "block",
    "build", "capture", "claim", "clear", "clone", "collect", "commit", "connect", "convert", "copy", "create",
    "defer", "delegate", "detach", "disable", "drain", "enable", "expire", "fetch", "flush", "grant", "import",
    "index", "link", "lock", "mount", "move", "notify", "open", "pause", "poll", "prune", "queue", "rebuild",
    "release", "rename", "repair",
];

const ADJECTIVES: [&str; 44] = [
    "abstract",
    "active",
    "annual",
    "automatic",
    "binary",
    "broken",
    "central",
    "cold",
    "common",
    "compact",
    "custom",
    "daily",
    "dense",
    "distant",
    "double",
    "dry",
    "early",
    "eager",
    "even",
    "exact",
    "fast",
    "final",
    "fixed",
    "foreign",
    "formal",
    "full",
    "hidden",
    "hot",
    "idle",
    "inner",
    "joint",
    "large",
    "late",
    "lazy",
    "light",
    "linear",
    "loose",
    "major",
    "manual",
    "minor",
    "narrow",
    "native",
    "open",
    "parallel",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_decide() {
        let text = |seed, page| {
            let mut out = String::new();
            Dice::new(seed, page).sentence(&mut out, &mut |_, out| out.push_str("LINK"));
            out
        };
        assert_eq!(text(1, 7), text(1, 7));
        let different: std::collections::BTreeSet<_> =
            (0..20).map(|page| text(1, page)).chain((0..20).map(|page| text(2, page))).collect();
        assert!(different.len() > 38);
        assert!(different.iter().all(|text| !text.contains(['{', '}'])));
    }

    #[test]
    fn dice_stay_in_bounds() {
        let mut dice = Dice::new(3, 3);
        let thrown: std::collections::BTreeSet<_> = (0..1000).map(|_| dice.between(2, 6)).collect();
        assert_eq!(thrown, (2..=6).collect());
        assert_eq!(dice.between(5, 5), 5);
    }
}
