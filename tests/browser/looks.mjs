// What a designer measures: paper, room, places, widths, in every family of themes.
import { address, reader, tab } from './browser.mjs';

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'luma', 'sequoia'];

/** Opens a page and gives it to `act`, which says what is wrong with `expect`. */
const on = (site, fixture, file, options, act) => async (browser) => {
  const { folder } = site(fixture);
  const context = await reader(browser, options);
  const { page, trouble } = await tab(context);
  const open = (other) => page.goto(`${address(folder, '.')}/${other}`, { waitUntil: 'load' });
  await open(file);
  const wrong = [];
  const expect = (fact, words) => { if (!fact) wrong.push(words); };
  await act({ page, open, expect });
  await context.close();
  return [...wrong, ...trouble];
};

/** Sheets of a PDF, as Chromium writes it. */
const sheets = (pdf) => (pdf.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length;

function paper(test, site) {
  for (const theme of THEMES) {
    test(`${theme}: paper holds the content alone, from the first sheet on`, on(site, `docs@${theme}`, 'format/code.html', { width: 1440 }, async ({ page, expect }) => {
      const count = sheets(await page.pdf({ format: 'A4' }));
      expect(count > 0 && count <= 6, `${count} sheets`);
      await page.emulateMedia({ media: 'print' });
      const found = await page.evaluate(() => {
        const title = document.getElementById('page-title').getBoundingClientRect();
        const shown = [...document.querySelectorAll('body > *, .op-layout > *')].filter((part) => part.checkVisibility() && part.getBoundingClientRect().height > 0);
        const edges = ['.op-layout', '[data-content-area], #content-area', 'main'].flatMap((part) => {
          const style = getComputedStyle(document.querySelector(part));
          return [style.borderInlineStartWidth, style.borderBlockStartWidth, style.paddingInlineStart, style.marginBlockStart].filter((width) => parseFloat(width) > 0).map((width) => `${part} ${width}`);
        });
        const loose = [...document.querySelectorAll('main .code-header')].filter((title) => getComputedStyle(title).breakAfter !== 'avoid' || getComputedStyle(title.parentElement).breakInside !== 'avoid');
        return { top: title.top + scrollY, shown: shown.map((part) => part.id || part.className), edges, loose: loose.length };
      });
      expect(found.top < 120, `the title stands ${found.top} px below the top`);
      expect(found.shown.join() === 'op-layout,content-area' || found.shown.length === 2, `printed: ${found.shown}`);
      expect(!found.edges.length, `room or rules of the screen: ${found.edges}`);
      expect(!found.loose, `${found.loose} titles of code may stand alone at the end of a sheet`);
    }));
  }
}

export function looks(test, site) {
  paper(test, site);
}
