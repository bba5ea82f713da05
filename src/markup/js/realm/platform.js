// ---- what browsers have besides the language: what only computes computes, what would wait never comes

const { deleteProperty, set: assignProperty } = Reflect;
const NativeError = Error;
const NativeReferenceError = ReferenceError;
const NativeMap = Map;
const NativeSet = Set;
const wellFormed = String.prototype.toWellFormed;
const dice = Math.random;
const { floor } = Math;
const nothing = () => {};
const later = () => {
  alive = true; // the reader's browser may call it
  return 0;
};
const fault = (name, message) => {
  const error = new NativeError(message);
  error.name = name;
  return error;
};

const SIXTY_FOUR = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const btoa = (value) => {
  const text = String(value);
  spend(text.length * 8);
  let out = '';
  for (let at = 0; at < text.length; at += 3) {
    const [one, two, three] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    if (one > 255 || two > 255 || three > 255) throw fault('InvalidCharacterError', 'the text holds characters beyond Latin-1');
    out += SIXTY_FOUR[one >> 2] + SIXTY_FOUR[((one & 3) << 4) | (two >> 4)];
    out += (at + 1 < text.length ? SIXTY_FOUR[((two & 15) << 2) | (three >> 6)] : '=') + (at + 2 < text.length ? SIXTY_FOUR[three & 63] : '=');
  }
  return sum(out);
};
const atob = (value) => {
  let text = String(value).replace(/[\t\n\f\r ]+/g, '');
  spend(text.length * 8);
  if (text.length % 4 === 0) text = text.replace(/==?$/, '');
  if (text.length % 4 === 1) throw fault('InvalidCharacterError', 'the text is not encoded correctly');
  let [out, bits, kept] = ['', 0, 0];
  for (let at = 0; at < text.length; at++) {
    const six = SIXTY_FOUR.indexOf(text[at]);
    if (six < 0) throw fault('InvalidCharacterError', 'the text is not encoded correctly');
    kept = (kept << 6) | six;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += String.fromCharCode(kept >> bits);
      kept &= (1 << bits) - 1;
    }
  }
  return sum(out);
};

const copied = (value, seen) => {
  if (typeof value === 'function' || typeof value === 'symbol') throw fault('DataCloneError', 'a ' + typeof value + ' cannot be cloned');
  if (value === null || typeof value !== 'object') return value;
  if (seen.has(value)) return seen.get(value);
  spend(16);
  const keep = (copy) => (seen.set(value, copy), copy);
  if (value instanceof NativeDate) return keep(new Date(+value));
  if (isPattern(value)) return keep(new RegExp(value.source, value.flags));
  if (value instanceof NativeMap) {
    const copy = keep(new NativeMap());
    for (const [key, item] of [...value]) copy.set(copied(key, seen), copied(item, seen));
    return copy;
  }
  if (value instanceof NativeSet) {
    const copy = keep(new NativeSet());
    for (const item of [...value]) copy.add(copied(item, seen));
    return copy;
  }
  if (value instanceof NativeError) {
    const copy = keep(new NativeError(value.message));
    copy.name = value.name;
    return copy;
  }
  const copy = keep(isArray(value) ? [] : {});
  if (isArray(value)) copy.length = rounds(value);
  const keys = keysOf(value);
  for (let at = 0; at < keys.length; at++) {
    spend(8);
    copy[keys[at]] = copied(value[keys[at]], seen);
  }
  return copy;
};

// addresses are the program's: it reads them as browsers do
const asked = (operation, text, more) => {
  spend((text.length + (more?.length ?? 0)) * 4 + 100);
  const answer = address(operation, apply(wellFormed, text, []), more === undefined ? '' : apply(wellFormed, more, []));
  return typeof answer === 'string' ? parse(sum(answer)) : undefined;
};
/** What only an address may do with its parameters. */
let follow, refill;
class URLSearchParams {
  #pairs = [];
  #changed = nothing;
  static {
    follow = (params, changed) => {
      params.#changed = changed;
    };
    refill = (params, text) => {
      params.#pairs = asked('pairs', text);
    };
  }
  constructor(init = '') {
    if (init === null || typeof init !== 'object') this.#pairs = asked('pairs', String(init).replace(/^\?/, ''));
    else if (typeof init[Symbol.iterator] === 'function') {
      for (const pair of init) {
        const [name, value, ...more] = pair;
        if (value === undefined || more.length > 0) throw new TypeError('a parameter is a name and a value');
        this.append(name, value);
      }
    } else for (const name of keysOf(init)) this.append(name, init[name]);
  }
  get size() {
    return this.#pairs.length;
  }
  append(name, value) {
    spend(16);
    this.#pairs[this.#pairs.length] = [String(name), String(value)];
    this.#changed();
  }
  delete(name, value) {
    this.#pairs = this.#pairs.filter((pair) => pair[0] !== String(name) || (value !== undefined && pair[1] !== String(value)));
    this.#changed();
  }
  get(name) {
    return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null;
  }
  getAll(name) {
    return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
  }
  has(name, value) {
    return this.#pairs.some((pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value)));
  }
  set(name, value) {
    const at = this.#pairs.findIndex((pair) => pair[0] === String(name));
    if (at < 0) return this.append(name, value);
    this.#pairs = this.#pairs.filter((pair, index) => index <= at || pair[0] !== String(name));
    this.#pairs[at] = [String(name), String(value)];
    this.#changed();
  }
  sort() {
    this.#pairs.sort((one, other) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0));
    this.#changed();
  }
  forEach(visit, self) {
    for (let at = 0; at < this.#pairs.length; at++) apply(visit, self, [this.#pairs[at][1], this.#pairs[at][0], this]);
  }
  *entries() {
    for (let at = 0; at < this.#pairs.length; at++) yield [...this.#pairs[at]];
  }
  *keys() {
    for (let at = 0; at < this.#pairs.length; at++) yield this.#pairs[at][0];
  }
  *values() {
    for (let at = 0; at < this.#pairs.length; at++) yield this.#pairs[at][1];
  }
  [Symbol.iterator]() {
    return this.entries();
  }
  toString() {
    return asked('form', quote(this.#pairs.map((pair) => pair.map((text) => apply(wellFormed, text, [])))));
  }
}
class URL {
  #parts;
  #params;
  static {
    const PARTS = ['protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'href', 'origin'];
    for (let at = 0; at < PARTS.length; at++) {
      const part = PARTS[at];
      const set = part === 'origin' ? undefined : function (value) {
        const parts = asked('set ' + part, this.#parts.href, String(value));
        if (!parts) throw new TypeError('Invalid URL');
        this.#parts = parts;
        if (part === 'search' || part === 'href') refill(this.#params, parts.search.slice(1));
      };
      defineProperty(URL.prototype, part, { get() { return this.#parts[part]; }, set, enumerable: true, configurable: true });
    }
  }
  constructor(url, base) {
    this.#parts = asked('read', String(url), base === undefined ? undefined : String(base));
    if (!this.#parts) throw new TypeError('Invalid URL');
    this.#params = new URLSearchParams(this.#parts.search);
    follow(this.#params, () => {
      this.#parts = asked('set search', this.#parts.href, this.#params.toString());
    });
  }
  get searchParams() {
    return this.#params;
  }
  toString() {
    return this.#parts.href;
  }
  toJSON() {
    return this.#parts.href;
  }
  static parse(url, base) {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }
  static canParse(url, base) {
    return URL.parse(url, base) !== null;
  }
  static createObjectURL() {
    alive = true;
    return '';
  }
  static revokeObjectURL() {}
}

const hexadecimal = (digits) => {
  let out = '';
  while (out.length < digits) out += floor(dice() * 16).toString(16);
  return out;
};
Object.assign(globalThis, {
  btoa,
  atob,
  URL,
  URLSearchParams,
  structuredClone: (value) => copied(value, new NativeMap()),
  setTimeout: later,
  setInterval: later,
  setImmediate: later,
  requestAnimationFrame: later,
  requestIdleCallback: later,
  queueMicrotask: () => void later(),
  clearTimeout: nothing,
  clearInterval: nothing,
  clearImmediate: nothing,
  cancelAnimationFrame: nothing,
  cancelIdleCallback: nothing,
  performance: { timeOrigin: moment, now: () => 0, mark: nothing, measure: nothing, clearMarks: nothing, clearMeasures: nothing, getEntries: () => [], getEntriesByName: () => [], getEntriesByType: () => [] },
  crypto: {
    randomUUID: () => [hexadecimal(8), hexadecimal(4), '4' + hexadecimal(3), '8' + hexadecimal(3), hexadecimal(12)].join('-'),
    getRandomValues(list) {
      const length = rounds(list);
      for (let at = 0; at < length; at++) list[at] = floor(dice() * 4294967296);
      return list;
    },
  },
});

// ---- a browser in which nothing is known yet, for components that cannot be drawn without one

/** As wide as a desk has room for. */
const WIDE = 1280;
const HIGH = 720;
const none = () => null;
const no = () => false;
const list = () => [];
const same = (value) => value;
const never = () => new Promise(nothing);
const listeners = { addEventListener: nothing, removeEventListener: nothing, dispatchEvent: no };
const node = () => ({
  ...listeners,
  style: { setProperty: nothing, removeProperty: nothing, getPropertyValue: () => '' },
  classList: { add: nothing, remove: nothing, replace: no, toggle: no, contains: no },
  dataset: {}, children: [], childNodes: [], parentElement: null, innerHTML: '', innerText: '', textContent: '', value: '', id: '', className: '',
  clientWidth: 0, clientHeight: 0, offsetWidth: 0, offsetHeight: 0, offsetTop: 0, offsetLeft: 0, scrollTop: 0, scrollLeft: 0, scrollWidth: 0, scrollHeight: 0,
  getAttribute: none, setAttribute: nothing, removeAttribute: nothing, hasAttribute: no, toggleAttribute: no, closest: none, matches: no, contains: no,
  appendChild: same, insertBefore: same, removeChild: same, replaceChild: same, append: nothing, prepend: nothing, replaceChildren: nothing, remove: nothing, cloneNode: node,
  querySelector: none, querySelectorAll: list, getElementsByClassName: list, getElementsByTagName: list, focus: nothing, blur: nothing, click: nothing, scrollIntoView: nothing,
  getBoundingClientRect: () => ({ x: 0, y: 0, top: 0, left: 0, right: 0, bottom: 0, width: 0, height: 0 }), getContext: none, play: never, pause: nothing,
});
const storage = () => ({ length: 0, getItem: none, setItem: nothing, removeItem: nothing, clear: nothing, key: none });
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
let madeBrowser;
const browser = () => (madeBrowser ??= newBrowser());
const newBrowser = () => {
  const query = (media) => {
    const [, side, pixels] = /\((max|min)-width:\s*([\d.]+)px\)/.exec(String(media)) ?? [];
    return { ...listeners, media: String(media), matches: side === 'max' ? WIDE <= pixels : side === 'min' ? WIDE >= pixels : false, addListener: nothing, removeListener: nothing };
  };
  const given = {
    __proto__: null,
    ...listeners,
    document: {
      ...node(), title: '', cookie: '', referrer: '', URL: '', readyState: 'loading', hidden: false, visibilityState: 'visible', activeElement: null, documentElement: node(), head: node(), body: node(),
      createElement: node, createElementNS: node, createTextNode: node, createDocumentFragment: node, getElementById: none, execCommand: no, hasFocus: no,
    },
    location: { href: '', origin: '', protocol: '', host: '', hostname: '', port: '', pathname: '', search: '', hash: '', assign: nothing, replace: nothing, reload: nothing, toString: () => '' },
    navigator: { userAgent: '', platform: '', vendor: '', language: 'en', languages: ['en'], onLine: true, maxTouchPoints: 0, hardwareConcurrency: 1, cookieEnabled: true, clipboard: { writeText: never, readText: never }, sendBeacon: no, share: never, vibrate: no },
    history: { length: 1, state: null, pushState: nothing, replaceState: nothing, back: nothing, forward: nothing, go: nothing },
    localStorage: storage(), sessionStorage: storage(),
    screen: { width: WIDE, height: HIGH, availWidth: WIDE, availHeight: HIGH, colorDepth: 24 },
    innerWidth: WIDE, innerHeight: HIGH, outerWidth: WIDE, outerHeight: HIGH, devicePixelRatio: 1, scrollX: 0, scrollY: 0, pageXOffset: 0, pageYOffset: 0,
    matchMedia: query, getComputedStyle: () => ({ getPropertyValue: () => '' }), getSelection: none, fetch: never, open: none, alert: nothing, confirm: no, prompt: none, postMessage: nothing,
    scroll: nothing, scrollTo: nothing, scrollBy: nothing, IntersectionObserver: Observer, MutationObserver: Observer, ResizeObserver: Observer,
  };
  const window = Object.assign(Object.create(globalThis), given);
  window.window = window.self = window.top = window.parent = window;
  given.document.defaultView = window;
  return { ...given, __proto__: null, window, self: window, top: window, parent: window };
};
/** Whether the browser stands in for one now. */
let isIn = false;
const REFUSED = /^'?([\w$]+)'? is not defined/;
/** What an error asks of the browser. */
const askedBy = (error) => {
  if (isIn || !(error instanceof NativeReferenceError)) return undefined;
  const name = apply(exec, REFUSED, [String(error.message)])?.[1];
  return name !== undefined && name in browser() ? name : undefined;
};
const inBrowser = (run) => {
  const given = browser();
  const names = keysOf(given).filter((name) => !(name in globalThis));
  isIn = true;
  try {
    for (let at = 0; at < names.length; at++) assignProperty(globalThis, names[at], given[names[at]]);
    return run();
  } finally {
    isIn = false;
    for (let at = 0; at < names.length; at++) deleteProperty(globalThis, names[at]);
  }
};
