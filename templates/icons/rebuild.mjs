// Packs the three icon libraries into the blobs beside this file. Run it after changing a version below:
//
//     npm install --no-save --ignore-scripts lucide-static@1.62.0 @fortawesome/fontawesome-free@7.3.1 @tabler/icons@3.51.0
//     node templates/icons/rebuild.mjs node_modules
//
// A blob is zlib over lines sorted bytewise, one per name and style:
//
//     name TAB style TAB width height TAB inner markup     (width and height left out where they are 24 24)
//     name TAB style TAB =other                            (another name of the same drawing)
//
// Styles: `o` outline, `f` filled (Lucide, Tabler); `s` solid, `r` regular, `b` brands (Font Awesome).
// Outlines are drawn by strokes of width 2 with round caps and joins, all others are filled; colors come from the page.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const modules = process.argv[2] ?? 'node_modules';

/** The inside of an SVG file on one line, without comments, and what its viewBox says. */
function strip(file) {
  const text = readFileSync(file, 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  const [, attributes, inner] = text.match(/<svg([^>]*)>([\s\S]*)<\/svg>/);
  const [, left, top, width, height] = attributes.match(/viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"/);
  if (left !== '0' || top !== '0') throw new Error(`${file}: the viewBox does not start at 0 0`);
  const markup = inner
    .replace(/\s+/g, ' ')
    .replace(/<path stroke="none" d="M0 0h24v24H0z" fill="none" ?\/>/, '')
    .replace(/ ?\/>/g, '/>')
    .replace(/> </g, '><')
    .trim();
  if (/[\t\n]|<script|\bon\w+=|\bid=|href/.test(markup)) throw new Error(`${file}: unexpected markup`);
  return { box: `${width} ${height}` === '24 24' ? '' : `${width} ${height}`, markup };
}

/** Lines of one folder and style. Drawings with several names are kept under the first that `preferred` names, else the first. */
function folder(path, style, preferred, edit = (markup) => markup) {
  const byDrawing = new Map();
  for (const file of readdirSync(path).sort()) {
    if (!file.endsWith('.svg')) continue;
    const { box, markup } = strip(join(path, file));
    const body = `${box}\t${edit(markup)}`;
    byDrawing.set(body, [...(byDrawing.get(body) ?? []), file.slice(0, -4)]);
  }
  const lines = [];
  for (const [body, names] of byDrawing) {
    const main = names.find((name) => preferred.has(name)) ?? names[0];
    for (const name of names) lines.push(`${name}\t${style}\t${name === main ? body : `=${main}`}`);
  }
  return lines;
}

/** Names of Font Awesome 4, from its own table: `old:` with indented `prefix:` and `name:`. */
function shims(path, known) {
  const lines = [];
  const style = { far: 'r', fab: 'b' };
  for (const entry of readFileSync(path, 'utf8').split(/\n(?=\S)/)) {
    const old = entry.match(/^['"]?([\w-]+)['"]?:/)?.[1];
    const kind = style[entry.match(/^ +prefix: (\w+)/m)?.[1]] ?? 's';
    const name = entry.match(/^ +name: ['"]?([\w-]+)/m)?.[1] ?? old;
    if (old && name !== old && known.has(`${name}\t${kind}`) && !known.has(`${old}\t${kind}`)) {
      lines.push(`${old}\t${kind}\t=${name}`);
    }
  }
  return lines;
}

function write(name, lines) {
  const text = lines.map((line) => Buffer.from(`${line}\n`)).sort(Buffer.compare);
  const blob = deflateSync(Buffer.concat(text), { level: 9, memLevel: 9 });
  writeFileSync(join(here, `${name}.bin`), blob);
  console.log(`${name}: ${lines.length} names, ${Buffer.concat(text).length} bytes, ${blob.length} packed`);
}

const lucide = join(modules, 'lucide-static');
write('lucide', folder(join(lucide, 'icons'), 'o', new Set()));

const awesome = join(modules, '@fortawesome/fontawesome-free');
const current = new Set(Object.keys(JSON.parse(readFileSync(join(awesome, 'metadata/icon-families.json'), 'utf8'))));
const unfill = (markup) => markup.replaceAll(' fill="currentColor"', '');
const drawn = [['solid', 's'], ['regular', 'r'], ['brands', 'b']].flatMap(([path, style]) =>
  folder(join(awesome, 'svgs', path), style, current, unfill));
const known = new Set(drawn.map((line) => line.split('\t', 2).join('\t')));
write('fontawesome', [...drawn, ...shims(join(awesome, 'metadata/shims.yml'), known)]);

const tabler = join(modules, '@tabler/icons/icons');
write('tabler', [
  ...folder(join(tabler, 'outline'), 'o', new Set()),
  ...folder(join(tabler, 'filled'), 'f', new Set()),
]);
