// Tailwind's core as the export uses it: class names in, their style sheet out (see utilities.css).
import { compile } from 'tailwindcss';
import theme from 'tailwindcss/theme.css';
import utilities from 'tailwindcss/utilities.css';
import sheet from './utilities.css';

const SHEETS = { 'tailwindcss/theme.css': theme, 'tailwindcss/utilities.css': utilities };

let compiler;

/** The style sheet of class names, one per line. What is no utility is left out. Without names all is made ready for them. */
globalThis.tailwind = async (candidates) => {
  compiler ??= await compile(sheet, { base: '', loadStylesheet: async (id) => ({ path: id, base: '', content: SHEETS[id] }) });
  if (!candidates) return '';
  const names = new Map();
  for (const name of candidates.split('\n')) {
    const plain = unprefixed(name);
    names.set(plain, [...(names.get(plain) ?? []), name]);
  }
  const css = compiler.build([...names.keys()]);
  const renamed = [...names].filter(([plain, written]) => written.some((name) => name !== plain));
  return renamed.length ? withPrefixed(css, new Map(renamed)) : css;
};

/** Older documents write `mint-flex` for `flex`, `dark:mint-hidden` for `dark:hidden`. */
function unprefixed(name) {
  if (!name.includes('mint-')) return name;
  return name.replace(/(^|:)(!?-?)mint-(?=[a-z[-])/, '$1$2').replace(/(^|:)group-(hover|focus):/, '$1mint-group-$2:');
}

/** Gives rules the names that were written, where these are others. */
function withPrefixed(css, names) {
  const selector = (name) => '.' + name.replace(/[^\w-]/g, '\\$&').replace(/^\d/, (digit) => `\\${digit.charCodeAt(0).toString(16)} `);
  const name = (selector) => selector.replace(/\\(?:([0-9a-f]{1,6}) ?|(.))/g, (_, code, plain) => plain ?? String.fromCodePoint(parseInt(code, 16)));
  return css.replace(/^.* \{$/gm, (line) =>
    line.replace(/\.((?:\\(?:[0-9a-f]{1,6} ?|.)|[\w-])+)/g, (plain, escaped) => {
      const written = names.get(name(escaped))?.map(selector) ?? [plain];
      return written.length === 1 ? written[0] : `:is(${written.join(', ')})`;
    }),
  );
}
