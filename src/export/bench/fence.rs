//! Code blocks of a generated site, in ten languages.

use super::prose::{Dice, capital};

/// The languages that pages have in turn, beside Rust and Python, which every page has.
pub(super) const OTHERS: [&str; 8] = ["bash", "json", "yaml", "toml", "typescript", "go", "sql", "html"];

/// Some 20 lines of a language, without fences. In the templates `‹n›`, `‹m›` and `‹k›` are nouns, `‹v›` and `‹w›`
/// verbs, `‹x›` a number; capital letters ask for capital words.
pub(super) fn bench_code(language: &str, dice: &mut Dice) -> String {
    let template = match language {
        "rust" => RUST,
        "python" => PYTHON,
        "bash" => BASH,
        "json" => JSON,
        "yaml" => YAML,
        "toml" => TOML,
        "typescript" => TYPESCRIPT,
        "go" => GO,
        "sql" => SQL,
        _ => HTML,
    };
    let [n, m, k] = [dice.noun(), dice.noun(), dice.noun()];
    let [v, w] = [dice.verb(), dice.verb()];
    let x = dice.between(1, 999).to_string();
    let mut out = String::with_capacity(template.len() + 128);
    let mut rest = template;
    while let Some((text, tail)) = rest.split_once('‹') {
        let (name, tail) = tail.split_once('›').unwrap_or((tail, ""));
        out.push_str(text);
        match name {
            "n" => out.push_str(n),
            "m" => out.push_str(m),
            "k" => out.push_str(k),
            "v" => out.push_str(v),
            "w" => out.push_str(w),
            "N" => out.push_str(&capital(n)),
            "M" => out.push_str(&capital(m)),
            "V" => out.push_str(&capital(v)),
            _ => out.push_str(&x),
        }
        rest = tail;
    }
    out + rest
}

const RUST: &str = r#"use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Waits this long before the ‹n› is asked again.
const PAUSE: Duration = Duration::from_millis(‹x›);

#[derive(Clone, Debug)]
pub struct ‹N›<T> {
    ‹m›s: Arc<Mutex<Vec<T>>>,
    limit: usize,
}

impl<T: Clone + Ord> ‹N›<T> {
    // the ‹k› must not ‹w› while this runs
    pub fn ‹v›(&self, next: T) -> Result<Option<T>, String> {
        let mut ‹m›s = self.‹m›s.lock().map_err(|error| format!("‹m›: {error}"))?;
        if ‹m›s.len() >= self.limit {
            return Err("too many ‹m›s".to_string());
        }
        ‹m›s.push(next);
        ‹m›s.sort_unstable();
        Ok(‹m›s.iter().rev().nth(‹x›).cloned())
    }
}"#;

const PYTHON: &str = r#"import json
import logging
from pathlib import Path

log = logging.getLogger("‹n›")


class ‹M›Error(RuntimeError):
    """Raised when a ‹m› cannot ‹v›."""


def ‹v›_‹n›s(root: Path, limit: int = ‹x›) -> dict[str, float]:
    found: dict[str, float] = {}
    for path in sorted(root.glob("**/*.‹k›")):
        with path.open(encoding="utf-8") as file:
            ‹k› = json.load(file)
        if not ‹k›.get("‹m›"):  # nothing to ‹w›
            log.warning("skipped %s", path)
            continue
        found[path.stem] = round(‹k›["‹m›"] / 1_000, 3)
        if len(found) > limit:
            raise ‹M›Error(f"more than {limit} ‹n›s in {root!s}")
    return found"#;

const BASH: &str = r#"#!/usr/bin/env bash
set -euo pipefail

‹n›_dir="${1:-/var/lib/‹n›}"
for ‹m› in "$‹n›_dir"/*.‹m›; do
  # a ‹m› without a ‹k› cannot ‹w›
  if ! grep -q '^‹k›=' "$‹m›"; then
    echo "skip $‹m›" >&2
    continue
  fi
  example ‹v› --timeout ‹x› --‹k› "$(cut -d= -f2 "$‹m›")" | tee -a ‹n›.log
done"#;

const JSON: &str = r#"{
  "‹n›": "‹v›-‹m›",
  "enabled": true,
  "limits": { "‹k›s": ‹x›, "share": 0.‹x›, "reset": null },
  "‹m›s": [
    { "id": "‹m›-‹x›", "actions": ["‹v›", "‹w›"], "weight": -1.5e3 },
    { "id": "‹k›-‹x›", "actions": [], "note": "line\nbreak \"quoted\"" }
  ],
  "source": "https://api.example.com/v1/‹n›s?after=‹x›"
}"#;

const YAML: &str = r#"# how the ‹n› is rolled out
‹n›:
  name: ‹v›-‹m›
  replicas: ‹x›
  strategy: &quick
    type: "‹w›"
    every: 15m
  ‹k›s:
    - id: ‹k›-1
      command: ["example", "‹v›", "--quiet"]
    - id: ‹k›-2
      <<: *quick
      script: |
        example ‹w› --all
        exit 0"#;

const TOML: &str = r#"# read by the ‹n› at start
title = "‹V› the ‹m›"
updated = 2024-05-17T08:30:00Z

[‹n›.limits]
‹m›s = ‹x›
share = 0.‹x›
strict = false

[[‹n›.‹k›]]
name = '‹k›-one'
actions = ["‹v›", "‹w›"]"#;

const TYPESCRIPT: &str = r#"import { open‹N› } from "./‹n›.js";

type ‹M›<T> = { id: string; value: T; tags?: string[] };

/** Waits for the ‹m› and returns what the ‹k› left. */
export async function ‹v›‹M›(id: string, retries = ‹x›): Promise<‹M›<number> | null> {
  for (let attempt = 0; attempt < retries; attempt++) {
    const ‹n› = await open‹N›(`/‹m›s/${encodeURIComponent(id)}`);
    if (‹n›.state === "ready") {
      return { id, value: ‹n›.‹k›s.length, tags: ["‹w›"] };
    }
  }
  return null;
}"#;

const GO: &str = r#"package ‹n›

import (
	"errors"
	"time"
)

// Err‹M› is returned while a ‹m› is not there.
var Err‹M› = errors.New("‹n›: no ‹m›")

func (s *Store) ‹V›(id string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ‹k› := range s.‹k›s {
		if ‹k›.ID == id && time.Since(‹k›.Seen) < ‹x›*time.Second {
			return len(‹k›.Parts), nil
		}
	}
	return 0, Err‹M›
}"#;

const SQL: &str = r#"-- which ‹n›s did not ‹v› this month
SELECT n.id, n.name, COUNT(m.id) AS ‹m›s
FROM ‹n›s AS n
LEFT JOIN ‹m›s AS m ON m.‹n›_id = n.id AND m.state <> '‹w›'
WHERE n.created_at >= DATE '2024-01-01' AND n.‹k› IN (1, 2, ‹x›)
GROUP BY n.id, n.name
HAVING COUNT(m.id) < ‹x›
ORDER BY ‹m›s DESC;"#;

const HTML: &str = r#"<!-- a ‹n› with its ‹m›s -->
<form class="‹n›" action="/‹m›s/‹x›" method="post">
  <label for="‹k›">‹V› this ‹k› &amp; others</label>
  <input id="‹k›" name="‹k›" type="number" min="1" max="‹x›" required>
  <button type="submit" data-action='‹w›'>‹V›</button>
  <style>.‹n› { color: #334; margin: 0 auto }</style>
</form>"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let mut dice = Dice::new(1, 1);
        for language in OTHERS.into_iter().chain(["rust", "python"]) {
            let code = bench_code(language, &mut dice);
            assert!(code.lines().count() >= 7 && !code.contains(['‹', '›']), "{code}");
        }
        serde_json::from_str::<serde_json::Value>(&bench_code("json", &mut dice)).unwrap();
        toml::from_str::<toml::Table>(&bench_code("toml", &mut dice)).unwrap();
    }
}
