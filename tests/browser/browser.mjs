// One Chromium, cut off from every network but this machine's own, and pages that complain about whatever goes wrong in them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import axeCore from 'axe-core';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];
// the decoration of a page is a pseudo-element behind all text, over which axe judges no contrast unless it is told to pass over it
const axe = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}
axe.configure({ checks: [{ id: 'color-contrast', options: { ...axe._audit.checks['color-contrast'].options, ignorePseudo: true } }] });`;

export async function openBrowser() {
  // the shell is the same engine without the windows, menus and services of the browser, and takes three quarters of its CPU time;
  // every launch gets a fresh user-data-dir of its own
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: FLAGS });
}

/** A fresh reader: own storage, given window, color scheme and scripts on or off. */
export async function reader(browser, { width = 1440, height = 900, scheme = 'light', scripts = true, offline = true } = {}) {
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: scheme, javaScriptEnabled: scripts, offline, reducedMotion: 'reduce', acceptDownloads: false,
  });
  context.setDefaultTimeout(30_000);
  if (scripts) await context.addInitScript(() => { globalThis.__copied = []; });
  return context;
}

/** A tab that collects what goes wrong: console errors and warnings, exceptions, dialogs, failed and outside requests. */
export async function tab(context) {
  const page = await context.newPage();
  const trouble = [];
  page.on('console', (message) => { if (['error', 'warning', 'assert'].includes(message.type())) trouble.push(`console ${message.type()}: ${message.text()}`); });
  page.on('pageerror', (error) => trouble.push(`exception: ${error.message}`));
  page.on('dialog', (dialog) => { trouble.push(`dialog: ${dialog.message()}`); dialog.dismiss().catch(() => {}); });
  page.on('request', (request) => { if (!/^(file|data|blob|about):/.test(request.url())) trouble.push(`asks for ${request.url()}`); });
  // what is still on its way when the next page opens is not missed
  page.on('requestfailed', (request) => request.failure()?.errorText === 'net::ERR_ABORTED' || trouble.push(`cannot load ${request.url()}: ${request.failure()?.errorText}`));
  return { page, trouble };
}

export const address = (folder, file) => pathToFileURL(path.join(folder, file)).href;

/** The rules whose findings are never serious: all findings of a rule have its impact. */
const lesser = Object.fromEntries(axeCore._audit.rules.filter(({ impact }) => ['minor', 'moderate'].includes(impact)).map(({ id }) => [id, { enabled: false }]));

/** Serious and critical findings of axe, one line each. */
export async function audit(page) {
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(axe);
  const result = await page.evaluate((rules) => globalThis.axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'], rules, resultTypes: ['violations'], iframes: false, preload: false,
  }), lesser);
  return result.violations
    .filter((violation) => ['serious', 'critical'].includes(violation.impact))
    .map((violation) => `axe ${violation.id} (${violation.impact}, ${violation.nodes.length}x): ${violation.nodes.slice(0, 3).map((node) => `${node.target.join(' ')} ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? ''}`).join(' | ')}`);
}

/** What sticks out at the right, if the page scrolls sideways. */
export async function sideways(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const scrolls = (element) => { for (let up = element.parentElement; up; up = up.parentElement) if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX) && up !== document.body) return true; return false; };
    const wide = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > width + 1 && !scrolls(element));
    return [`scrolls sideways by ${document.documentElement.scrollWidth - width} px: ${wide.slice(0, 4).map((element) => `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}">`).join(' ')}`];
  });
}

/**
 * Loads a page until it shows what was chosen before, at most five times. On a busy machine Chromium gives some loads an empty `localStorage`
 * and the next one what is stored; a page that forgets shows it in none.
 */
export async function recalls(load, shows) {
  for (let loads = 0; loads < 5; loads += 1) {
    await load();
    if (await shows()) return true;
  }
  return false;
}

/** The first six lines of an error's message, in one line without colors. */
export const firstLines = (error) => error.message.replace(/\u001b\[\d+m/g, '').split('\n').slice(0, 6).join(' ');

/** Opens a page and gives it to `act`, which says what is wrong with `expect`. */
export const onPage = (site, fixture, file, options, act) => async (browser) => {
  const { folder } = site(fixture);
  const context = await reader(browser, options);
  const { page, trouble } = await tab(context);
  const open = (other) => page.goto(`${address(folder, '.')}/${other}`, { waitUntil: 'load' });
  await open(file);
  const wrong = [];
  const expect = (fact, words) => { if (!fact) wrong.push(words); };
  // what was wrong before an error may be its cause
  try { await act({ page, open, expect }); } catch (error) { wrong.push(firstLines(error)); }
  await context.close();
  return [...wrong, ...trouble];
};
