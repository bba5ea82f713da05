// Packs TextMate grammars and themes into `grammars.bin`, `themes.bin` and `THIRD_PARTY.txt`. How to run it: README.md here.
import { deflateSync } from 'node:zlib';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const packages = resolve(process.argv[2] ?? '.', 'node_modules');
const grammarFolder = join(packages, 'tm-grammars');
const themeFolder = join(packages, 'tm-themes');
const { grammars, injections } = await import(pathToFileURL(join(grammarFolder, 'index.js')));
const { themes } = await import(pathToFileURL(join(themeFolder, 'index.js')));

// Licenses that may be shipped. Everything else (GPL, MPL, none, unclear) stays out.
const PERMISSIVE = new Set(['MIT', 'Apache-2.0', 'BSD-3-Clause', 'ISC']);
// The package has no license for these; it was read at their source.
const TEXTMATE = `Permission to copy, use, modify, sell and distribute this
software is granted. This software is provided "as is" without
express or implied warranty, and with no claim as to its
suitability for any purpose.
`;
const ESTABLISHED = {
  toml: ['https://github.com/textmate/toml.tmbundle#license', 'TextMate bundle licence', TEXTMATE],
  yaml: ['https://github.com/textmate/yaml.tmbundle/blob/master/Syntaxes/YAML-license.txt', 'MIT', `Copyright (c) 2015 FichteFoll <fichtefoll2@googlemail.com>

${mitText()}`],
  kusto: ['https://github.com/rosshamish/kuskus/blob/master/kusto-syntax-highlighting/package.json', 'Apache-2.0', null],
};
// Large and hardly ever in documentation, or no use without a grammar that cannot be shipped.
const LEFT_OUT = new Set(['ahk', 'emacs-lisp', 'vue-vine', 'blade', 'hack', 'markdown-nix', 'markdown-vue', 'es-tag-css', 'es-tag-glsl', 'es-tag-html', 'es-tag-sql', 'es-tag-xml']);

const shipped = [...grammars, ...injections]
  .filter((g) => (PERMISSIVE.has(g.license) || g.name in ESTABLISHED) && !LEFT_OUT.has(g.name))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

// Index columns: id, scope, label, aliases, languages that it is injected into.
pack('grammars.bin', shipped.map((g) => {
  const grammar = JSON.parse(readFileSync(join(grammarFolder, 'grammars', `${g.name}.json`), 'utf8'));
  return [[g.name, grammar.scopeName, g.displayName ?? '', (g.aliases ?? []).join(' '), (g.injectTo ? g.embeddedIn ?? [] : []).join(' ')], lean(grammar)];
}));

// Index columns: id, `dark` or `light`, ink, ground. Body: [[selectors, color, font style] …].
const packed = themes.filter((t) => PERMISSIVE.has(t.license)).sort((a, b) => (a.name < b.name ? -1 : 1)).map((t) => {
  const theme = JSON.parse(readFileSync(join(themeFolder, 'themes', `${t.name}.json`), 'utf8'));
  const all = theme.tokenColors ?? theme.settings ?? [];
  const base = all.find((rule) => !rule.scope)?.settings ?? {};
  const ink = theme.fg ?? base.foreground ?? theme.colors?.['editor.foreground'] ?? (t.type === 'dark' ? '#bbbbbb' : '#333333');
  const ground = theme.bg ?? base.background ?? theme.colors?.['editor.background'] ?? (t.type === 'dark' ? '#1e1e1e' : '#ffffff');
  const rules = all.filter((rule) => rule.scope && rule.settings && (rule.settings.foreground || rule.settings.fontStyle !== undefined))
    .map((rule) => [[rule.scope].flat().flatMap((scope) => scope.split(',')).map((scope) => scope.trim()).filter(Boolean), rule.settings.foreground ?? null, rule.settings.fontStyle ?? null]);
  return [[t.name, t.type === 'dark' ? 'dark' : 'light', ink, ground], rules];
});
pack('themes.bin', packed);

writeFileSync('THIRD_PARTY.txt', notices());
console.log(`${shipped.length} grammars, ${packed.length} themes`);

/** u32 length of the index; the index, a line per entry: tab-separated columns, offset and length of its body; the bodies, zlib over JSON. */
function pack(file, entries) {
  let offset = 0;
  const bodies = entries.map(([, value]) => deflateSync(JSON.stringify(value), { level: 9 }));
  const index = Buffer.from(entries.map(([columns], at) => [...columns, (offset += bodies[at].length) - bodies[at].length, bodies[at].length].join('\t') + '\n').join(''));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(index.length);
  writeFileSync(file, Buffer.concat([size, index, ...bodies]));
}

/** What the tokenizer never reads goes. */
function lean(value) {
  if (Array.isArray(value)) return value.map(lean);
  if (!value || typeof value !== 'object') return value;
  const out = {};
  for (const [key, inner] of Object.entries(value)) {
    if (['comment', 'displayName', 'firstLineMatch', 'foldingStartMarker', 'foldingStopMarker', 'fileTypes', 'uuid', 'version', 'information_for_contributors', 'keyEquivalent', 'author', 'disabled'].includes(key) && typeof inner !== 'object') continue;
    if (['fileTypes', 'information_for_contributors'].includes(key)) continue;
    out[key] = lean(inner);
  }
  return out;
}

/** License texts, each once, with everything that comes under it. MIT's differ by their copyright lines and line breaks only. */
function notices() {
  const bare = (text) => text.replace(/\s+/g, ' ').trim();
  const permission = bare(mitText());
  const texts = new Map();
  const add = (what, spdx, source, text) => {
    const body = text.replace(/\r/g, '').replace(/[ \t]+$/gm, '').trim();
    const at = body.search(/Permission is\s+hereby\s+granted, free of charge/);
    const isMit = at >= 0 && bare(body.slice(at)).replace(/[“”]/g, '"') === permission;
    const owners = isMit ? bare(body.slice(0, at).replace(/(The )?MIT License( \(MIT\))?/i, '')) : '';
    const key = isMit ? permission : bare(body);
    if (!texts.has(key)) texts.set(key, { body: isMit ? mitText().trim() : body, users: [] });
    texts.get(key).users.push(`${what} (${spdx}; ${source})${owners && `\n    ${owners}`}`);
  };
  let apache = null;
  for (const [kind, folder, names] of [['grammar', grammarFolder, new Set(shipped.map((g) => g.name))], ['theme', themeFolder, new Set(packed.map(([[name]]) => name))]]) {
    const seen = new Set();
    for (const part of readFileSync(join(folder, 'NOTICE'), 'utf8').split(/^={20,}$/m).slice(1)) {
      const [, files, source, spdx] = /Files:\s+(.*(?:\n\s+.*)*?)\nLicense:\s+(.*)\nSPDX:\s+(.*)\n/.exec(part) ?? [];
      if (!files) continue;
      const ids = files.split(/[\s,]+/).map((file) => file.replace(/\.json$/, '')).filter((id) => names.has(id));
      const text = part.slice(part.indexOf('\n', part.indexOf('-----')) + 1);
      if (spdx === 'Apache-2.0' && text.includes('END OF TERMS AND CONDITIONS')) apache ??= text;
      if (!ids.length) continue;
      ids.forEach((id) => seen.add(id));
      add(`${kind} ${ids.join(', ')}`, spdx, source, text);
    }
    for (const id of names) {
      if (seen.has(id)) continue;
      const known = kind === 'grammar' && ESTABLISHED[id];
      if (!known) throw new Error(`no notice for ${kind} ${id}`);
      add(`${kind} ${id}`, known[1], known[0], known[2] ?? apache);
    }
  }
  const rule = '='.repeat(100);
  return `Grammars and themes for syntax highlighting come from the projects below, by way of the npm packages tm-grammars and tm-themes\n(MIT, Copyright (c) 2021 Pine Wu, Copyright (c) 2023 Anthony Fu). Their rules are unchanged.\n\n`
    + [...texts.values()].map(({ body, users }) => `${rule}\n${users.join('\n')}\n${'-'.repeat(100)}\n${body}\n\n`).join('');
}

function mitText() {
  return `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
}
