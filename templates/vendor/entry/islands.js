// Components that live on in the browser. The page holds their first state in elements with `data-island`, and how to call them in the
// block of data with the id `op-islands` (`src/export/islands.rs` writes it, in the form that `src/markup/js/realm/render.js` describes):
//
//   modules  [[number, [[local name, value], …], [module, …]], …] in the order of their evaluation
//   thunks   [[value, …], …] what expressions of the page are given
//   islands  [[module, name, props, children, { number or key: HTML of what the first state does not show }], …]
//   urls     addresses of the source → relative to this page;   root  the way to the root of the site
//   loads    addresses of pictures, films and sounds → [where they lie, width, height], or [] if the bundle has none
//   outside  whether pages load pictures from elsewhere
//
// Children that the exporter keeps are `["h", number, type, props, children]`: the element with `data-part` of that number, or
// its HTML in the block of data. What a script draws inside one is `["l", number, node]`, and its place the element with `data-live` of
// that number. Components of ours (`data-part` without a number) are kept as they are, in their order; those that come
// later look as one did before with the same name and props, or as the exporter rendered ahead (`src/markup/expand/prescan.rs`).
//
// The first state is written as every page is: no form, no frame, tables in a box. So it is not taken over element by element but drawn
// anew in its place, at once; only what the exporter rendered is moved, as it is, to where it belongs.

import { Component, Fragment, cloneElement, createContext, createElement as h, createRef, isValidElement, options, render, toChildArray } from 'preact';
import * as hooks from 'preact/hooks';
import { holdRequests } from './requests.js';

const data = { modules: [], thunks: [], islands: [], urls: {}, root: '', loads: {}, outside: false };
const factories = new Map();
const modules = new Map();
let thunks = [];

// ---- React, as far as components use it

const forwardRef = (draw) => (props) => draw(props, props.ref ?? null);
const children = {
  map: (kids, visit) => (kids == null ? kids : toChildArray(kids).map((kid, at) => visit(kid, at))),
  forEach: (kids, visit) => toChildArray(kids).forEach((kid, at) => visit(kid, at)),
  count: (kids) => toChildArray(kids).length,
  toArray: toChildArray,
  only: (kids) => toChildArray(kids)[0],
};
const call = (run) => run();
// a component of a module that is loaded later: it is there from the start
const lazy = (load) => {
  let component;
  return (props) => {
    if (!component) {
      const given = load();
      const module = given && typeof given.then === 'function' ? given.$value : given;
      component = (module && 'default' in module ? module.default : module) ?? (() => null);
    }
    return h(component, props);
  };
};
// what `import()` gives where a module is there: a promise that is kept at once
globalThis.$loaded = (value) => {
  const kept = (next) => (next && typeof next.then === 'function' ? next : globalThis.$loaded(next));
  const never = { then: () => never, catch: () => never, finally: () => never };
  const made = {
    $value: value,
    then: (read) => {
      try {
        return typeof read === 'function' ? kept(read(value)) : made;
      } catch {
        return never;
      }
    },
    catch: () => made,
    finally: (read) => (typeof read === 'function' && read(), made),
  };
  return made;
};
const React = {
  ...hooks,
  useInsertionEffect: hooks.useLayoutEffect,
  useTransition: () => [false, call],
  useDeferredValue: (value) => value,
  useSyncExternalStore: (subscribe, get) => {
    const [value, set] = hooks.useState(get);
    hooks.useEffect(() => subscribe(() => set(get)), [subscribe]);
    return value;
  },
  createElement: h,
  cloneElement,
  createContext,
  createRef,
  isValidElement,
  Fragment,
  Component,
  PureComponent: Component,
  StrictMode: Fragment,
  Suspense: Fragment,
  forwardRef,
  lazy,
  memo: (component) => component,
  startTransition: call,
  Children: children,
};
React.default = React;

// ---- addresses: components write them from the root of the site

const address = (url) => {
  if (typeof url !== 'string' || url[0] !== '/' || url[1] === '/') return url;
  const known = data.urls[url];
  if (known !== undefined) return known;
  const [, path, rest] = /^\/([^?#]*)(.*)$/s.exec(url);
  const page = path === '' ? 'index.html' : /\.\w+$/.test(path) ? path : path.replace(/\/$/, '') + '.html';
  return data.root + page + rest;
};
// ---- what stands elsewhere: nothing is loaded from there that the page would not load

const isOutside = (url) => {
  try {
    const { protocol, host } = new URL(url, document.baseURI);
    return /^(https?|wss?|ftp):$/.test(protocol) && host !== location.host;
  } catch (_) {
    return false;
  }
};
holdRequests(isOutside);
/** `[address, width, height]` of what is to be loaded; `[]` if it may not. */
const found = (url, isPicture) => {
  if (typeof url !== 'string' || url === '') return [url];
  if (Object.hasOwn(data.loads, url)) return data.loads[url];
  return !isOutside(url) || (isPicture && data.outside) ? [address(url)] : [];
};
const pictures = (set) => (typeof set === 'string' && set.split(/,\s/).every((one) => found(one.trim().split(/\s/)[0], true)[0]) ? set : undefined);
const inertCss = (css) => css.replace(/@import\b[^;]*\/\/[^;]*;?/gi, '').replace(/url\(\s*(["']?)(.*?)\1\s*\)/gi, (written, _, url) => {
  const [there] = found(url, true);
  return there === url ? written : there ? `url("${there}")` : 'none';
});
/** The properties whose numbers are no lengths; `attributes.rs` has the same list. */
const UNITLESS = /^(animationIterationCount|aspectRatio|borderImage(Outset|Slice|Width)|columnCount|columns|(fill|flood|stop|stroke)Opacity|flex|flex(Grow|Shrink|Order)|fontWeight|gridArea|grid(Column|Row)(End|Start)?|(Webkit)?[lL]ineClamp|lineHeight|opacity|order|orphans|scale|stroke(Dasharray|Dashoffset|Miterlimit|Width)|tabSize|widows|zIndex|zoom|--.*)$/;
const inertStyle = (style) => {
  if (typeof style === 'string') return inertCss(style);
  if (!style || typeof style !== 'object') return style;
  const declared = ([name, value]) => {
    if (typeof value === 'string') return [name, inertCss(value)];
    return [name, typeof value === 'number' && value !== 0 && !UNITLESS.test(name) ? value + 'px' : value];
  };
  return Object.fromEntries(Object.entries(style).map(declared));
};
/** Attributes of drawings that React writes with a capital letter and SVG with a dash. */
const DASHED = /^(alignment|baseline|clip(?!PathUnits)|color|dominant|fill|flood|font|glyph|image|letter|lighting|marker(?=[EMS])|paint|pointer|shape|stop|stroke|text(?=[ADR])|transform|unicode|vector|word|writing)[A-Z]/;
/** Names of events that differ between React and the browser. */
const EVENTS = { onDoubleClick: 'onDblClick', onFocus: 'onFocusIn', onBlur: 'onFocusOut' };
const renamed = (props) => {
  for (const name of Object.keys(props)) {
    const own = EVENTS[name] ?? (DASHED.test(name) ? name.replace(/[A-Z]/g, (capital) => '-' + capital.toLowerCase()) : name);
    if (own === name) continue;
    props[own] ??= props[name];
    delete props[name];
  }
};
/** Where people watch what an embedding address plays. */
const watched = (src) => {
  const url = src.startsWith('//') ? 'https:' + src : src;
  const film = /youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(url)?.[1];
  if (film && film !== 'videoseries') return 'https://www.youtube.com/watch?v=' + film;
  return url.replace(/^.*player\.vimeo\.com\/video\//, 'https://vimeo.com/').replace('loom.com/embed/', 'loom.com/share/');
};
const hostOf = (url) => url.replace(/^(\w+:)?\/\//, '').split(/[/?#]/)[0].replace(/^.*@/, '').replace(/^www\./, '');
const fileOf = (url) => {
  const name = url.split(/[?#]/)[0].replace(/\/+$/, '').split('/').pop();
  try {
    return decodeURIComponent(name).slice(0, 60) || 'image';
  } catch (_) {
    return name.slice(0, 60);
  }
};
const pixels = (size) => (/^\s*[\d.]+(px)?\s*$/.test(size ?? '') ? parseFloat(size) : undefined);

/** What the exporter writes for a film, a frame or a picture that the bundle does not have. */
class Absent extends Component {
  constructor(props) {
    super(props);
    this.box = createRef();
    this.state = { isInLink: false };
  }
  componentDidMount() {
    if (this.box.current?.parentElement?.closest('a, button')) this.setState({ isInLink: true });
  }
  render({ kind, given }, { isInLink }) {
    const { src, title, alt, width, height } = given;
    if (!isOutside(src) && kind !== 'iframe' && kind !== 'embed') return alt; // a file that is missing
    const more = isInLink ? { ref: this.box } : { ref: this.box, href: kind === 'img' ? src : watched(src), target: '_blank', rel: 'noopener' };
    const tag = isInLink ? 'span' : 'a';
    if (kind !== 'img') {
      const what = { iframe: 'Embedded page', embed: 'Embedded file', audio: 'Audio' }[kind] ?? 'Video';
      const words = h('span', { class: 'media-words' }, h('span', { class: 'media-title' }, title?.trim() || what), h('span', { class: 'media-host' }, hostOf(src)));
      return h(tag, { ...more, class: 'media-placeholder' }, words);
    }
    const [wide, high] = [pixels(width), pixels(height)];
    const isSmall = wide || high ? wide < 64 || high < 64 : /badge|\/\/img\.shields\.io\//i.test(src);
    const style = wide && !isSmall ? `width:min(100%,${Math.round(wide)}px)${high ? `;aspect-ratio:${Math.round(wide)}/${Math.round(high)}` : ''}` : undefined;
    const classes = ['image-placeholder', isSmall && 'image-small', given.className ?? given.class].filter(Boolean).join(' ');
    const words = h('span', { class: 'image-words' }, h('span', { class: 'image-alt' }, alt?.trim() || fileOf(src)), !isSmall && h('span', { class: 'image-host' }, hostOf(src)));
    return h(tag, { ...more, class: classes, style }, words);
  }
}
/** The box of a table, which scrolls where the table is too wide. */
class Scroll extends Component {
  constructor(props) {
    super(props);
    this.box = createRef();
  }
  componentDidMount() {
    const box = this.box.current;
    if (box.scrollWidth <= box.clientWidth) return;
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', 'Table');
  }
  render({ table }) {
    return h('div', { class: 'table-scroll', ref: this.box }, table);
  }
}
let isInBox = false;
/** Marks the options that are chosen at first. */
const choose = (options, values) => {
  for (const option of toChildArray(options)) {
    if (option.type === 'optgroup' || option.type === Fragment) choose(option.props.children, values);
    else if (option.type === 'option' && values.includes(String(option.props.value ?? textOf(option.props.children)))) option.props.selected = true;
  }
};
const Nothing = () => null;
const Children = ({ children }) => children;

// ---- elements as pages have them

/** Gives a tag another type; what it stood for is still in its props. */
const become = (vnode, type, props = vnode.props) => {
  vnode.type = type;
  vnode.props = props;
  vnode.ref = null;
};
const absent = (vnode, src) => become(vnode, Absent, { kind: vnode.type, given: { ...vnode.props, src } });
const withClass = (props, name) => (props.class = [name, props.className, props.class].filter(Boolean).join(' ')) && delete props.className;
const media = (vnode) => {
  const { props } = vnode;
  const sources = toChildArray(props.children).filter((kid) => kid.source).map((kid) => kid.source);
  const first = props.src ?? sources[0];
  if (typeof first !== 'string') return;
  const [there] = found(first);
  if (!there && (props.src !== undefined || sources.every((src) => !found(src)[0]))) return absent(vnode, first);
  if (props.src !== undefined) props.src = there;
};
const TAGS = {
  a({ props }) {
    if (isOutside(props.href)) (props.target ??= '_blank') && (props.rel ??= 'noopener');
    delete props.ping;
  },
  img(vnode) {
    const { props } = vnode;
    if (typeof props.src === 'string') {
      const [src, width, height] = found(props.src, true);
      if (!src) return absent(vnode, props.src);
      props.src = src;
      if (width && props.width === undefined && props.height === undefined) Object.assign(props, { width, height });
    }
    props.alt ??= '';
    if ('noZoom' in props) props['data-no-zoom'] = '';
  },
  iframe: (vnode) => (typeof vnode.props.src === 'string' ? absent(vnode, vnode.props.src) : become(vnode, Children)),
  video: media,
  audio: media,
  source(vnode) {
    if (vnode.props.src === undefined) return become(vnode, Nothing); // of a `<picture>`
    const source = vnode.props.src;
    const [src] = found(source);
    if (src) vnode.props.src = src;
    else become(vnode, Nothing);
    vnode.source = source;
  },
  track(vnode) {
    if (!found(vnode.props.src)[0]) become(vnode, Nothing);
  },
  input: named,
  select(vnode) {
    named(vnode);
    const { defaultValue } = vnode.props;
    if (defaultValue === undefined) return;
    delete vnode.props.defaultValue;
    choose(vnode.props.children, [].concat(defaultValue).map(String));
  },
  // as on every page: the summary first, the rest in a box
  details({ props }) {
    const kids = [].concat(props.children);
    if (kids.some((kid) => kid?.props?.class === 'details-body')) return;
    const at = kids.findIndex((kid) => kid?.type === 'summary');
    props.children = [kids[at] ?? h('summary', null, 'Details'), h('div', { class: 'details-body' }, kids.map((kid, index) => (index === at ? null : kid)))];
  },
  table(vnode) {
    if (isInBox) return;
    isInBox = true;
    const table = h('table', { ...vnode.props, ref: vnode.ref });
    isInBox = false;
    become(vnode, Scroll, { table });
  },
  textarea: named,
  pre: ({ props }) => (props.tabIndex ??= 0),
  style({ props }) {
    if (typeof props.children === 'string') props.children = inertCss(props.children);
  },
  h1(vnode) {
    vnode.type = 'h2';
    withClass(vnode.props, 'h1');
  },
};
TAGS.embed = TAGS.iframe;
function named({ props, type }) {
  if (type === 'input' && props.src !== undefined) delete props.src;
  if (!props['aria-label'] && !props['aria-labelledby'] && !props.id && !props.title && props.type !== 'hidden') props['aria-label'] = props.placeholder ?? props.name ?? 'Value';
  if (type !== 'select' && 'onChange' in props && !/^(checkbox|radio|file)$/.test(props.type)) {
    // React's onChange is the browser's input event
    props.onInput ??= props.onChange;
    delete props.onChange;
  }
}
for (const tag of ['footer', 'main', 'nav', 'aside', 'search']) TAGS[tag] = (vnode) => (vnode.type = 'div');
for (const tag of ['script', 'link', 'meta', 'base', 'title', 'param']) TAGS[tag] = (vnode) => become(vnode, Nothing);
for (const tag of ['picture', 'object']) TAGS[tag] = (vnode) => become(vnode, Children);
// parts of drawings load too
for (const tag of ['image', 'use', 'feImage']) TAGS[tag] = ({ props }) => {
  for (const name of ['href', 'xlinkHref', 'xlink:href']) if (isOutside(props[name])) delete props[name];
};
/** HTML of a string, without what would load. */
const inertHtml = (html) => {
  if (typeof html !== 'string' || !html.includes('<')) return html;
  const box = document.createElement('template');
  box.innerHTML = html;
  box.content.querySelectorAll('script, link, meta, base').forEach((element) => element.remove());
  box.content.querySelectorAll('style').forEach((element) => (element.textContent = inertCss(element.textContent)));
  box.content.querySelectorAll('[style]').forEach((element) => element.setAttribute('style', inertCss(element.getAttribute('style'))));
  box.content.querySelectorAll('object, image, use').forEach((element) => ['data', 'href', 'xlink:href'].forEach((name) => isOutside(element.getAttribute(name)) && element.removeAttribute(name)));
  box.content.querySelectorAll('a[href], area[href]').forEach((element) => element.setAttribute('href', address(element.getAttribute('href'))));
  box.content.querySelectorAll('img, iframe, embed, video, audio, source, track').forEach((element) => {
    if (pictures(element.getAttribute('srcset') ?? '') === undefined) element.removeAttribute('srcset');
    if (isOutside(element.getAttribute('poster'))) element.removeAttribute('poster');
    element.removeAttribute('srcdoc');
    const src = element.getAttribute('src');
    const [there] = /^(iframe|embed)$/.test(element.localName) ? [] : found(src, element.localName === 'img');
    if (there || src === null) return src !== null && element.setAttribute('src', there);
    const stand = document.createElement('span');
    const given = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]));
    if (!/^(source|track)$/.test(element.localName)) render(h(Absent, { kind: element.localName, given }), stand);
    element.replaceWith(...stand.childNodes);
  });
  return box.innerHTML;
};

const outer = options.vnode;
options.vnode = (vnode) => {
  if (typeof vnode.type === 'string') {
    const { props } = vnode;
    if (props.dangerouslySetInnerHTML) {
      const { __html: html } = props.dangerouslySetInnerHTML;
      props.dangerouslySetInnerHTML = { __html: vnode.type === 'style' && typeof html === 'string' ? inertCss(html) : inertHtml(html) };
    }
    renamed(props);
    if ('style' in props) props.style = inertStyle(props.style);
    if ('poster' in props) [props.poster] = found(props.poster, true);
    for (const name of ['srcSet', 'srcset']) if (name in props) props[name] = pictures(props[name]);
    if ('href' in props) props.href = address(props.href);
    TAGS[vnode.type]?.(vnode);
    delete props.noZoom;
  }
  outer?.(vnode);
};

// ---- components that draw themselves again and again

/** As in React: more updates of a component than this without a pause have no end. */
const MOST_UPDATES = 50;
let turn = 0;
let isCounting = false;
const updates = new WeakMap();
const before = options.__r;
options.__r = (vnode) => {
  if (!isCounting) {
    isCounting = true;
    setTimeout(() => {
      isCounting = false;
      turn++;
    });
  }
  const known = updates.get(vnode.__c);
  const count = known?.turn === turn ? known.count + 1 : 1;
  updates.set(vnode.__c, { turn, count });
  if (count > MOST_UPDATES) throw new Error('a component draws itself again without an end');
  before?.(vnode);
};

// ---- parts that the exporter rendered

/**
 * The tree that a part stands in: `{ parts: what is there at first, spare: Map of HTML, live: Map of what is drawn inside children, isDrawn,
 * isMoved: whether parts stand elsewhere now }`. It comes with whatever context there is around a part.
 */
class Within extends Component {
  getChildContext() {
    return { ...this.props.around, tree: this.props.tree };
  }
  render({ children }) {
    return children;
  }
}

const PLACES = '[data-part],[data-children],[data-live],[data-island]';
const topParts = (nodes) => nodes.flatMap((node) => {
  if (node.nodeType !== 1 || (node.matches(PLACES) && !node.matches('[data-part]'))) return [];
  return node.matches('[data-part]') ? [node] : topParts([...node.children]);
});
/** Where a tree is drawn: in an element, or between two `<template>`s where no other element may stand. */
const placeOf = (element) => {
  if (element.localName !== 'template') return { box: element, nodes: [...element.childNodes], put: (nodes) => element.replaceChildren(...nodes) };
  const parent = element.parentNode;
  const nodes = [];
  let end = element.nextSibling;
  for (; end && end.dataset?.end === undefined; end = end.nextSibling) nodes.push(end);
  const insertBefore = (node, before) => parent.insertBefore(node, before ?? end);
  const put = (nodes) => {
    while (element.nextSibling && element.nextSibling !== end) element.nextSibling.remove();
    for (const node of nodes) insertBefore(node);
  };
  return { box: { nodeType: 1, namespaceURI: parent.namespaceURI, ownerDocument: document, firstChild: null, childNodes: [], insertBefore }, nodes, put };
};
const treeOf = (nodes, spare, live) => ({
  parts: topParts(nodes).map((part) => ({ ...outerOf(part), number: part.dataset.part, nodes: [...part.childNodes], used: false })),
  spare,
  live,
  isDrawn: false,
  isMoved: false,
});
/** An element without what is in it, and that as HTML. */
const outerOf = (element) => ({
  tag: element.localName,
  more: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
  html: element.innerHTML,
});
const show = (tree, what, box, around) => render(h(Within, { tree, around }, what), box);
/** Draws a tree in place of its first state. */
const replace = (tree, what, { box, put }, around) => {
  put([]);
  show(tree, what, box, around);
  tree.isDrawn = true;
};

/** Components whose children are drawn by their own script. */
const OPEN = /^(Card|Note|Warning|Info|Tip|Check|Danger|Callout|Accordion|Frame|Column|Panel|Expandable|Badge|Steps|Step|ResponseField|ParamField|AccordionGroup|CardGroup|Columns)$/;
/** What a value says, for comparing. */
const said = (value, depth = 0) => {
  if (typeof value === 'function') return 'f';
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? '';
  if (depth > 8) return '…';
  if (Array.isArray(value)) return `[${value.map((one) => said(one, depth + 1)).join()}]`;
  if (isValidElement(value)) return `<${value.type.displayName ?? value.type.name ?? value.type}${said(value.props, depth + 1)}`;
  return `{${Object.keys(value).sort().map((name) => `${name}:${said(value[name], depth + 1)}`).join()}}`;
};
const keyOf = (name, given) => {
  const { key, ref, children, ...rest } = given;
  return name + said(children === undefined || OPEN.test(name) ? rest : { ...rest, children });
};
/** What components of ours look like, by their names and props: as the first state shows them, and as the exporter rendered them ahead. */
const drawn = new Map();
const foreseen = new Map();
const textOf = (node) => (Array.isArray(node) ? node.map(textOf).join('') : isValidElement(node) ? textOf(node.props.children) : typeof node === 'string' || typeof node === 'number' ? String(node) : '');

/** Counts the steps again among which a part comes or goes. */
const countSteps = (box) => {
  const steps = box.parentElement?.closest('.steps');
  if (steps && !recounted.has(steps)) recounted.add(steps) && queueMicrotask(() => recount(steps));
};
const recounted = new Set();
const recount = (steps) => {
  recounted.delete(steps);
  let count = 0;
  for (const step of steps.querySelectorAll('.step')) {
    if (step.parentElement.closest('.steps') !== steps) continue;
    count = Number(step.dataset.number ?? count + 1);
    const badge = step.querySelector('.step-number');
    if (badge && !badge.firstElementChild) badge.textContent = count;
  }
};

class Part extends Component {
  constructor(props, context) {
    super(props, context);
    const { tree } = context;
    this.tree = tree;
    this.box = createRef();
    this.holes = [];
    const { number, name, given } = props;
    this.key = number === undefined ? keyOf(name, given) : '';
    // a child is known by its number, a component of ours by its turn
    const parts = tree.isDrawn && number === undefined ? [] : tree.parts.filter((part) => part.number === String(number ?? ''));
    const part = parts.find((part) => !part.used) ?? (number === undefined ? undefined : parts[0]);
    if (part && this.key) drawn.set(this.key, part);
    this.part = part ? { ...part, nodes: part.used ? undefined : part.nodes } : this.known() ?? { tag: 'div', html: this.made() };
    if (part) part.used = true;
  }
  known() {
    const { number } = this.props;
    if (number === undefined && drawn.has(this.key)) return { ...drawn.get(this.key), nodes: undefined };
    const html = number === undefined ? foreseen.get(this.key) : this.tree.spare.get(String(number));
    if (html === undefined) return;
    if (/^<(li|dt|dd)\b/.test(html)) {
      const box = document.createElement('template');
      box.innerHTML = html;
      return outerOf(box.content.firstElementChild);
    }
    return { tag: /^<(span|svg|img|a|code)\b/.test(html) ? 'span' : 'div', html };
  }
  made() {
    const { name, given } = this.props;
    const box = document.createElement('div');
    if (name === 'CodeBlock') {
      box.className = 'code-block';
      const pre = box.appendChild(document.createElement('pre'));
      pre.tabIndex = 0;
      pre.appendChild(document.createElement('code')).textContent = textOf(given.children);
      return box.outerHTML;
    }
    box.className = String(name).toLowerCase();
    const title = given.title ?? given.label ?? given.name;
    if (typeof title === 'string') box.appendChild(document.createElement('strong')).textContent = title;
    box.appendChild(document.createElement('div')).dataset.children = '';
    return box.outerHTML;
  }
  hole() {
    return this.props.number === undefined ? this.box.current?.querySelector('[data-children]:not([data-live])') : null;
  }
  // what it holds is a tree of its own, which the island's script goes on rendering
  draw() {
    const box = this.hole();
    if (!box) return;
    const { children } = this.props.given;
    if (this.inner) return show(this.inner, children, box, this.context);
    const place = placeOf(box);
    this.inner = treeOf(place.nodes, this.tree.spare, this.tree.live);
    replace(this.inner, children, place, this.context);
  }
  /** Draws what scripts draw inside a child, each in its place. */
  fill() {
    const { live, spare } = this.tree;
    const all = this.props.number === undefined ? [] : [...this.box.current.querySelectorAll('[data-live]')];
    const own = all.filter((hole) => live.has(hole.dataset.live) && hole.parentElement.closest('[data-part],[data-live]') === this.box.current);
    this.holes = own.map((hole) => {
      const place = placeOf(hole);
      replace(treeOf(place.nodes, spare, live), live.get(hole.dataset.live), place, this.context);
      return place.box;
    });
  }
  empty() {
    const box = this.hole();
    if (box && this.inner) render(null, box);
    this.inner = null;
    for (const hole of this.holes) render(null, hole);
    this.holes = [];
  }
  /** Its props say something else now. */
  change(before) {
    const { name, given } = this.props;
    const known = this.known();
    if (known) {
      this.empty();
      this.box.current.innerHTML = known.html;
      return;
    }
    const box = this.box.current;
    for (const prop of Object.keys(given)) {
      const [was, is] = [before[prop], given[prop]];
      if (prop === 'children' ? OPEN.test(name) : said(was) === said(is)) continue;
      if (prop === 'href' && typeof is === 'string') box.querySelector('a')?.setAttribute('href', address(is));
      else if (prop === 'children' && name === 'CodeBlock') (box.querySelector('pre code') ?? {}).textContent = textOf(is);
      else if (prop !== 'children' && !/^(icon|color|class|style)/.test(prop)) retold(box, textOf(was).trim(), textOf(is));
    }
  }
  componentDidMount() {
    const { nodes, html } = this.part;
    this.tree.isMoved = true;
    if (nodes) this.box.current.append(...nodes);
    else this.box.current.innerHTML = html;
    this.fill();
    this.draw();
    countSteps(this.box.current);
  }
  componentDidUpdate({ given: before }) {
    const key = this.props.number === undefined ? keyOf(this.props.name, this.props.given) : '';
    if (key !== this.key) {
      this.key = key;
      this.change(before);
    }
    this.draw();
  }
  componentWillUnmount() {
    countSteps(this.box.current);
    this.empty();
  }
  render() {
    return h(this.part.tag, { ...this.part.more, ref: this.box, 'data-part': this.props.number ?? '' });
  }
}
/** Puts other words where some stood. */
const retold = (box, was, is) => {
  if (!was) return;
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const around = text.parentElement.closest('[data-children]'); // what scripts draw in it they change themselves
    if (text.data.trim() === was && (!around || around.contains(box))) return void (text.data = is);
  }
};

const ours = new Map();
const builtin = (name) => {
  let component = ours.get(name);
  if (!component) {
    component = (given) => h(Part, { name, given });
    component.displayName = name;
    ours.set(name, component);
    for (const part of { Tree: ['Folder', 'File'], FileTree: ['Folder', 'File'], Color: ['Row', 'Item'], GitHub: ['Repo'], Github: ['Repo'] }[name] ?? []) component[part] = builtin(`${name}.${part}`);
  }
  return component;
};
const kept = new Map();
const child = (number) => {
  let component = kept.get(number);
  if (!component) kept.set(number, (component = (given) => h(Part, { number, given })));
  return component;
};

// ---- values

const one = (list) => (list.length === 1 ? list[0] : list);
const member = (module, path) => {
  if (path === '*') return module;
  if (path[0] === '<') return path.slice(1) || Fragment; // an element of the page itself, or nothing but a value
  if (path === 'default' && module && !('default' in module)) return Object.values(module)[0];
  return path.split('.').reduce((value, key) => value?.[key], module);
};
const decode = (value) => {
  if (!Array.isArray(value)) return value;
  switch (value[0]) {
    case 'a': return value.slice(1).map(decode);
    case 'o': {
      const out = {};
      for (let at = 1; at < value.length; at += 2) out[value[at]] = decode(value[at + 1]);
      return out;
    }
    case 'n': return one(value.slice(1).map(decodeNode));
    case 'c': return member(modules.get(value[1]), value[2]);
    case 's': return builtin('Snippet');
    case 'f': return thunks[value[1]]?.(...data.thunks[value[1]].map(decode));
    case 'b': return builtin(value[1]);
    case 'r': return value[1] === 'default' || value[1] === '*' ? React : React[value[1]];
    default: return undefined;
  }
};
/** What scripts draw inside the children of the island that is being read. */
let live;
const decodeNode = (node) => {
  if (typeof node === 'string') return node;
  if (node[0] === 'l') {
    const made = decodeNode(node[2]);
    live.set(String(node[1]), made);
    return made;
  }
  if (node[0] === 'v') return decode(node[1]);
  const held = node[0] === 'h' ? 1 : 0;
  const props = decode(node[2 + held]) ?? {};
  const kids = node[3 + held].map(decodeNode);
  if (kids.length > 0) props.children = one(kids);
  return h(held ? child(node[1]) : decode(node[1]), props);
};

// ---- start

const load = ([id, names, stars]) => {
  const exported = {};
  modules.set(id, exported);
  for (const star of stars ?? []) Object.assign(exported, modules.get(star));
  const given = {};
  for (const [local, value] of names ?? []) given[local] = decode(value);
  Object.assign(exported, factories.get(id)?.(given));
};
const wake = (box) => {
  const [module, name, props, kids, spare] = data.islands[box.dataset.island];
  live = new Map();
  const place = placeOf(box);
  const first = place.nodes.map((node) => node.cloneNode(true));
  const tree = treeOf(place.nodes, new Map(Object.entries(spare)), live);
  // a form of a component has nowhere to send to
  box.parentElement.addEventListener('submit', (event) => event.preventDefault());
  try {
    const given = decode(props);
    const children = kids.map(decodeNode);
    if (children.length > 0) given.children = one(children);
    replace(tree, h(member(modules.get(module), name), given), place);
  } catch (_) {
    // what cannot run here stays as it was, if possible with what other scripts know of it
    place.put(tree.isMoved ? first : place.nodes);
  }
};
const given = [h, Fragment, Fragment, React, hooks.useState, hooks.useEffect, hooks.useLayoutEffect, hooks.useRef, hooks.useCallback, hooks.useMemo, hooks.useContext, hooks.useReducer, hooks.useId, {}];
window.__offprint = {
  module: (id) => (make) => factories.set(id, make(...given)),
  thunks: (make) => (thunks = make(...given)),
};
addEventListener('DOMContentLoaded', () => {
  try {
    Object.assign(data, JSON.parse(document.getElementById('op-islands').textContent));
    data.modules.forEach(load);
    for (const [, , , , spare] of data.islands) for (const [key, html] of Object.entries(spare)) if (!/^\d/.test(key)) foreseen.set(key, html);
  } catch (_) {
    return;
  }
  document.querySelectorAll('[data-island]').forEach((box) => {
    // an island inside another belongs to that one
    if (!box.parentElement.closest('[data-island]')) wake(box);
  });
});
