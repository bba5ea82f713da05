// Makes the scripts beside this file from the packages that package.json pins. Run it after changing a version or an entry:
//
//     npm ci --ignore-scripts && node rebuild.mjs
//
// Each is one classic script: what it offers is a property of `globalThis`. Equal packages give equal bytes.

import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, 'node_modules');

/** The files of `entry/`, by the name of what is made of them; `with` what esbuild needs to know beside the usual. */
const ENTRIES = [
  { name: 'katex', with: { plugins: [katexSources()], define: { __VERSION__: '""' } } },
  { name: 'islands', with: {} },
  { name: 'tailwind', with: { loader: { '.css': 'text' } } },
];

/**
 * KaTeX from its sources: the package itself would bring the half that draws HTML, with the measures of its fonts. mhchem needs of the
 * package only the function that defines a macro.
 */
function katexSources() {
  const root = join(modules, 'katex');
  const left = /katex\/src\/(svgGeometry|buildHTML)\.[jt]s$/;
  const measures = /katex\/src\/fontMetricsData\.js$/;
  return {
    name: 'katex-sources',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^katex\/(src|contrib)\// }, ({ path }) => {
        const file = join(root, path.slice('katex/'.length));
        return { path: ['.ts', '.js'].map((end) => file + end).find((name) => statSync(name, { throwIfNoEntry: false })) };
      });
      onResolve({ filter: /^katex$/ }, () => ({ path: 'katex', namespace: 'shim' }));
      onLoad({ filter: /.*/, namespace: 'shim' }, () => ({
        contents: "import defineMacro from 'katex/src/defineMacro'; export default { __defineMacro: defineMacro };",
        resolveDir: here,
      }));
      onLoad({ filter: measures }, async ({ path }) => ({ contents: glyphs((await import(path)).default) }));
      onLoad({ filter: left }, ({ path }) => ({ contents: nothing(readFileSync(path, 'utf8')), loader: 'js' }));
    },
  };
}

/** Which characters a font has, without their measures: MathML needs no more. Runs of characters are written as `first-last`, in base 36. */
function glyphs(fonts) {
  const runs = (codes) => {
    const all = [];
    for (const code of codes.map(Number).sort((a, b) => a - b)) {
      if (all.at(-1)?.[1] === code - 1) all.at(-1)[1] = code;
      else all.push([code, code]);
    }
    return all.map((run) => [...new Set(run)].map((code) => code.toString(36)).join('-')).join(' ');
  };
  const table = Object.fromEntries(Object.entries(fonts).map(([font, glyphs]) => [font, runs(Object.keys(glyphs))]));
  return `
    const fonts = ${JSON.stringify(table)}, glyph = [0, 0.7, 0, 0, 0.5];
    for (const font in fonts) {
      const glyphs = {};
      for (const run of fonts[font].split(' ')) {
        const [first, last = first] = run.split('-').map((code) => parseInt(code, 36));
        for (let code = first; code <= last; code++) glyphs[code] = glyph;
      }
      fonts[font] = glyphs;
    }
    export default fonts;`;
}

/** A module with the same exports, all undefined. */
function nothing(source) {
  const names = [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => `export const ${name} = undefined;`);
  return [...names, 'export default {};'].join('\n');
}

for (const entry of ENTRIES) {
  const outfile = join(here, `${entry.name}.js`);
  await build({
    entryPoints: [join(here, 'entry', `${entry.name}.js`)],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    ...entry.with,
  });
  console.log(`${entry.name}: ${statSync(outfile).size} bytes`);
}
