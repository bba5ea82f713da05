// What a designer measures: paper, room, places, widths, in every family of themes.
import { address, onPage as on, reader, tab } from './browser.mjs';

const THEMES = ['mint', 'maple', 'palm', 'willow', 'linden', 'almond', 'aspen', 'luma', 'sequoia'];

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
        const loose = [...document.querySelectorAll('main .code-head')].filter((title) => getComputedStyle(title).breakAfter !== 'avoid' || getComputedStyle(title.nextElementSibling).orphans < 5);
        return { top: title.top + scrollY, shown: shown.map((part) => part.id || part.className), edges, loose: loose.length };
      });
      expect(found.top < 120, `the title stands ${found.top} px below the top`);
      expect(found.shown.join() === 'op-layout,content-area' || found.shown.length === 2, `printed: ${found.shown}`);
      expect(!found.edges.length, `room or rules of the screen: ${found.edges}`);
      expect(!found.loose, `${found.loose} titles of code may stand alone at the end of a sheet`);
    }));
  }

  test('paper shows the icons of callouts, trees and breadcrumbs', on(site, 'docs', 'quickstart.html', { width: 1440 }, async ({ page, expect }) => {
    await page.emulateMedia({ media: 'print' });
    const left = await page.evaluate(() => [['.callout', '::before'], ['.tree-name', '::after'], ['.breadcrumb-list li:last-child', '::before']].filter(([selector, part]) => {
      const style = getComputedStyle(document.querySelector(`main ${selector}`), part);
      return style.maskImage === 'none' || style.printColorAdjust !== 'exact';
    }));
    expect(!left.length, `browsers leave out the ground of ${left.join(' and ')}`);
  }));
}

/** How far the middle of the search field is from that of the bar, where both sides have room. */
const offCentre = () => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const middle = ({ left, right }) => (left + right) / 2;
  return Math.abs(middle(box('.search-entry')) - middle(box('.op-bar-row')));
};

function bar(test, site) {
  for (const [fixture, width] of [['docs@mint', 1440], ['docs@mint', 1280], ['docs@luma', 1024], ['docs@sequoia', 1440], ['families/content@almond', 1280], ['families/content@willow', 1024]]) {
    test(`${fixture}: the search field stands in the middle of the bar at ${width} px`, on(site, fixture, 'index.html', { width }, async ({ page, expect }) => {
      const off = await page.evaluate(offCentre);
      expect(off <= 8, `${off} px from the middle`);
      const [line, hairline] = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('i'));
        probe.style.color = 'var(--op-line)';
        return [getComputedStyle(document.querySelector('.search-entry')).borderTopColor, getComputedStyle(probe).color];
      });
      expect(line === hairline, `its edge is ${line}, not the hairline of the page`);
    }));
  }

  for (const [fixture, width] of [['docs@mint', 1440], ['docs@mint', 1280], ['docs@mint', 1024], ['docs@luma', 1024], ['families/content@almond', 1280]]) {
    test(`${fixture}: the words of the search field are not cut at ${width} px`, on(site, fixture, 'index.html', { width }, async ({ page, expect }) => {
      const [words, room] = await page.evaluate(() => {
        const label = document.querySelector('.search-entry span');
        return [label.scrollWidth, label.clientWidth];
      });
      expect(words <= room, `${words} px of words have ${room} px`);
    }));
  }

  test('nothing shows through the bar of a page that was moved', on(site, 'docs', 'quickstart.html', { width: 1024 }, async ({ page, expect }) => {
    const ground = await page.evaluate(async () => {
      scrollTo(0, 400);
      await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
      const canvas = document.createElement('canvas').getContext('2d');
      canvas.fillStyle = getComputedStyle(document.querySelector('.op-bar')).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data[3];
    });
    expect(ground === 255, `its ground lets ${Math.round(100 - ground / 2.55)} % through`);
  }));

  test('a version switch shows its whole name where there is room, and always its chevron', on(site, 'docs', 'quickstart.html', { width: 1024 }, async ({ page, expect }) => {
    const add = () => document.querySelector('.op-logo').insertAdjacentHTML('afterend', '<div class="op-switches"><details class="op-menu op-switch"><summary><span class="op-switch-label">Version 2026-03-01 beta</span><svg class="ui-icon" viewBox="0 0 24 24" width="18" height="18"></svg></summary></details></div>');
    await page.evaluate(add);
    const state = () => page.evaluate(() => {
      const label = document.querySelector('.op-switches .op-switch-label');
      const logo = document.querySelector('.op-logo').getBoundingClientRect();
      const edge = document.querySelector('.op-switches').getBoundingClientRect().left;
      // what stands outside of the switches is cut off
      const icon = document.querySelector('.op-switches .ui-icon').getBoundingClientRect();
      const chevron = Math.min(icon.right, document.querySelector('.op-switches').getBoundingClientRect().right) - icon.left;
      return { cut: label.scrollWidth > label.clientWidth + 1, chevron, logo: logo.width, over: logo.right > edge + 1 };
    });
    for (const width of [1440, 1024, 800]) {
      await page.setViewportSize({ width, height: 800 });
      const now = await state();
      expect(!now.cut && now.chevron >= 12, `${width} px: ${JSON.stringify(now)}`);
    }
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const now = await state();
      expect(now.chevron >= 12 && now.logo >= 72 && !now.over, `${width} px: ${JSON.stringify(now)}`);
    }
  }));

  test('rows of tabs fade where they are cut and nowhere else', on(site, 'docs', 'quickstart.html', { width: 390 }, async ({ page, expect }) => {
    const { mask, room } = await page.evaluate(() => {
      const row = document.querySelector('.op-tabs > ul');
      return { mask: getComputedStyle(row).maskImage, room: parseFloat(getComputedStyle(row).paddingInlineEnd) };
    });
    expect(/gradient/.test(mask) && room >= 20, `${mask}, ${room} px beside the row`);
  }));
}

function code(test, site) {
  test('the copy button of a touch screen stands beside the first line, at its height', async (browser) => {
    const { folder } = site('docs');
    const context = await browser.newContext({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, offline: true });
    const { page, trouble } = await tab(context);
    await page.goto(address(folder, 'format/code.html'), { waitUntil: 'load' });
    const wrong = await page.evaluate(() => [...document.querySelectorAll('main .code-block:not([data-nocopy])')].filter((block) => block.checkVisibility()).flatMap((block) => {
      const button = block.querySelector('[data-copy]').getBoundingClientRect();
      const pre = block.querySelector('pre');
      const header = block.querySelector('.code-head');
      const first = (header ?? pre).getBoundingClientRect();
      const style = getComputedStyle(pre);
      const middle = header ? first.top + first.height / 2 : first.top + parseFloat(style.paddingTop) + parseFloat(style.lineHeight) / 2;
      const off = button.top + button.height / 2 - middle;
      return [...(Math.abs(off) > 1.5 ? [`${off} px from the middle of its line`] : []), ...(header || pre.getBoundingClientRect().right <= button.left + 0.5 ? [] : ['lies over the code'])];
    }));
    await context.close();
    return [...new Set(wrong), ...trouble];
  });

  test('code that is cut fades out, without an animation', on(site, 'docs', 'format/code.html', { width: 390 }, async ({ page, expect }) => {
    const wrong = await page.evaluate(() => [...document.querySelectorAll('main .code-block > pre')].filter((pre) => pre.checkVisibility()).flatMap((pre) => {
      const style = getComputedStyle(pre);
      // what lies under the fade at the end of a line is room, no letters
      pre.scrollLeft = 1e6;
      const range = document.createRange();
      range.selectNodeContents(pre.querySelector('code'));
      const letters = Math.max(...[...range.getClientRects()].filter((box) => box.width > 1 && box.width < 4000 && box.height < 40).map((box) => box.right));
      const end = pre.getBoundingClientRect().right;
      return [...(/gradient/.test(style.maskImage) && style.animationName === 'none' ? [] : [`${style.maskImage} ${style.animationName}`]), ...(letters <= end - 23 || pre.closest('[data-lines], [data-highlight], [data-diff], [data-focus]') || pre.querySelector('.line') ? [] : [`letters end ${end - letters} px before the edge`])];
    }));
    expect(!wrong.length, [...new Set(wrong)].slice(0, 4).join('; '));
  }));
}

function contents(test, site) {
  for (const [theme, width] of [['mint', 1024], ['maple', 1100], ['luma', 390]]) {
    test(`${theme}: the contents open above the text at ${width} px`, on(site, `docs@${theme}`, 'format/markdown.html', { width, scripts: false }, async ({ page, expect }) => {
      const summary = page.locator('main .toc summary');
      expect(await summary.isVisible(), 'there is no line to open');
      expect(!(await page.locator('main .toc .toc-item').first().isVisible()), 'they are open at first');
      const closed = await page.locator('.mdx-content').boundingBox();
      await summary.click();
      expect(await page.locator('main .toc .toc-item').first().isVisible(), 'they do not open');
      const [line, text] = [await summary.boundingBox(), await page.locator('.mdx-content').boundingBox()];
      expect(line.y < text.y && text.y > closed.y, 'they do not stand above the text');
    }));
  }
  for (const scripts of [true, false]) {
    test(`the contents stand beside the text where there is room, ${scripts ? 'with' : 'without'} scripts`, on(site, 'docs', 'format/markdown.html', { width: 1440, scripts }, async ({ page, expect }) => {
      expect(await page.locator('main .toc .toc-item').first().isVisible(), 'they are hidden');
      expect(!(await page.locator('main .toc summary').isVisible()), 'the line to open them is there, too');
      const [list, text] = [await page.locator('.toc-list').boundingBox(), await page.locator('.mdx-content').boundingBox()];
      expect(list.x > text.x + text.width, 'they do not stand beside it');
    }));
  }
  test('de: the line above the text speaks the language of the page', on(site, 'docs', 'de/index.html', { width: 1024 }, async ({ page, expect }) => {
    const line = page.locator('main .toc summary');
    if (await line.count()) expect(/Auf dieser Seite/.test(await line.textContent()), await line.textContent());
  }));
}

function tree(test, site) {
  test('the page tree is indented up to its third level', on(site, 'docs', 'quickstart.html', {}, async ({ page, expect }) => {
    const starts = await page.evaluate(() => {
      const group = (depth) => `<li><details open><summary>Level ${depth}</summary><ul>${depth < 6 ? group(depth + 1) : ''}<li><a href="#">Page</a></li></ul></details></li>`;
      document.querySelector('.op-pages').innerHTML = `<ul class="sidebar-group">${group(1)}</ul>`;
      return [...document.querySelectorAll('.op-pages summary')].map((row) => Math.round(row.getBoundingClientRect().left));
    });
    expect(starts[1] > starts[0] && starts[2] > starts[1], `the first levels: ${starts}`);
    expect(starts.slice(3).every((start) => start === starts[2]), `below the third: ${starts}`);
  }));

  test('the method of the current row is legible', on(site, 'docs', 'quickstart.html', {}, async ({ page, expect }) => {
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.evaluate((dark) => document.documentElement.classList.toggle('dark', dark), scheme === 'dark');
      const ratios = await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const over = (colors) => { canvas.clearRect(0, 0, 1, 1); for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); } return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
        const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
        const row = document.querySelector('#sidebar [aria-current=page], [data-part=sidebar] [aria-current=page], .op-pages [aria-current=page]');
        return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'].map((method) => {
          row.insertAdjacentHTML('afterbegin', `<span class="method-pill" data-method="${method}">${method}</span>`);
          const pill = row.firstElementChild;
          const grounds = [];
          for (let at = pill; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
          const [a, b] = [light(over(grounds)), light(over([...grounds, getComputedStyle(pill).color]))];
          pill.remove();
          return [method, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
        });
      });
      const pale = ratios.filter(([, ratio]) => ratio < 4.5);
      expect(!pale.length, `${scheme}: ${pale.map(([method, ratio]) => `${method} ${ratio.toFixed(2)}`)}`);
    }
  }));
}

function tables(test, site) {
  test('columns of tables on phones have room for twelve characters', on(site, 'docs', 'format/markdown.html', { width: 390 }, async ({ page, expect }) => {
    const narrow = await page.evaluate(() => {
      const long = 'a sentence that is long enough to make a row of a narrow column very high indeed';
      const row = (tag, third) => `<tr><${tag} data-wordy>first column</${tag}><${tag}>1</${tag}><${tag} data-wordy="long">${third}</${tag}></tr>`;
      document.querySelector('.mdx-content').insertAdjacentHTML('afterbegin', `<div class="table-scroll" id="probe"><table><thead>${row('th', 'third')}</thead><tbody>${row('td', `${long} ${long}`)}</tbody></table></div>`);
      const cells = [...document.querySelectorAll('.table-scroll td')].filter((cell) => cell.checkVisibility());
      const wrong = cells.flatMap((cell) => {
        const style = getComputedStyle(cell);
        const probe = cell.appendChild(document.createElement('i'));
        probe.style.cssText = 'position:absolute;width:12ch';
        const least = probe.getBoundingClientRect().width;
        probe.remove();
        const room = cell.clientWidth - parseFloat(style.paddingInlineEnd);
        return room >= least - 1 ? [] : [`${cell.textContent.slice(0, 20)}: ${room} of ${least} px`];
      });
      const last = document.querySelector('#probe td:last-child');
      return [...wrong, ...(last.clientHeight > 150 ? [`what is off screen makes a row ${last.clientHeight} px high`] : [])];
    });
    expect(!narrow.length, narrow.slice(0, 3).join('; '));
  }));
}

function canvas(test, site) {
  test('a blank canvas has no margins of prose', on(site, 'docs', 'modes/custom.html', {}, async ({ page, expect }) => {
    const margins = await page.evaluate(() => {
      document.querySelector('.mdx-content').insertAdjacentHTML('beforeend', '<div id="probe"><h2>a</h2><p>b</p><ul><li>c</li></ul><table><tbody><tr><td>d</td></tr></tbody></table></div>');
      return [...document.querySelectorAll('#probe :is(h2, p, ul, li, table)')].map((part) => [part.tagName, getComputedStyle(part).marginBlock]).filter(([, margin]) => margin !== '0px');
    });
    expect(!margins.length, JSON.stringify(margins));
  }));
  test('authors find the colors of the site as channels', on(site, 'docs', 'index.html', {}, async ({ page, expect }) => {
    const [solid, tint] = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.cssText = 'color:rgb(var(--primary));background:rgb(var(--primary-light) / 0.5)';
      return [getComputedStyle(probe).color, getComputedStyle(probe).backgroundColor];
    });
    expect(/^rgb\(\d+, \d+, \d+\)$/.test(solid) && /^rgba\(\d+, \d+, \d+, 0\.5\)$/.test(tint), `${solid}, ${tint}`);
  }));
}

export function looks(test, site) {
  paper(test, site);
  bar(test, site);
  code(test, site);
  contents(test, site);
  tree(test, site);
  tables(test, site);
  canvas(test, site);
}
