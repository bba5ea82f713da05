// Authors' style sheets: what they change is what their authors wrote.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, reader, sideways, tab } from './browser.mjs';

const CORPORA = process.env.OFFPRINT_CORPORA ?? fileURLToPath(new URL('../../../shared/corpora', import.meta.url));

const TEXT = `Text with \`code\`, **weight** and a [link](/guides/second).

- one
  - two
    - three

1. first
   1. second

| A | B |
|---|---|
| a | b |

## Heading

### Below

#### Deeper

\`\`\`js file.js
const a = 1;
\`\`\`

<Card title="Card" icon="star" href="/guides/second">Text of a card</Card>

<Steps><Step title="A step">Text</Step></Steps>

<Note>A note</Note>

![Picture](/picture.svg) in a line.
`;

const PAGES = {
  index: TEXT,
  'guides/second': `${TEXT}\n<Panel>Beside the text</Panel>`,
};

const NAVIGATION = { tabs: [{ tab: 'Guides', groups: [{ group: 'Start', pages: ['index'] }, { group: 'More', pages: ['guides/second'] }] }, { tab: 'Site', href: 'https://example.org' }] };

/** Exports the site with style sheets of an author. */
function made(bin, work, name, sheets, theme = 'mint') {
  const source = path.join(work, `styles-source-${name}`);
  const folder = path.join(work, `styles-${name}`);
  mkdirSync(path.join(source, 'guides'), { recursive: true });
  const config = { theme, name: 'Styles', colors: { primary: '#0F766E' }, banner: { content: 'News' }, footer: { links: [{ header: 'More', items: [{ label: 'Site', href: 'https://example.org' }] }] }, navigation: NAVIGATION };
  writeFileSync(path.join(source, 'docs.json'), JSON.stringify(config));
  writeFileSync(path.join(source, 'picture.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>');
  for (const [file, body] of Object.entries(PAGES)) writeFileSync(path.join(source, `${file}.mdx`), `---\ntitle: "Page ${file.length}"\ndescription: "About it"\n---\n\n${body}`);
  sheets.forEach((css, at) => writeFileSync(path.join(source, `sheet-${at}.css`), css));
  execFileSync(bin, ['export', source, '-o', folder, '--format', 'dir', '--offline', '--progress', 'none'], { stdio: ['ignore', 'ignore', 'pipe'] });
  rmSync(source, { recursive: true });
  return folder;
}

/** What readers see of a page that an author's sheet is not meant for. */
const measure = () => {
  const style = (element) => getComputedStyle(element);
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const out = {};
  out['width of the text'] = Math.round(box('.mdx-content').width);
  out['list markers'] = [...document.querySelectorAll('.mdx-content li')].map((item) => style(item).listStyleType).join();
  out['indent of lists'] = [...document.querySelectorAll('.mdx-content :is(ul, ol)')].map((list) => Math.round(parseFloat(style(list).paddingInlineStart))).join();
  out['fonts of code'] = [...document.querySelectorAll('.mdx-content code')].map((code) => style(code).fontFamily.split(',')[0]).join();
  out['sizes of headings'] = [...document.querySelectorAll('main :is(h1, h2, h3)')].map((heading) => `${style(heading).fontSize} ${style(heading).fontWeight}`).join();
  out['pictures in lines'] = [...document.querySelectorAll('.mdx-content p > img, .mdx-content svg.icon')].map((picture) => style(picture).display).join();
  const parts = { banner: '#banner', bar: '#header', search: '#search-bar-entry', tabs: '#tabs', tree: '#sidebar', title: '#page-title', contents: '#table-of-contents', beside: '.op-aside', pager: '#pagination', foot: '#footer' };
  out['visible parts'] = Object.entries(parts).filter(([, selector]) => document.querySelector(selector)?.checkVisibility() && box(selector).height > 0).map(([name]) => name).join();
  return out;
};

const RESET = `*, ::before, ::after { box-sizing: border-box; margin: 0; padding: 0; border: 0 solid; }
ol, ul, menu { list-style: none; }
h1, h2, h3, h4 { font-size: inherit; font-weight: inherit; }
code, pre { font-family: serif; font-size: 1em; }
a { color: inherit; text-decoration: inherit; }
img, svg, video { display: block; vertical-align: middle; }
body { background: black; color: white; font-family: serif; }`;

/** Kinds of sheets, and what each is meant to change. */
const KINDS = [
  ['a reset in the layer of a library', [`@layer theme, base, components, utilities;\n@layer base { ${RESET} }`], []],
  ['a reset in a layer of its own name', [`@layer reset { ${RESET} }`], []],
  ['layers of several sheets', [`@layer base { ${RESET} }`, '@layer components { .widget { list-style: none } }\n@layer utilities { .hidden-x { display: none } }', '@layer properties { * { --x: 1 } }'], []],
  ['rules for parts of an author\'s own', ['.recipe ul { list-style: none } .recipe code { font-family: serif } #v2-banner { display: none } .container { max-width: 10px }'], []],
  ['rules that mean the page', ['.mdx-content ul { list-style: square } .mdx-content code { font-family: serif } #pagination { display: none }'], ['list markers', 'fonts of code', 'visible parts']],
];

export function styles(test, { bin, work }) {
  const open = async (browser, folder, file, width, act) => {
    const context = await reader(browser, { width, height: 900 });
    const { page, trouble } = await tab(context);
    await page.goto(address(folder, file), { waitUntil: 'load' });
    const result = await act(page);
    await context.close();
    return { result, trouble };
  };
  const plain = {};
  const folders = {};
  const measured = async (browser, name, sheets, theme) => {
    folders[name] ??= made(bin, work, name, sheets, theme);
    const out = {};
    for (const file of ['index.html', 'guides/second.html']) {
      for (const width of [1440, 390]) out[`${file} ${width}`] = (await open(browser, folders[name], file, width, (page) => page.evaluate(measure))).result;
    }
    return out;
  };
  /** What differs from the page without the sheets, by the kind of measure. */
  const changes = async (browser, name, sheets) => {
    plain.of ??= await measured(browser, 'plain', []);
    const with_ = await measured(browser, name, sheets);
    const out = {};
    for (const [place, before] of Object.entries(plain.of)) {
      for (const [kind, value] of Object.entries(before)) if (with_[place][kind] !== value) out[kind] ??= `${place}: ${value} became ${with_[place][kind]}`;
    }
    return out;
  };

  KINDS.forEach(([name, sheets, meant], at) => test(`authors' sheets: ${name}`, async (browser) => {
    const found = await changes(browser, `kind-${at}`, sheets);
    return [
      ...Object.entries(found).filter(([kind]) => !meant.includes(kind)).map(([kind, words]) => `${kind}: ${words}`),
      ...meant.filter((kind) => !(kind in found)).map((kind) => `${kind}: as before`),
    ];
  }));

  // what the authors of real sites wrote for parts that are there: everything else is as without their sheets
  const WRITTEN = {
    auth0: ['sizes of headings', 'indent of lists'],
  };
  if (existsSync(CORPORA)) {
    for (const archive of readdirSync(CORPORA).filter((file) => file.endsWith('.tar.xz')).sort()) {
      const name = archive.replace('.tar.xz', '');
      test(`authors' sheets: those of ${name}`, async (browser) => {
        const folder = path.join(work, `sheets-${name}`);
        mkdirSync(folder);
        // it fails for an archive without a style sheet
        try { execFileSync('tar', ['-xJf', path.join(CORPORA, archive), '-C', folder, '--wildcards', '*.css'], { stdio: 'ignore' }); } catch { return []; }
        const sheets = readdirSync(folder, { recursive: true }).map(String).filter((file) => file.endsWith('.css')).sort();
        const found = await changes(browser, `corpus-${name}`, sheets.map((file) => readFileSync(path.join(folder, file), 'utf8')));
        const meant = WRITTEN[name] ?? [];
        return Object.entries(found).filter(([kind]) => !meant.includes(kind)).map(([kind, words]) => `${kind}: ${words}`);
      });
    }
  }

  for (const theme of ['mint', 'maple', 'luma', 'aspen', 'almond']) {
    test(`${theme}: the column of the text is as wide as its author says, and what stands beside it stays there`, async (browser) => {
      const folder = made(bin, work, `column-${theme}`, ['#content-area { max-width: 44rem }'], theme);
      const wrong = [];
      for (const file of ['index.html', 'guides/second.html']) {
        for (const width of [1440, 1280, 1024, 390]) {
          const { result } = await open(browser, folder, file, width, async (page) => ({
            wide: await sideways(page),
            ...(await page.evaluate(() => {
              const box = (selector) => { const part = document.querySelector(selector); return part?.checkVisibility() ? part.getBoundingClientRect().toJSON() : undefined; };
              return { text: box('.mdx-content'), area: box('#content-area'), title: box('#page-title'), pager: box('#pagination'), beside: box('#table-of-contents, .op-aside') };
            })),
          }));
          const { text, area, title, pager, beside, wide } = result;
          const place = `${file} at ${width} px`;
          wrong.push(...wide.map((line) => `${place}: ${line}`));
          const least = width === 390 ? 340 : file === 'index.html' ? (width === 1440 ? 640 : 560) : width === 1440 ? 520 : 460;
          if (text.width < least) wrong.push(`${place}: ${text.width} px of text`);
          if (area.width > 705) wrong.push(`${place}: the column is ${area.width} px wide`);
          for (const [name, part] of Object.entries({ text, title, pager })) if (part.left < area.left - 1 || part.right > area.right + 1) wrong.push(`${place}: ${name} stands outside of the column`);
          const isBeside = width > 1180 && theme !== 'almond';
          if (isBeside && beside.left < area.right) wrong.push(`${place}: what is beside the column begins ${area.right - beside.left} px in it`);
          if (isBeside && beside.right > width - 8) wrong.push(`${place}: what is beside the column ends ${beside.right - width} px outside`);
        }
      }
      return wrong;
    });
  }

  test("authors' sheets: names of classes are those of the platform, or say nothing that others select by", async (browser) => {
    folders.plain ??= made(bin, work, 'plain', []);
    const STABLE = ['card', 'card-group', 'sidebar-group', 'sidebar-title', 'mdx-content', 'directory-card', 'not-found-container', 'nav-logo', 'navbar-link', 'nav-tabs', 'nav-tabs-item'];
    const { result } = await open(browser, folders.plain, 'guides/second.html', 1440, (page) => page.evaluate((stable) => {
      const words = /header|sidebar|card|footer|nav|content|container|wrapper|banner|button/;
      return [...new Set([...document.querySelectorAll('[class]')].flatMap((element) => [...element.classList]))].filter((name) => words.test(name) && !stable.includes(name));
    }, STABLE));
    return result.map((name) => `a class is called ${name}`);
  });

  test("authors' sheets: names of hosted documentation are found", async (browser) => {
    // each hook, and an element of the theme that is meant
    const HOOKS = {
      '.nav-tabs': '#tabs > ul', '.nav-tabs-item[data-active]': '#tabs [aria-current]', '.nav-logo': '.op-logo', '.topbar-right-container': '[data-component-name=theme-toggle]',
      '#body-content': 'main', '#table-of-contents-content': '.toc-list', '#table-of-contents li[data-depth="0"]': '.toc-item', 'li[data-depth="2"]': '.toc ul ul ul .toc-item',
      '#sidebar-content li[data-active]': '#sidebar [aria-current]', 'sidebar-group[data-active]': '#sidebar [aria-current]', '.sidebar-group-header': '.sidebar-title',
      '.link': '.mdx-content p > a', card: '.card', '[data-component-part="card-title"]': '.box-title', "[data-component-part='step-title']": '.step-title', callout: '.callout',
      '.code-block-copy-button': '.code-block [data-copy]', '[data-component-part=code-block-header]': '.code-title', '.pagination-title': '#pagination span', '.advanced-footer': '.op-foot-columns',
    };
    const sheet = Object.keys(HOOKS).map((hook, at) => `${hook} { --hook-${at}: found }`).join('\n');
    const folder = made(bin, work, 'hooks', [sheet]);
    const { result } = await open(browser, folder, 'index.html', 1440, (page) => page.evaluate((hooks) => Object.entries(hooks).filter(([, part], at) => {
      const element = document.querySelector(part);
      // a logo of words has no picture
      return element && !part.startsWith('.op-logo') && getComputedStyle(element).getPropertyValue(`--hook-${at}`) !== 'found';
    }).map(([hook, part]) => `${hook} does not mean ${part}`).concat(Object.values(hooks).filter((part) => !document.querySelector(part)).map((part) => `there is no ${part}`)), HOOKS));
    return result;
  });

  test("authors' sheets: variables of hosted documentation are there, and can be set", async (browser) => {
    const grays = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950].map((step) => `gray-${step}`);
    const channels = [...grays, 'primary', 'primary-light', 'primary-dark', 'background-light', 'background-dark'];
    folders.plain ??= made(bin, work, 'plain', []);
    const { result: missing } = await open(browser, folders.plain, 'index.html', 1440, (page) => page.evaluate((names) => names.filter((name) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.cssText = `color: rgb(1 2 3); color: rgb(var(--${name}) / 50%)`;
      const color = getComputedStyle(probe).color;
      probe.remove();
      return !/^rgba\(\d+, \d+, \d+, 0\.5\)$/.test(color);
    }).concat(['font-inter', 'font-jetbrains-mono'].filter((name) => !getComputedStyle(document.documentElement).getPropertyValue(`--${name}`))), channels));
    const folder = made(bin, work, 'variables', [':root { --background-light: 250 240 230; --background-dark: 9 8 7; --font-inter: Georgia, serif; --font-jetbrains-mono: "Courier New", monospace }']);
    const { result: set } = await open(browser, folder, 'index.html', 1440, (page) => page.evaluate(() => {
      const now = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
      const light = now('html', 'backgroundColor');
      document.documentElement.classList.add('dark');
      return [light, now('html', 'backgroundColor'), now('.mdx-content p', 'fontFamily'), now('.mdx-content p code', 'fontFamily')];
    }));
    const expect = ['rgb(250, 240, 230)', 'rgb(9, 8, 7)', 'Georgia, serif', '"Courier New", monospace'];
    return [...missing.map((name) => `--${name} is not there`), ...set.filter((value, at) => value !== expect[at]).map((value) => `${value} is not what was set`)];
  });
}
