// Makes the picture of the README anew: node screenshot.mjs FOLDER, where FOLDER is fixtures/docs, exported.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { address, openBrowser, reader, tab } from './browser.mjs';

const browser = await openBrowser();
const { page } = await tab(await reader(browser, { width: 1280, height: 800 }));
await page.goto(address(path.resolve(process.argv[2]), 'quickstart.html'), { waitUntil: 'load' });
await page.evaluate(() => document.fonts.ready);
await page.screenshot({ path: fileURLToPath(new URL('../../fixtures/docs/images/screenshot.png', import.meta.url)) });
await browser.close();
