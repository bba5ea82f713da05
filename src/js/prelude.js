// What page scripts find in the sandbox, and how the exporter talks to them. Evaluated in a fresh realm for each page.
//
// Values cross as JSON. Data: primitives as they are, everything else as a tagged array:
//   ["u"] undefined   ["a", …] array   ["o", key, value, …] object   ["n", node, …] nodes
//   ["c", module, name] a module's name   ["s", file] an MDX snippet   ["f", n] a value kept here   ["b", name] a built-in component
//   ["r", name] of React
// Nodes, inwards:  "text"   ["e", type value, props object value, [nodes], held]   ["v", value]
// Nodes, outwards: "text"   [type, props object value or 0, [nodes], held]
//   `held` is the number of the node that the exporter keeps for this element, or -1.
(() => {
  'use strict';

  // ---- limits that the engine's own counter does not see

  const LONGEST_ARRAY = 1e6;
  const MOST_NODES = 200000;
  const MOST_TEXT = 4 << 20;
  const DEEPEST_DATA = 64;

  // loops of the engine itself over huge lengths are never interrupted
  for (const name of Object.getOwnPropertyNames(Array.prototype)) {
    const own = Array.prototype[name];
    if (typeof own !== 'function' || name === 'constructor' || name === 'push' || name === 'pop' || name === 'at') continue;
    const bounded = {
      [name](...args) {
        if (this != null && this.length > LONGEST_ARRAY) throw new RangeError('the array is too long');
        return own.apply(this, args);
      },
    }[name];
    Object.defineProperty(Array.prototype, name, { value: bounded, writable: true, configurable: true });
  }
  for (const name of ['values', Symbol.iterator]) Object.defineProperty(Array.prototype, name, { value: Array.prototype.values, writable: true, configurable: true });

  // ---- the same on every day and machine

  const NOW = 1767225600000; // 2026-01-01T00:00:00Z
  const RealDate = Date;
  const zoned = (text) => (/^\d{4}(-\d\d){0,2}$|Z$|[+-]\d\d:?\d\d$|GMT|UTC/.test(text) ? RealDate.parse(text) : RealDate.parse(/^\d{4}-\d\d-\d\dT/.test(text) ? text + 'Z' : text + ' UTC'));
  globalThis.Date = class Date extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(NOW);
      else if (args.length > 1) super(RealDate.UTC(...args));
      else super(typeof args[0] === 'string' ? zoned(args[0]) : args[0]);
    }
    static now() { return NOW; }
    static parse(text) { return zoned(String(text)); }
    getTimezoneOffset() { return 0; }
    toString() { return this.toUTCString(); }
    toDateString() { return this.toUTCString().slice(0, 16); }
    toLocaleDateString(_locale, options) { return dateText(this, options ?? { year: 'numeric', month: 'numeric', day: 'numeric' }); }
    toLocaleTimeString() { return timeText(this); }
    toLocaleString(_locale, options) { return options ? dateText(this, options) : `${dateText(this, { year: 'numeric', month: 'numeric', day: 'numeric' })}, ${timeText(this)}`; }
  };
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    Date.prototype['get' + part] = RealDate.prototype['getUTC' + part];
    if (part !== 'Day') Date.prototype['set' + part] = RealDate.prototype['setUTC' + part];
  }
  const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
  const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const two = (number, style) => (style === '2-digit' ? String(number % 100).padStart(2, '0') : String(number));
  const dateText = (date, options) => {
    if (isNaN(date)) return 'Invalid Date';
    const day = options.day && two(date.getUTCDate(), options.day);
    const year = options.year && two(date.getUTCFullYear(), options.year);
    const weekday = options.weekday && (options.weekday === 'long' ? DAYS[date.getUTCDay()] : DAYS[date.getUTCDay()].slice(0, 3));
    let text;
    if (options.month === 'long' || options.month === 'short') {
      const month = options.month === 'long' ? MONTHS[date.getUTCMonth()] : MONTHS[date.getUTCMonth()].slice(0, 3);
      text = (day ? `${month} ${day}` : month) + (year ? (day ? `, ${year}` : ` ${year}`) : '');
    } else {
      text = [options.month && two(date.getUTCMonth() + 1, options.month), day, year].filter(Boolean).join('/');
    }
    return weekday ? (text ? `${weekday}, ${text}` : weekday) : text;
  };
  const timeText = (date) => `${date.getUTCHours() % 12 || 12}:${two(date.getUTCMinutes(), '2-digit')}:${two(date.getUTCSeconds(), '2-digit')} ${date.getUTCHours() < 12 ? 'AM' : 'PM'}`;
  Number.prototype.toLocaleString = function (_locale, options = {}) {
    const percent = options.style === 'percent';
    const money = options.style === 'currency';
    const most = options.maximumFractionDigits ?? (percent ? 0 : money ? 2 : Math.max(3, options.minimumFractionDigits ?? 0));
    const least = options.minimumFractionDigits ?? (money ? Math.min(2, most) : 0);
    const value = Number(this) * (percent ? 100 : 1);
    if (!isFinite(value)) return String(value);
    let [whole, part = ''] = Math.abs(value).toFixed(Math.min(most, 20)).split('.');
    while (part.length > least && part.endsWith('0')) part = part.slice(0, -1);
    if (options.useGrouping !== false) whole = whole.replace(/\B(?=(\d{3})+$)/g, ',');
    const sign = value < 0 ? '-' : '';
    const symbol = money ? ({ USD: '$', EUR: '€', GBP: '£', JPY: '¥' }[options.currency] ?? options.currency + ' ') : '';
    return sign + symbol + whole + (part && '.' + part) + (percent ? '%' : '');
  };
  globalThis.Intl = {
    NumberFormat: class { constructor(locale, options) { this.format = (value) => Number(value).toLocaleString(locale, options); } },
    DateTimeFormat: class { constructor(locale, options) { this.format = (date) => new globalThis.Date(date ?? NOW).toLocaleDateString(locale, options); } },
  };
  let seed = 0x2545f491;
  Math.random = () => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) / 4294967296;
  };
  delete globalThis.performance;

  // ---- elements, as preact makes them

  const isElement = (value) => value !== null && typeof value === 'object' && value.constructor === undefined && 'props' in value;
  const Fragment = (props) => props.children;
  const h = (type, config, ...kids) => {
    const props = {};
    let key, ref;
    for (const name in config) {
      if (name === 'key') key = config[name];
      else if (name === 'ref' && typeof type !== 'function') ref = config[name];
      else props[name] = config[name];
    }
    if (kids.length > 0) props.children = kids.length === 1 ? kids[0] : kids;
    for (const name in type?.defaultProps) if (props[name] === undefined) props[name] = type.defaultProps[name];
    return { type, props, key, ref, constructor: undefined };
  };
  const flat = (kids) => (Array.isArray(kids) ? kids.flatMap(flat) : kids == null || typeof kids === 'boolean' ? [] : [kids]);
  const cloneElement = (element, config, ...kids) => {
    const { type, props, key, ref } = element;
    const clone = h(type, { ...props, ...config });
    if (kids.length > 0) clone.props.children = kids.length === 1 ? kids[0] : kids;
    return { ...clone, key: config?.key ?? key, ref: config?.ref ?? ref };
  };

  // ---- hooks: the first state; effects do not run

  let current = null; // the component that is rendering: { cells, at, dirty, context }
  let alive = false; // whether anything needs the reader's browser
  let serial = 0;
  const cell = (make) => {
    if (!current) throw new Error('hooks can only be called while a component renders');
    const at = current.at++;
    return (current.cells[at] ??= make());
  };
  const call = (value) => (typeof value === 'function' ? value() : value);
  const useReducer = (reducer, initial, init) => {
    alive = true;
    const self = current;
    const state = cell(() => {
      const state = { value: init ? init(initial) : initial };
      state.dispatch = (action) => {
        const next = reducer(state.value, action);
        if (!Object.is(next, state.value)) {
          state.value = next;
          self.dirty = true;
        }
      };
      return state;
    });
    return [state.value, state.dispatch];
  };
  const useState = (initial) => useReducer((value, next) => (typeof next === 'function' ? next(value) : next), initial, call);
  const effect = () => {
    alive = true;
  };
  const memo = (make, dependencies) => {
    const kept = cell(() => ({}));
    if (!kept.on || !dependencies || dependencies.some((one, at) => !Object.is(one, kept.on[at]))) {
      kept.value = make();
      kept.on = dependencies;
    }
    return kept.value;
  };
  const hooks = {
    useState,
    useReducer,
    useEffect: effect,
    useLayoutEffect: effect,
    useInsertionEffect: effect,
    useImperativeHandle: effect,
    useDebugValue: () => {},
    useRef: (initial) => cell(() => ({ current: initial })),
    useMemo: memo,
    useCallback: (callback, dependencies) => memo(() => callback, dependencies),
    useContext: (context) => {
      for (let scope = current.context; scope; scope = scope.next) if (scope.of === context) return scope.value;
      return context.initial;
    },
    useId: () => cell(() => ({ id: `op-${++serial}` })).id,
    useSyncExternalStore: (_subscribe, get, getServer) => (effect(), (getServer ?? get)()),
    useTransition: () => [false, call],
    useDeferredValue: (value) => value,
  };
  class Component {
    constructor(props) {
      this.props = props;
      this.state = {};
    }
    setState(next) {
      alive = true;
      Object.assign(this.state, typeof next === 'function' ? next(this.state, this.props) : next);
    }
    forceUpdate() {}
    render() {
      return null;
    }
  }
  const createContext = (initial) => {
    const context = { initial, Consumer: (props) => props.children(hooks.useContext(context)) };
    context.Provider = (props) => props.children;
    context.Provider.$provides = context;
    context.displayName = 'Context';
    return context;
  };
  const React = {
    ...hooks,
    createElement: h,
    cloneElement,
    createContext,
    Fragment,
    Component,
    PureComponent: Component,
    StrictMode: Fragment,
    Suspense: Fragment,
    createRef: () => ({ current: null }),
    isValidElement: isElement,
    memo: (component) => component,
    forwardRef: (render) => (props) => render(props, null),
    startTransition: call,
    Children: {
      map: (kids, visit) => (kids == null ? kids : flat(kids).map((kid, at) => visit(kid, at))),
      forEach: (kids, visit) => flat(kids).forEach((kid, at) => visit(kid, at)),
      count: (kids) => flat(kids).length,
      toArray: flat,
      only: (kids) => flat(kids)[0],
    },
  };
  React.default = React;
  const silent = () => {};
  Object.assign(globalThis, hooks, {
    React,
    Fragment,
    $h: h,
    $Fragment: Fragment,
    user: {},
    console: { log: silent, warn: silent, error: silent, info: silent, debug: silent, table: silent, group: silent, groupEnd: silent, time: silent, timeEnd: silent, assert: silent },
  });

  // ---- components that the exporter renders

  const builtins = new Map();
  const builtin = (name) => {
    let component = builtins.get(name);
    if (!component) {
      component = () => null;
      component.$name = name;
      component.displayName = name;
      builtins.set(name, component);
      for (const part of { Tree: ['Folder', 'File'], FileTree: ['Folder', 'File'], Color: ['Row', 'Item'], GitHub: ['Repo'], Github: ['Repo'] }[name] ?? []) component[part] = builtin(`${name}.${part}`);
    }
    return component;
  };
  const snippets = new Map();
  const snippet = (file) => {
    let component = snippets.get(file);
    if (!component) {
      component = () => null;
      component.$name = `$snippet:${file}`;
      snippets.set(file, component);
    }
    return component;
  };

  // ---- rendering: elements to nodes

  let failed = []; // [component, reason]
  let nodes = 0;
  let text = 0;
  const push = (out, more) => {
    text += more.length;
    if (text > MOST_TEXT) throw new RangeError('the component makes too much text');
    if (typeof out[out.length - 1] === 'string') out[out.length - 1] += more;
    else if (more) out[out.length] = more;
  };
  const HELD = Symbol('held');
  const render = (node, context, out, chosen) => {
    if (node === null || node === undefined || typeof node === 'boolean' || typeof node === 'function' || typeof node === 'symbol') return;
    if (typeof node !== 'object') return push(out, String(node));
    if (Array.isArray(node)) {
      for (let at = 0; at < node.length; at++) render(node[at], context, out, chosen);
      return;
    }
    if (!isElement(node)) {
      if (typeof node[Symbol.iterator] === 'function') for (const one of node) render(one, context, out, chosen);
      else if (typeof node.then === 'function') throw new Error('components that are `async` cannot be rendered');
      return;
    }
    if (++nodes > MOST_NODES) throw new RangeError('the component makes too many elements');
    const { type, props } = node;
    if (typeof type === 'string') return host(type, props, context, out, chosen, node[HELD] ?? -1);
    if (type === Fragment) return render(props.children, context, out, chosen);
    if (typeof type === 'object' && type !== null && type.Consumer) return render(props.children, { of: type, value: props.value, next: context }, out, chosen);
    if (typeof type !== 'function') throw new Error(`an element has no component (it is ${type === undefined ? 'undefined: a missing import?' : typeof type})`);
    if (type.$name) {
      const { children, ...rest } = props;
      const kids = [];
      render(children, context, kids);
      out[out.length] = [type.$name, encodeProps(rest, context), kids, node[HELD] ?? -1];
      return;
    }
    if (type.$provides) return render(props.children, { of: type.$provides, value: props.value, next: context }, out, chosen);
    let made;
    try {
      made = type.prototype?.render ? ofClass(type, props) : ofFunction(type, props, context);
    } catch (error) {
      // a component that throws costs itself: its children stay
      if (error === null || error instanceof InternalError || error instanceof RangeError) throw error; // limits
      if (error instanceof ReferenceError && BROWSER.test(error.message)) alive = true; // the reader's browser can draw it
      failed.push([String(type.displayName ?? type.name ?? ''), reason(error)]);
      made = props.children;
    }
    render(made, context, out, chosen);
  };
  const BROWSER = /^'?(window|document|navigator|location|history|localStorage|sessionStorage|matchMedia|screen|performance|crypto|URL|URLSearchParams|fetch|setTimeout|requestAnimationFrame|inner(Width|Height))\b/;
  const reason = (error) => (error instanceof Error ? (error.name === 'Error' ? '' : error.name + ': ') + error.message : `it threw ${String(error)}`);
  const ofFunction = (type, props, context) => {
    const outer = current;
    const self = { cells: [], at: 0, dirty: false, context };
    try {
      let made;
      for (let round = 0; round < 25; round++) {
        current = self;
        self.at = 0;
        self.dirty = false;
        made = type(props);
        if (!self.dirty) break;
      }
      return made;
    } finally {
      current = outer;
    }
  };
  const ofClass = (type, props) => {
    const self = new type(props);
    self.props = props;
    self.state ??= {};
    if (type.getDerivedStateFromProps) Object.assign(self.state, type.getDerivedStateFromProps(props, self.state));
    if (self.componentDidMount || Object.keys(self.state).length > 0) alive = true;
    return self.render(props, self.state);
  };
  const host = (type, props, context, out, chosen, held) => {
    let { children, defaultValue, defaultChecked, ...rest } = props;
    if (type === 'input') {
      rest.value ??= defaultValue;
      rest.checked ??= defaultChecked;
    } else if (type === 'textarea') {
      children = rest.value ?? defaultValue ?? children;
      delete rest.value;
    } else if (type === 'select') {
      chosen = rest.value ?? defaultValue;
      delete rest.value;
    } else if (type === 'option' && chosen !== undefined) {
      const value = rest.value ?? children;
      rest.selected = Array.isArray(chosen) ? chosen.includes(value) : String(chosen) === String(value);
    }
    const kids = [];
    render(children, context, kids, chosen);
    out[out.length] = [type, encodeProps(rest, context), kids, held];
  };

  // ---- values to JSON and back

  const encodeProps = (props, context) => {
    const out = ['o'];
    for (const name of Object.keys(props)) {
      const value = props[name];
      if (typeof value === 'function') {
        if (/^on[A-Z]/.test(name)) alive = true;
        continue;
      }
      if (value !== undefined && typeof value !== 'symbol') out[out.length] = name, out[out.length] = encode(value, context, 0);
    }
    return out.length > 1 ? out : 0;
  };
  let functions = 0;
  const encode = (value, context, depth) => {
    switch (typeof value) {
      case 'string':
        text += value.length;
        if (text > MOST_TEXT) throw new RangeError('the component makes too much text');
        return value;
      case 'boolean': return value;
      case 'number': return Number.isFinite(value) ? value : String(value);
      case 'bigint': return String(value);
      case 'function':
        functions++;
        return value.$name ? ['b', value.$name] : ['u'];
      case 'object': break;
      default: return ['u'];
    }
    if (value === null) return null;
    if (depth > DEEPEST_DATA || ++nodes > MOST_NODES) throw new RangeError('the data is too large, or holds itself');
    if (isElement(value)) {
      const out = ['n'];
      render(value, context, out);
      return out;
    }
    if (Array.isArray(value)) return ['a', ...value.map((one) => encode(one, context, depth + 1))];
    if (value instanceof RealDate) return value.toISOString();
    if (typeof value[Symbol.iterator] === 'function') return ['a', ...[...value].map((one) => encode(one, context, depth + 1))];
    const out = ['o'];
    for (const key of Object.keys(value)) out[out.length] = key, out[out.length] = encode(value[key], context, depth + 1);
    return out;
  };

  const modules = new Map();
  const kept = [];
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
      case 's': return snippet(value[1]);
      case 'f': return kept[value[1]];
      case 'b': return builtin(value[1]);
      case 'r': return value[1] === 'default' || value[1] === '*' ? React : React[value[1]];
      default: return undefined;
    }
  };
  const one = (list) => (list.length === 1 ? list[0] : list);
  const member = (module, path) => {
    if (path === '*') return module;
    // a module's only export also answers to `default`
    if (path === 'default' && module && !('default' in module)) return Object.values(module)[0];
    return path.split('.').reduce((value, key) => value?.[key], module);
  };
  const decodeNode = (node) => {
    if (typeof node === 'string') return node;
    if (node[0] === 'v') return decode(node[1]);
    const props = decode(node[2]);
    const kids = node[3].map(decodeNode);
    if (kids.length > 0) props.children = one(kids);
    const element = h(decode(node[1]), props);
    if (node[4] >= 0) element[HELD] = node[4];
    return element;
  };

  // ---- what the exporter calls

  const fresh = () => {
    alive = false;
    current = null;
    functions = 0;
    failed = [];
    nodes = 0;
    text = 0;
  };
  const result = (out, more) => JSON.stringify({ out, alive, failed, ...more });
  globalThis.$op = {
    /** Evaluates a module. `names`: [local, value] pairs. */
    load: (id, factory, names, stars) => {
      const given = {};
      for (const [local, value] of JSON.parse(names)) given[local] = decode(value);
      const exported = {};
      modules.set(id, exported);
      for (const star of JSON.parse(stars)) Object.assign(exported, modules.get(star));
      Object.assign(exported, factory(given));
    },
    /** Renders `<name …>` of a module. */
    component: (id, name, props, kids) => {
      fresh();
      const type = member(modules.get(id), name);
      const out = [];
      if (type !== undefined && type !== null && typeof type !== 'function' && !isElement(type) && !type.Consumer) throw new Error(`\`${name}\` is no component`);
      if (isElement(type)) render(type, null, out);
      else {
        const given = decode(JSON.parse(props));
        const children = JSON.parse(kids).map(decodeNode);
        if (children.length > 0) given.children = one(children);
        render(h(type, given), null, out);
      }
      return result(out);
    },
    /** The value of a module's name. */
    value: (id, name) => {
      fresh();
      return encoded(member(modules.get(id), name));
    },
    /** The value of an expression. */
    expression: (factory, names) => {
      fresh();
      return encoded(factory(...JSON.parse(names).map(decode)));
    },
  };
  const encoded = (value) => {
    const out = encode(value, null, 0);
    return result(out, { kept: functions > 0 ? kept.push(value) - 1 : -1 });
  };
})();
