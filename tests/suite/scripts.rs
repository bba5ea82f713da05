//! Scripts that are made to break the exporter: each costs itself and nothing else. They stand in
//! `scripts/payloads.txt`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use offprint::base::FileId;
use offprint::markup::expand::{Alone, Expanded, expand_document};
use offprint::markup::parse_mdx;
use rayon::prelude::*;

const PAYLOADS: &str = include_str!("scripts/payloads.txt");
/// Longest time that a payload may take, on a busy machine. The scripts of a page have a second of processor time.
const LONGEST: Duration = Duration::from_secs(60);

const BEFORE: &str = "Before it stands this.";
const AFTER: &str = "After it stands this.";

struct Payload {
    name: &'static str,
    expect: &'static str,
    /// The page.
    source: String,
}

fn payloads() -> Vec<Payload> {
    let entries = PAYLOADS.split("\n## ").skip(1);
    let payloads = entries.map(|entry| {
        let (head, body) = entry.split_once('\n').unwrap();
        let (name, expect) = head.split_once(" · ").unwrap();
        let source = match body.strip_prefix("page\n") {
            Some(page) => page.trim_end().to_owned(),
            None => format!("export const X = ({{ children }}) => {{ {} }}\n\n<X>kept</X>", body.trim_end()),
        };
        Payload { name, expect, source: format!("{BEFORE}\n\n{source}\n\n{AFTER}\n") }
    });
    payloads.collect()
}

fn expanded(source: &str) -> Expanded {
    expand_document(parse_mdx(source, FileId(0), 1), FileId(0), &Alone)
}

/// What is wrong with the outcome of a payload.
fn wrong(payload: &Payload, expanded: &Expanded) -> Option<String> {
    let shown = format!("{:?}", expanded.nodes);
    let messages: Vec<&str> = expanded.problems.iter().map(|problem| problem.message.as_str()).collect();
    for text in [BEFORE, AFTER] {
        if !shown.contains(text) {
            return Some(format!("`{text}` is gone: {shown:.300}"));
        }
    }
    if messages.len() > 3 || messages.iter().any(|message| message.len() > 600) {
        return Some(format!("too many words: {messages:?}"));
    }
    if let Some(reason) = payload.expect.strip_prefix("fails:") {
        if !messages.iter().any(|message| message.contains(reason.trim())) {
            return Some(format!("no warning with `{}`: {messages:?}, {shown:.300}", reason.trim()));
        }
        if payload.source.contains("<X>kept</X>") && !shown.contains("kept") {
            return Some(format!("the children are gone: {shown:.300}"));
        }
    }
    if let Some(text) = payload.expect.strip_prefix("shows:") {
        // who asks for the time is told which one it is
        if expanded.problems.iter().any(|problem| problem.code != "script-time") {
            return Some(format!("warnings: {messages:?}"));
        }
        if !shown.contains(&format!("{:?}", text.trim())[1..text.trim().len() + 1]) {
            return Some(format!("`{}` is not shown: {shown:.300}", text.trim()));
        }
    }
    None
}

#[test]
fn a_hostile_script_costs_itself() {
    let good = "export const Y = ({ n }) => { const m = [1, 2].map(x => x * n); return <b>{m.join('+')}</b> }\n\nA <Y n={3}/> b {JSON.stringify({ a: [n => n, 1] })}";
    let expect = format!("{:?}", expanded(good));
    let all = payloads();
    assert!(all.len() >= 150, "{}", all.len());
    let faults = all.par_iter().map(|payload| {
        let mut faults = String::new();
        let start = Instant::now();
        let outcome = expanded(&payload.source);
        let time = start.elapsed();
        if let Some(fault) = wrong(payload, &outcome) {
            let _ = writeln!(faults, "{}: {fault}", payload.name);
        }
        if time > LONGEST {
            let _ = writeln!(faults, "{}: takes {time:?}", payload.name);
        }
        if format!("{:?}", expanded(good)) != expect {
            let _ = writeln!(faults, "{}: changes the next page", payload.name);
        }
        assert_eq!(
            format!("{:?}", expanded(&payload.source).nodes),
            format!("{:?}", outcome.nodes),
            "{}: a second time it is another",
            payload.name
        );
        faults
    });
    let faults: String = faults.collect();
    assert!(faults.is_empty(), "\n{faults}");
}
