// Components of the author's own, come back to life.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { address, reader, tab } from './browser.mjs';

/** Pages of components that the still page cannot show as they are. */
const ODD = {
  form: `export const F = () => {
  const [v, setV] = useState("");
  return (<div className="odd">
    <form onSubmit={() => setV("sent")}><input name="q" /><button type="submit">Send</button></form>
    <div>second {v}</div>
    <Card title="Card">card text</Card>
    <Note>note text</Note>
    <p><div>in a paragraph</div></p>
    <table><tr><td>cell</td></tr></table>
    <select defaultValue="y"><option>x</option><option>y</option></select>
    <details open><summary>Sum</summary><p>body</p></details>
  </div>);
};

<F />`,
  film: `export const Film = ({ id }) => {
  const [n, setN] = useState(0);
  return (<div className="odd">
    <iframe src={\`https://www.youtube.com/embed/\${id}\`} title="A film" />
    <video src="https://x.example/v.mp4" controls />
    <div dangerouslySetInnerHTML={{ __html: '<img src="https://x.example/a.png" alt="raw">' }} />
    <div style={{ backgroundImage: "url(https://x.example/b.png)" }}>text {n}</div>
    <button onClick={() => setN(n + 1)}>Next</button>
    {n > 0 && <img src={\`https://x.example/\${n}.png\`} alt={\`Picture \${n}\`} />}
    {n > 0 && <iframe src="https://player.vimeo.com/video/7" title="Another" />}
  </div>);
};

<Film id="abc" />`,
  parts: `export const P = ({ rows }) => {
  const [n, setN] = useState(2);
  const [open, setOpen] = useState(false);
  return (<div className="odd">
    <button onClick={() => { setN(n + 1); setOpen(!open); }}>Next</button>
    <Card title={\`Items \${n}\`} icon="star">n is {n}</Card>
    {open ? <CodeBlock language="bash">choco install x</CodeBlock> : <CodeBlock language="bash">brew install x</CodeBlock>}
    {open && <Warning>Beta of {n}</Warning>}
    <Icon icon={open ? "arrow-up" : "check"} />
    {rows.filter((row) => !open || row !== "b").map((row) => <Card key={row} title={row} icon="check">{row}</Card>)}
    <CodeBlock language="js">{\`const a = \${n};\`}</CodeBlock>
  </div>);
};

<P rows={["a", "b", "c"]} />`,
  acts: `export const mark = () => { document.querySelector(".mark").textContent = "marked"; };
export const Loop = ({ given = {} }) => {
  const [size, setSize] = useState(0);
  useLayoutEffect(() => setSize({ ...given }), [given]);
  return <p>drawn</p>;
};
export const Styled = () => {
  const [n, setN] = useState(0);
  return (<div><style dangerouslySetInnerHTML={{ __html: "/* the <code> box */ .odd > b { color: rgb(1, 2, 3) }" }} /><i onClick={() => setN(n + 1)}>n {n}</i></div>);
};

<div className="odd">
  <b className="mark">as it was</b>
  <button onClick={mark}>Mark</button>
  <Loop />
  <Styled />
</div>`,
  lists: `export const limit = "1000";

export const W = ({ children }) => { const [n, setN] = useState(0); return <div className="odd">{children}</div>; };

export const L = ({ children }) => { const [n, setN] = useState(1); return <button onClick={() => setN(n + 1)}>{children} {n}</button>; };

<W>

- one
- two {limit} <L>live</L>
- three

| Plan | Limit |
| --- | --- |
| \`v\` | {limit} |
| Pro | <L>cell</L> |

## Heading <L>h</L>

<Steps>
<Step title="First">

a <L>step</L>

</Step>
<Step title="Second">b</Step>
</Steps>

<Note>note <L>n</L></Note>

<Tabs>
<Tab title="X">x <L>tab</L></Tab>
<Tab title="Y">y</Tab>
</Tabs>

</W>

After.`,
  choice: `export const B = ({ agent, children }) => {
  const [p, setP] = useState("none");
  useEffect(() => setP(new URLSearchParams(location.search).get("agent") ?? "none"), []);
  return agent === p ? <>{children}</> : null;
};

<Steps>
<Step title="S1">1</Step>
<B agent="none"><Step title="S2">2</Step></B>
<B agent="x"><Step title="S2x">2x</Step><Step title="S3x">3x</Step></B>
<Step title="Last">4</Step>
</Steps>

<ul>
<li>one</li>
<B agent="none"><li>two</li></B>
<B agent="x"><li>two of <B agent="x">x</B></li></B>
<li>three</li>
</ul>

<B agent="x">

<Steps>
<Step title="First">a <B agent="x">n1</B></Step>
</Steps>

<Note>n <B agent="x">n2</B></Note>

<Tabs>
<Tab title="X">x <B agent="x">n3</B></Tab>
<Tab title="Y">y</Tab>
</Tabs>

| A | B |
| - | - |
| c | <B agent="x">n4</B> |

</B>`,
  library: `export const F = () => {
  const [v, setV] = useState("a");
  return (<div className="odd">
    <button onClick={() => setV("b")}>Next</button>
    <ResponseField name="nn" type="string">body {v}</ResponseField>
    <Tabs><Tab title="X">{v}</Tab><Tab title="Y">yy</Tab></Tabs>
    <Steps><Step title={"T" + v}>in {v}</Step></Steps>
    <CardGroup>{["a", "b"].filter((one) => one >= v).map((one) => <Card key={one} title={"Card " + one}>{one}</Card>)}</CardGroup>
  </div>);
};

<F />`,
  looks: `export const S = () => {
  const [n, setN] = useState(0);
  const [log, setLog] = useState("");
  return (<div className="odd">
    <button style={{ width: 300, padding: 20, lineHeight: 2, zIndex: 3, "--gap": 4 }} onClick={() => setN(n + 1)}>x {n}</button>
    <svg viewBox="0 0 24 24" stroke="currentColor" strokeWidth="3" strokeLinecap="round"><clipPath id="q" clipPathUnits="userSpaceOnUse"><path d="M0 0h9v9z" /></clipPath><path d="M4 4h9" clipPath="url(#q)" fillOpacity={0.5} fillRule="evenodd" /></svg>
    <span dangerouslySetInnerHTML={{ __html: "<a href='/library'>there</a>" }} />
    <i onDoubleClick={() => setLog(log + "twice ")}>double</i>
    <div onFocus={() => setLog(log + "in ")}><input aria-label="field" /></div>
    <em>{log}</em>
  </div>);
};

<S />`,
  big: `export const D = () => { const [b, setB] = useState(9_007_199_254_740_993n); return <button onClick={() => setB(b + 2n)}>{String(b)}</button>; };
export const Ok = ({ t }) => <b>fine {t}</b>;

<Ok t="x" />

<D />`,
  expressions: `export const N = ({ from }) => { const [n, setN] = useState(from); return <button onClick={() => setN(n + 1)}>n {n}</button>; };

export const made = ["x"].map((v) => <button key={v} onClick={(event) => { event.currentTarget.textContent = v + "!"; }}>{v}</button>);

{["a", "b"].map((v) => <button key={v} onClick={(event) => { event.currentTarget.textContent = v + "!"; }}>{v}</button>)}

In a sentence {true && <N from={7} />} goes on.

<Card title="Card">{[3, 4].map((n) => <N key={n} from={n} />)}</Card>

{made}

After.`,
};
let odd;
/** Exports them once. */
function odds({ bin, work }) {
  if (odd) return odd;
  const source = path.join(work, 'odd islands');
  mkdirSync(source);
  const pages = Object.entries(ODD);
  writeFileSync(path.join(source, 'docs.json'), JSON.stringify({ $schema: 'https://mintlify.com/docs.json', theme: 'mint', name: 'Odd', colors: { primary: '#16A34A' }, navigation: { pages: pages.map(([name]) => name) } }));
  for (const [name, body] of pages) writeFileSync(path.join(source, `${name}.mdx`), `---\ntitle: "${name}"\n---\n\n${body}\n`);
  odd = path.join(work, 'odd islands out');
  execFileSync(bin, ['export', source, '-o', odd, '--format', 'dir', '--progress', 'none'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return odd;
}

export function islands(test, site, made) {
  const onOdd = (name, act, query = '') => async (browser) => {
    const context = await reader(browser, {});
    const { page, trouble } = await tab(context);
    await page.goto(address(odds(made), `${name}.html`) + query, { waitUntil: 'load' });
    const wrong = [];
    await act(page, (found, expected) => { if (found !== expected) wrong.push(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`); });
    await context.close();
    return [...wrong, ...trouble];
  };
  const words = (locator) => locator.evaluate((box) => box.innerText.split(/\s+/).filter(Boolean).join(' '));

  test('a form of a component sends nowhere and shifts nothing', onOdd('form', async (page, same) => {
    const box = page.locator('.odd');
    same(await words(box), 'Send second Card card text note text in a paragraph cell x y Sum body');
    same(await box.locator('form button[type=submit]').count(), 1);
    await box.getByRole('textbox').fill('x');
    await box.getByRole('button', { name: 'Send' }).click();
    same(await words(box), 'Send second sent Card card text note text in a paragraph cell x y Sum body');
    same(await box.locator('[data-component=Card], [data-component=Note]').count(), 2);
    same(await box.getByRole('combobox').inputValue(), 'y');
    same(await box.locator('details > .details-body > p').count(), 1);
  }));

  test('components load nothing from elsewhere', onOdd('film', async (page, same) => {
    const box = page.locator('.odd');
    same(await box.locator('iframe, video, img').count(), 0);
    same(await box.locator('a.media-placeholder').first().getAttribute('href'), 'https://www.youtube.com/watch?v=abc');
    same(await box.locator('a.image-placeholder').count(), 1);
    await box.getByRole('button', { name: 'Next' }).click();
    same(await box.locator('iframe, video, img').count(), 0);
    same((await words(box)).includes('Picture 1 x.example'), true);
    same(await box.locator('a.media-placeholder').last().getAttribute('href'), 'https://vimeo.com/7');
  }));

  test('buttons of a page work, and a component without an end costs itself', async (browser) => {
    const context = await reader(browser, {});
    const { page } = await tab(context);
    await page.goto(address(odds(made), 'acts.html'), { waitUntil: 'load' });
    const box = page.locator('.odd');
    await box.getByRole('button', { name: 'Mark' }).click();
    await box.getByText('n 0').click();
    const said = await words(box);
    const color = await box.locator('b').evaluate((element) => getComputedStyle(element).color);
    await context.close();
    const expected = 'markedMark drawn n 1 rgb(1, 2, 3)';
    return `${said} ${color}` === expected ? [] : [`${said} ${color} instead of ${expected}`];
  });

  test('parts change with the state', onOdd('parts', async (page, same) => {
    const box = page.locator('.odd');
    await box.getByRole('button', { name: 'Next' }).click();
    same(await words(box), 'Next Items 3 n is 3 choco install x Beta of 3 a a c c const a = 3;');
    same(await box.locator('[data-component=Warning]').count(), 1);
    same(await box.locator('[data-component=Card]').count(), 3);
    await box.getByRole('button', { name: 'Next' }).click();
    same(await words(box), 'Next Items 4 n is 4 brew install x a a b b c c const a = 4;');
    same(await box.locator('.code-block').count(), 2);
  }));

  test('what stands inside a state keeps its shape', onOdd('lists', async (page, same) => {
    const box = page.locator('.odd');
    same(await box.locator('li').allInnerTexts().then((all) => all.join('|')), 'one|two 1000 live 1|three');
    same(await box.locator('thead th').count(), 2);
    same(await box.locator('tbody td').allInnerTexts().then((all) => all.join('|')), 'v|1000|Pro|cell 1');
    same(await box.locator('h2[id] a.heading-anchor').count(), 1);
    same(await box.locator('.step-number').allInnerTexts().then((all) => all.join()), '1,2');
    same(await box.locator('[data-component=Note]').count(), 1);
    same(await box.getByRole('tab').count(), 2);
    same(await page.locator('main').getByText('After.').count(), 1);
    const buttons = box.locator('button:not([role])', { hasText: /1$/ });
    same(await buttons.count(), 6);
    for (const word of ['live', 'cell', 'h', 'step', 'n', 'tab']) {
      await box.getByRole('button', { name: `${word} 1`, exact: true }).click();
      same(await box.getByRole('button', { name: `${word} 2`, exact: true }).count(), 1);
    }
  }));

  test('what lives looks as it did before', onOdd('looks', async (page, same) => {
    const box = page.locator('.odd');
    const look = () => box.evaluate((all) => {
      const [button, drawing, path] = ['button', 'svg', 'svg > path'].map((name) => getComputedStyle(all.querySelector(name)));
      const attributes = [...all.querySelector('svg > path').attributes, ...all.querySelector('clipPath').attributes].map(({ name }) => name).filter((name) => name !== 'id');
      return [button.width, button.paddingTop, button.zIndex, button.getPropertyValue('--gap'), drawing.strokeWidth, drawing.strokeLinecap, path.fillOpacity, path.fillRule, attributes.sort().join(), all.querySelector('a').getAttribute('href')].join(' ');
    });
    const seen = await look();
    same(seen, '300px 20px 3 4 3px round 0.5 evenodd clip-path,clipPathUnits,d,fill-opacity,fill-rule library.html');
    await box.getByRole('button', { name: 'x 0' }).click();
    await box.getByRole('button', { name: 'x 1' }).waitFor();
    same(await look(), seen);
    await box.getByText('double').dblclick();
    await box.getByLabel('field').focus();
    same(await box.locator('em').innerText(), 'twice in');
  }));

  test('what needs BigInt is left to the browser', onOdd('big', async (page, same) => {
    same(await page.locator('main b').innerText(), 'fine x');
    await page.getByRole('button', { name: '9007199254740993' }).click();
    same(await page.getByRole('button', { name: '9007199254740995' }).count(), 1);
  }));

  test('expressions of the page live', onOdd('expressions', async (page, same) => {
    const main = page.locator('main');
    for (const [name, after] of [['a', 'a!'], ['b', 'b!'], ['x', 'x!'], ['n 7', 'n 8'], ['n 3', 'n 4']]) {
      await main.getByRole('button', { name, exact: true }).first().click();
      await main.getByRole('button', { name: after, exact: true }).first().waitFor();
    }
    same(await main.locator('p', { hasText: 'In a sentence' }).innerText(), 'In a sentence n 8 goes on.');
    same(await main.locator('[data-component=Card]').innerText().then((text) => text.replace(/\s+/g, ' ')), 'Card n 4n 4');
    same(await main.getByText('After.').count(), 1);
  }));

  test('a state chooses among steps and items', onOdd('choice', async (page, same) => {
    const main = page.locator('main');
    same(await main.locator('.step-title').allInnerTexts().then((all) => all.join()), 'S1,S2,Last');
    same(await main.locator('.step-number').allInnerTexts().then((all) => all.join()), '1,2,3');
    same(await main.locator('ul > li').allInnerTexts().then((all) => all.join()), 'one,two,three');
  }));

  test('a state that the address asks for', onOdd('choice', async (page, same) => {
    const main = page.locator('main');
    await main.getByText('S2x').waitFor();
    same(await main.locator('.step-title').allInnerTexts().then((all) => all.join()), 'S1,S2x,S3x,Last,First');
    same(await main.locator('.step-number').allInnerTexts().then((all) => all.join()), '1,2,3,4,1');
    same(await main.locator('ul > li').allInnerTexts().then((all) => all.join()), 'one,two of x,three');
    same(await main.locator('.step-body', { hasText: 'a n1' }).count(), 1);
    same(await main.locator('[data-component=Note]', { hasText: 'n n2' }).count(), 1);
    same(await main.locator('.tabs', { hasText: 'x n3' }).count(), 1);
    same(await main.locator('table td').allInnerTexts().then((all) => all.join()), 'c,n4');
  }, '?agent=x'));

  test('components of ours follow the state inside them', onOdd('library', async (page, same) => {
    const box = page.locator('.odd');
    await box.getByRole('button', { name: 'Next' }).click();
    same(await box.locator('.field-name').innerText(), 'nn');
    same(await box.locator('.field-body').innerText(), 'body b');
    same(await box.locator('.step-title').innerText(), 'Tb');
    same(await box.locator('.step-body').innerText().then((text) => text.includes('in b')), true);
    same(await box.locator('[data-component=Card]').count(), 1);
    same(await box.locator('[role=tab]').allInnerTexts().then((all) => all.join()), 'X,Y');
  }));

  const on = (act, options = {}) => async (browser) => {
    const { folder } = site('docs');
    const context = await reader(browser, options);
    const { page, trouble } = await tab(context);
    await page.goto(`${address(folder, '.')}/components/custom.html`, { waitUntil: 'load' });
    const wrong = [];
    const same = (found, expected) => { if (found !== expected) wrong.push(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`); };
    await act(page, same);
    await context.close();
    return [...wrong, ...trouble];
  };

  test('a counter counts', on(async (page, same) => {
    const button = page.getByRole('button', { name: 'Clicks' });
    const box = page.locator('[data-island]').first();
    same(await box.locator('[data-component=Badge]').count(), 1);
    same(await button.textContent(), 'Clicks: 2');
    await button.click();
    await button.click();
    same(await button.textContent(), 'Clicks: 4');
    same(await box.locator('span.text-sm').textContent(), '4 clicks so far');
    await page.getByRole('button', { name: 'Start again' }).click();
    same(await button.textContent(), 'Clicks: 2');
    same(await page.getByRole('button', { name: 'Start again' }).count(), 0);
    same(await box.locator('[data-component=Badge]').textContent(), 'a child');
  }));

  test('a filter filters', on(async (page, same) => {
    const box = page.locator('[data-island]').nth(1);
    same(await box.locator('li').count(), 4);
    await box.getByRole('searchbox').fill('ca');
    same(await box.locator('li').allTextContents().then((texts) => texts.map((text) => text.trim()).join('|')), 'Callouts: important remarks|Cards: links with a picture');
    const cards = box.locator('a', { hasText: 'Cards' });
    same(await cards.getAttribute('href'), 'cards.html');
    await box.getByRole('searchbox').fill('xyz');
    same(await box.locator('li').count(), 0);
    same((await box.textContent()).includes('Nothing is called that.'), true);
    await box.getByRole('searchbox').fill('');
    same(await box.locator('li').count(), 4);
    await box.locator('a', { hasText: 'Tabs' }).click();
    await page.waitForURL(/tabs\.html$/);
  }));

  test('tabs of the author switch', on(async (page, same) => {
    const box = page.locator('[data-island]').nth(2);
    same(await box.getByRole('tab').allTextContents().then((texts) => texts.join()), 'FIRST,SECOND');
    same((await box.getByRole('tabpanel').textContent()).includes('The first sheet is shown'), true);
    await box.getByRole('tab', { name: 'SECOND' }).click();
    same((await box.getByRole('tabpanel').textContent()).includes('The second one is hidden at first.'), true);
    same(await box.locator('[data-component=Note]').count(), 1);
    same(await box.locator('pre code').textContent(), 'const sheet = 2');
    await box.getByRole('tab', { name: 'FIRST' }).click();
    same(await box.locator('strong').textContent(), 'shown');
  }));

  test('effects run in the browser', on(async (page, same) => {
    same(await page.getByText('Your window is 1440 pixels wide.').count(), 1);
  }));

  test('islands can be read without JavaScript', on(async (page, same) => {
    same((await page.locator('main').textContent()).includes('2 clicks so far'), true);
    same(await page.locator('[data-island] li').count(), 4);
  }, { scripts: false }));

  test('pages without islands load no script of theirs', async (browser) => {
    const { folder } = site('docs');
    const context = await reader(browser, {});
    const { page, trouble } = await tab(context);
    await page.goto(`${address(folder, '.')}/components/tabs.html`, { waitUntil: 'load' });
    const scripts = await page.locator('script[src]').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
    await context.close();
    return [...trouble, ...scripts.filter((src) => /islands|script-/.test(src))];
  });
}
