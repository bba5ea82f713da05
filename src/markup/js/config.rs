//! Configurations of other tools that are programs, run without their packages and without any system: the engine is
//! given the texts of the modules and files that they ask for, and gives JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use load::tool::{ConfigScript, Evaluate};

use super::compile;
use super::tool;

/// How many times a program runs at most, each time with the files that it asked for before.
const MAX_CONFIG_RUNS: usize = 24;
/// Most files that one configuration may read.
const MAX_CONFIG_FILES: usize = 500;
/// Endings of modules that are tried.
const ENDINGS: [&str; 14] = [
    "",
    ".ts",
    ".js",
    ".mjs",
    ".mts",
    ".cjs",
    ".cts",
    ".json",
    ".tsx",
    ".jsx",
    "/index.ts",
    "/index.js",
    "/index.mjs",
    "/index.mts",
];

/// Endings of compiled modules, and of what they are compiled from.
const COMPILED: [(&str, &str); 5] =
    [(".js", ".ts"), (".js", ".tsx"), (".jsx", ".tsx"), (".mjs", ".mts"), (".cjs", ".cts")];

const ENGINE: tool::VendoredScript = tool::VendoredScript {
    name: "configuration",
    source: concat!(
        "((meter, evaluate, Proxy) => {",
        include_str!("realm/bounds.js"),
        include_str!("realm/config.js"),
        "})(meter, eval, Proxy); delete globalThis.meter;"
    ),
    function: "evaluateConfig",
    memory: 96 << 20,
    rounds: 3_000,
};

/// The bounded engine for configurations.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConfigEngine;

/// What the engine is given.
#[derive(Debug, Default, Serialize)]
struct ScriptInput {
    entry: String,
    modules: BTreeMap<String, ScriptModule>,
    /// The modules that names mean: `config/sidebar` is `config/sidebar.ts`.
    resolved: BTreeMap<String, Option<String>>,
    files: BTreeMap<String, Option<String>>,
    folders: BTreeMap<String, Option<Vec<String>>>,
}

/// A module: a program or JSON.
#[derive(Debug, Default, Serialize)]
struct ScriptModule {
    /// Guarded.
    code: String,
    /// Module, name there, name here.
    imports: Vec<(String, String, String)>,
    stars: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<String>,
}

#[derive(Debug, Deserialize)]
struct ScriptResponse {
    need: Need,
    failure: Option<String>,
    #[serde(default)]
    value: Value,
}

#[derive(Debug, Default, Deserialize)]
struct Need {
    modules: BTreeSet<String>,
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl Evaluate for ConfigEngine {
    fn evaluate(&self, script: &ConfigScript<'_>) -> Result<Value, String> {
        let mut given = ScriptInput { entry: script.path.to_owned(), ..ScriptInput::default() };
        let text = (script.read)(script.path).ok_or("it cannot be read")?;
        given.modules.insert(script.path.to_owned(), module(script.path, text)?);
        for _ in 0..MAX_CONFIG_RUNS {
            let input = serde_json::to_string(&given).map_err(|error| error.to_string())?;
            let engine = tool::LoadedScript::start(ENGINE).map_err(|failure| failure.to_string())?;
            let output = engine.call(&[&input]).map_err(|failure| failure.to_string())?;
            let answer: ScriptResponse = serde_json::from_str(&output).map_err(|error| error.to_string())?;
            let known = given.resolved.len() + given.files.len() + given.folders.len();
            let is_done =
                answer.need.modules.is_empty() && answer.need.files.is_empty() && answer.need.folders.is_empty();
            if is_done || known > MAX_CONFIG_FILES {
                return answer.failure.map_or(Ok(answer.value), Err);
            }
            provide(&mut given, answer.need, script);
        }
        Err("it reads ever more files".to_owned())
    }
}

/// Adds what a program asked for.
fn provide(given: &mut ScriptInput, need: Need, script: &ConfigScript<'_>) {
    for name in need.modules {
        let read = |path: String| (script.read)(&path).map(|text| (path, text));
        let found = ENDINGS
            .iter()
            .find_map(|ending| read(format!("{name}{ending}")))
            // programs in TypeScript name what they will be compiled to
            .or_else(|| COMPILED.iter().find_map(|(to, from)| read(format!("{}{from}", name.strip_suffix(to)?))));
        // a module that is no program is as good as a package
        let found = found.and_then(|(path, text)| Some((module(&path, text).ok()?, path)));
        given.resolved.insert(name, found.as_ref().map(|(_, path)| path.clone()));
        if let Some((module, path)) = found {
            given.modules.entry(path).or_insert(module);
        }
    }
    for path in need.files {
        let text = (script.read)(&path);
        given.files.insert(path, text);
    }
    for path in need.folders {
        let names = (script.list)(&path);
        given.folders.insert(path, names);
    }
}

fn module(path: &str, text: String) -> Result<ScriptModule, String> {
    if path.ends_with(".json") {
        return Ok(ScriptModule { json: Some(text), ..ScriptModule::default() });
    }
    let compiled = compile::config(&text).map_err(|error| format!("line {}: {}", error.line, error.message))?;
    let imports = compiled.imports.into_iter().map(|import| (import.from, import.exported, import.local)).collect();
    Ok(ScriptModule { code: compiled.guarded, imports, stars: compiled.stars, json: None })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(files: &[(&str, &str)]) -> Result<Value, String> {
        let read = |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
        let list = |folder: &str| {
            let inside: Vec<String> = files
                .iter()
                .filter_map(|(name, _)| name.strip_prefix(folder)?.strip_prefix('/')?.split('/').next())
                .map(str::to_owned)
                .collect();
            (!inside.is_empty()).then_some(inside)
        };
        ConfigEngine.evaluate(&ConfigScript { path: files[0].0, read: &read, list: &list })
    }

    #[track_caller]
    fn check(text: &str, expect: &Value) {
        assert_eq!(run(&[("config.ts", text)]).as_ref(), Ok(expect), "{text}");
    }

    #[test]
    fn programs_give_their_default_export() {
        check("export default { a: 1, b: [true, null], f() {} }", &json!({"a": 1, "b": [true, null]}));
        check("module.exports = { a: 'x' }", &json!({"a": "x"}));
        check("'use strict'; import a from 'a'; module.exports = { a: 'x' }", &json!({"a": "x"}));
        check("const c: { a: number } = { a: 2 }; export default c satisfies object", &json!({"a": 2}));
        check("export default async function () { return { a: await Promise.resolve(3) } }", &json!({"a": 3}));
        check("const a = await Promise.resolve(4); export default { a }", &json!({"a": 4}));
        check(
            "export default { year: new Date().getFullYear(), env: process.env.X || 'none' }",
            &json!({"year": 2026, "env": "none"}),
        );
        check(
            "import { fileURLToPath, URL } from 'node:url'; export default { at: fileURLToPath(new URL('./src', import.meta.url)) }",
            &json!({"at": "/src"}),
        );
    }

    #[test]
    fn packages_are_stubs() {
        check(
            "import { defineConfig } from 'vitepress'; export default defineConfig({ title: 'T' })",
            &json!({"title": "T"}),
        );
        check(
            "import { defineConfig } from 'astro/config'; import starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: 'S', x: () => 1 })] })",
            &json!({"integrations": [{"$call": "starlight", "$from": "@astrojs/starlight", "$with": [{"title": "S"}]}]}),
        );
        check(
            "const lightTheme = require('prism').themes.github; module.exports = { presets: [[require.resolve('@x/preset'), { theme: lightTheme }]] }",
            &json!({"presets": [["@x/preset", {}]]}),
        );
        check(
            "import x from 'x'; for (const y of x.all) {}\nexport default { a: `v${x.b.c()}`, b: +x.d }",
            &json!({"a": "v", "b": null}),
        );
    }

    #[test]
    fn local_modules_and_files_are_read() {
        let files = [
            (
                "docs/.vitepress/config.mts",
                "import { sidebar } from './sidebar'\nimport data from '../data.json'\nimport fs from 'node:fs'\nimport path from 'path'\nconst names = fs.readdirSync(path.join(__dirname, '../guide'))\nexport default { sidebar, version: data.version, names, text: fs.readFileSync(path.resolve(__dirname, 'a.txt'), 'utf8'), none: fs.existsSync('/none') }",
            ),
            ("docs/.vitepress/sidebar.ts", "export * from './more'\nexport const sidebar = [{ text: 'A' }]"),
            ("docs/.vitepress/more.ts", "export const more = 1"),
            ("docs/.vitepress/a.txt", "hello"),
            ("docs/data.json", "{\"version\": \"1.2\"}"),
            ("docs/guide/a.md", ""),
        ];
        assert_eq!(
            run(&files),
            Ok(
                json!({"sidebar": [{"text": "A"}], "version": "1.2", "names": ["a.md"], "text": "hello", "none": false})
            )
        );
        let compiled = [
            (
                "a.ts",
                "import { b } from './b.js'; import c from './c.mjs'; import d from './d/index.js'\nexport default { b, c, d }",
            ),
            ("b.ts", "export const b: number = 1"),
            ("c.mts", "export default 2"),
            ("d/index.tsx", "export default 3"),
        ];
        assert_eq!(run(&compiled), Ok(json!({"b": 1, "c": 2, "d": 3})));
        let common = [
            ("a.js", "const sidebars = require('./sidebars.js'); module.exports = { sidebars }"),
            ("sidebars.js", "module.exports = { docs: ['a'] }"),
        ];
        assert_eq!(run(&common), Ok(json!({"sidebars": {"docs": ["a"]}})));
    }

    #[test]
    fn lengths_without_end_are_refused() {
        for call in [
            "String.raw({ raw: { length: 2 ** 53 } })",
            "new Array(2 ** 32 - 1).concat([])",
            "[1].flatMap(() => new Array(2 ** 32 - 1))",
            "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
        ] {
            let text = format!("let a; try {{ {call} }} catch (error) {{ a = error.name }} export default {{ a }}");
            check(&text, &json!({"a": "RangeError"}));
        }
    }

    #[test]
    fn what_cannot_be_run_is_told() {
        assert!(run(&[("config.ts", "export default {")]).is_err());
        for text in ["throw new Error('no')", "export const a = 1", "export default none.such"] {
            assert!(run(&[("config.ts", text)]).is_err(), "{text}");
        }
        let endless = [
            "for (;;) {}",
            "for (;;) { try { for (;;); } catch {} }",
            "let a = 'x'; for (;;) a += a",
            "await 0; for (;;) {}",
        ];
        for text in endless {
            let why = run(&[("config.ts", text)]).expect_err(text);
            assert!(why.contains("too long"), "{text}: {why}");
        }
    }
}
