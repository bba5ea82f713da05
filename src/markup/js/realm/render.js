// ---- elements to nodes, values to JSON and back
//
// Values cross as JSON. Data: primitives as they are, everything else as a tagged array:
//   ["u"] undefined   ["a", …] array   ["o", key, value, …] object   ["n", node, …] nodes
//   ["c", module, name] a module's name   ["s", file] an MDX snippet   ["f", n] a value kept here   ["b", name] a built-in component
//   ["r", name] of React
// Nodes, inwards:  "text"   ["e", type, props object value, [nodes], held, live?]   ["v", value, live?]
// Nodes, outwards: "text"   [type, props object value, [nodes], held]   ["$live", ["o"], [nodes], live]
//   `held` is the number of the node that the exporter keeps for this element, or -1.
//   `live` is the number of what a script draws inside an element that the exporter keeps: what it drew is marked by it.
//
// What goes out is written as text at once: no object of it is ever in reach of the page's scripts.

const MOST_NODES = 200000;
const MOST_TEXT = 4 << 20;
const MOST_FAILED = 20;
/** Deepest nesting of elements and data, each in the other. */
const DEEPEST = 150;

/** Components that stand for something outside: their names. */
const names = new WeakMap();
const { get: nameGet, set: nameSet } = WeakMap.prototype;
const nameOf = (component) => apply(nameGet, names, [component]);
const standIn = (known, name) => {
  let component = known[name];
  if (!component) {
    component = () => null;
    component.displayName = name;
    apply(nameSet, names, [component, name]);
    known[name] = component;
  }
  return component;
};
const builtins = Object.create(null);
const builtin = (name) => {
  const isNew = !builtins[name];
  const component = standIn(builtins, name);
  if (isNew) {
    const parts = { __proto__: null, Tree: ['Folder', 'File'], FileTree: ['Folder', 'File'], Color: ['Row', 'Item'], GitHub: ['Repo'], Github: ['Repo'] }[name];
    for (let at = 0; at < parts?.length; at++) component[parts[at]] = builtin(name + '.' + parts[at]);
  }
  return component;
};
const snippets = Object.create(null);
const snippet = (file) => standIn(snippets, '$snippet:' + file);

let json; // what is written
let isFirst; // whether nothing stands yet in the array that is open
let waiting; // text that the next text joins
let nodes, text, deep, functionCount, noted;

const put = (more) => {
  json += isFirst ? more : ',' + more;
  isFirst = false;
};
const flush = () => {
  if (waiting === '') return;
  const more = quote(waiting);
  waiting = '';
  put(more);
};
const open = (tag) => {
  flush();
  put('[' + tag);
  isFirst = tag === '';
  if (++deep > DEEPEST * 2) throw new RangeError('it is nested too deeply');
};
const close = () => {
  flush();
  json += ']';
  isFirst = false;
  deep--;
};
const counted = (more) => {
  text += more.length;
  if (text > MOST_TEXT) throw new RangeError('the component makes too much text');
  return more;
};
const countNode = () => {
  if (++nodes > MOST_NODES) throw new RangeError('the component makes too many elements');
};

const HELD = Symbol('held');
const LIVE = Symbol('live');
const heldBy = (element) => (typeof element[HELD] === 'number' ? String(element[HELD] | 0) : '-1');
const NAME = /^[A-Za-z][\w:.-]{0,99}$/;
const render = (node, context, chosen) => {
  if (node === null || node === undefined || typeof node === 'boolean' || typeof node === 'function' || typeof node === 'symbol') return;
  if (typeof node !== 'object') {
    waiting += counted(String(node));
    return;
  }
  if (isArray(node)) {
    for (let at = 0; at < node.length; at++) {
      if (node[at] === undefined) countNode();
      render(node[at], context, chosen);
    }
    return;
  }
  if (!isElement(node)) {
    if (typeof node[Symbol.iterator] === 'function') for (const one of node) render(one, context, chosen);
    else if (typeof node.then === 'function') throw new Error('components that are `async` cannot be rendered');
    return;
  }
  countNode();
  if (typeof node[LIVE] !== 'number') return renderElement(node, context, chosen);
  open('');
  put('"$live"');
  put('["o"]');
  open('');
  renderElement(node, context, chosen);
  close();
  put(String(node[LIVE] | 0));
  close();
};
const renderElement = (node, context, chosen) => {
  const { type, props } = node;
  if (typeof type === 'string') return host(type, props, context, chosen, heldBy(node));
  if (type === Fragment) return render(props.children, context, chosen);
  if (typeof type === 'object' && type !== null && type.Consumer) return render(props.children, { of: type, value: props.value, next: context }, chosen);
  if (typeof type !== 'function') throw new Error('an element has no component (it is ' + (type === undefined ? 'undefined: a missing import?' : typeof type) + ')');
  const name = nameOf(type);
  if (name !== undefined) {
    const { children, ...rest } = props;
    return write(name, rest, children, context, undefined, heldBy(node));
  }
  if (type.$provides) return render(props.children, { of: type.$provides, value: props.value, next: context }, chosen);
  let made;
  try {
    made = drawn(type, props, context);
  } catch (error) {
    made = withoutError(error, type, props, context);
  }
  if (++deep > DEEPEST * 2) throw new RangeError('its components are nested too deeply, or use themselves without an end');
  render(made, context, chosen);
  deep--;
};
const drawn = (type, props, context) => (type.prototype?.render ? ofClass(type, props) : ofFunction(type, props, context));
/** What a component draws that threw. */
const withoutError = (error, type, props, context) => {
  throwLimit(error);
  const name = askedBy(error);
  if (name !== undefined) {
    // the reader's browser can draw it; until then it is drawn as if a browser knew nothing yet
    alive = true;
    try {
      const made = inBrowser(() => drawn(type, props, context));
      note('asks', type, name);
      return made;
    } catch (again) {
      throwLimit(again);
    }
  }
  if (error instanceof ReferenceError && apply(exec, BROWSER, [String(error.message)])) alive = true;
  // it costs itself: its children stay
  note('failed', type, reason(error));
  return props.children;
};
const throwLimit = (error) => {
  if (error === null || error instanceof InternalError || error instanceof RangeError) throw error;
};
/** What is to be told of components: `failed` those that threw, `asks` those that asked for the browser. */
let notes = { failed: '', asks: '' };
const note = (kind, type, words) => {
  if (noted++ < MOST_FAILED) notes[kind] += (notes[kind] && ',') + '[' + quote(short(type.displayName ?? type.name ?? '')) + ',' + quote(words) + ']';
};
const InternalError = globalThis.InternalError;
/** What the stand-in of a browser has not. */
const BROWSER = /^'?(Text(En|De)coder|\w*(Element|Event|Array|Buffer|Stream|Observer)|Image|Audio|Blob|File|FileReader|FormData|Headers|Request|Response|AbortController|DOMParser|XMLHttpRequest|WebSocket|EventSource|Worker|Notification|customElements|indexedDB|caches|WebAssembly|CSS|Node|BroadcastChannel|speechSynthesis|Proxy|BigInt|WeakRef)\b/;
const short = (value) => String(value).slice(0, 200);
/** The engine says that memory is out by an error, by one without a message if there was room for the error alone, and by `null` else. */
const exhausted = (error) => error === null || (error instanceof InternalError && (error.message === 'out of memory' || error.message === ''));
const reason = (error) => {
  try {
    if (exhausted(error)) return 'it took too much memory';
    if (!(error instanceof Error)) return 'it threw ' + (typeof error === 'string' ? quote(short(error)) : short(error));
    const message = String(error.message).split('\n')[0];
    const name = error.name === 'Error' || error.name === 'InternalError' ? '' : error.name + (message && ': ');
    return short(name + message) || 'it threw an error without a message';
  } catch (another) {
    return another === null || another instanceof InternalError ? 'it took too much memory' : 'it threw a value';
  }
};
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
  if (self.componentDidMount || keysOf(self.state).length > 0) alive = true;
  return self.render(props, self.state);
};
const host = (type, props, context, chosen, held) => {
  if (!apply(exec, NAME, [type]) && type !== '$node') throw new Error(quote(short(type)) + ' is no element');
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
    rest.selected = isArray(chosen) ? chosen.includes(value) : String(chosen) === String(value);
  }
  write(type, rest, children, context, chosen, held);
};
const write = (name, props, children, context, chosen, held) => {
  open('');
  put(quote(name));
  encodeProps(props, context);
  open('');
  render(children, context, chosen);
  close();
  put(held);
  close();
};

const encodeProps = (props, context) => {
  open('"o"');
  const names = keysOf(props);
  for (let at = 0; at < names.length; at++) {
    const name = names[at];
    const value = props[name];
    if (typeof value === 'function') {
      if (/^on[A-Z]/.test(name)) alive = true;
      continue;
    }
    if (value === undefined || typeof value === 'symbol') continue;
    countNode();
    put(quote(counted(name)));
    encode(value, context);
  }
  close();
};
const encode = (value, context) => {
  switch (typeof value) {
    case 'string': return put(quote(counted(value)));
    case 'boolean': return put(value ? 'true' : 'false');
    case 'number': return put(Number.isFinite(value) ? String(value) : quote(String(value)));
    case 'function': {
      functionCount++;
      const name = nameOf(value);
      return put(name === undefined ? '["u"]' : '["b",' + quote(name) + ']');
    }
    case 'object': break;
    default: return put('["u"]');
  }
  if (value === null) return put('null');
  if (++nodes > MOST_NODES || deep > DEEPEST * 2) throw new RangeError('the data is too large, or holds itself');
  if (isElement(value)) {
    open('"n"');
    render(value, context);
    return close();
  }
  if (isArray(value)) {
    open('"a"');
    for (let at = 0; at < value.length; at++) {
      countNode();
      encode(value[at], context);
    }
    return close();
  }
  if (isDate(value)) return put(quote(apply(toISOString, value, [])));
  open(typeof value[Symbol.iterator] === 'function' ? '"a"' : '"o"');
  if (typeof value[Symbol.iterator] === 'function') {
    for (const one of value) {
      countNode();
      encode(one, context);
    }
  } else {
    const keys = keysOf(value);
    for (let at = 0; at < keys.length; at++) {
      countNode();
      put(quote(counted(keys[at])));
      encode(value[keys[at]], context);
    }
  }
  close();
};
const { toISOString, getTime } = NativeDate.prototype;
const isDate = (value) => {
  if (!(value instanceof Date)) return false;
  try {
    return !isNaN(apply(getTime, value, []));
  } catch {
    return false;
  }
};

const modules = Object.create(null);
const kept = [];
/** What modules asked the browser for while they were evaluated, by their numbers. */
const asking = Object.create(null);
/** Statements of the module that is evaluated which threw: they cost what they declare. */
let broken = '';
globalThis.$failed = (error, line, names) => {
  throwLimit(error);
  if (askedBy(error) !== undefined) throw error;
  broken += (broken && ',') + '[' + quote(names) + ',' + quote(reason(error)) + ',' + line + ']';
};
const each = (list, from, read) => {
  const out = [];
  for (let at = from; at < list.length; at++) out[at - from] = read(list[at]);
  return out;
};
const decode = (value) => {
  if (!isArray(value)) return value;
  switch (value[0]) {
    case 'a': return each(value, 1, decode);
    case 'o': {
      const out = {};
      for (let at = 1; at < value.length; at += 2) out[value[at]] = decode(value[at + 1]);
      return out;
    }
    case 'n': {
      // several nodes are one value, not a list of them
      const kids = each(value, 1, decodeNode);
      return kids.length === 1 ? kids[0] : h(Fragment, null, ...kids);
    }
    case 'c': return member(modules[value[1]], value[2]);
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
  // an element of the page itself: `<button`, or nothing but a value: `<`
  if (path[0] === '<') return path.slice(1) || Fragment;
  // a module's only export also answers to `default`
  if (path === 'default' && module && !('default' in module)) return module[keysOf(module)[0]];
  let value = module;
  const keys = path.split('.');
  for (let at = 0; at < keys.length; at++) value = value?.[keys[at]];
  return value;
};
const decodeNode = (node) => {
  if (typeof node === 'string') return node;
  if (node[0] === 'v') return node.length > 2 ? living(h(Fragment, null, decode(node[1])), node[2]) : decode(node[1]);
  const props = decode(node[2]);
  const kids = each(node[3], 0, decodeNode);
  if (kids.length > 0) props.children = one(kids);
  const element = h(decode(node[1]), props);
  if (node[4] >= 0) element[HELD] = node[4];
  return node.length > 5 ? living(element, node[5]) : element;
};
const living = (element, number) => {
  element[LIVE] = number;
  return element;
};

// ---- what the exporter calls: the result is JSON, or `!` and why there is none

const fresh = () => {
  alive = false;
  current = null;
  json = '';
  isFirst = true;
  waiting = '';
  notes = { failed: '', asks: '' };
  nodes = text = deep = functionCount = noted = 0;
};
const result = (kept) => {
  const text = '{"out":' + json + ',"alive":' + (alive ? 'true' : 'false') + ',"timed":' + (timed ? 'true' : 'false') + ',"failed":[' + notes.failed + '],"asks":[' + notes.asks + '],"kept":' + kept + '}';
  // what a module asked for while it was loaded is told of the first that uses it
  timed = false;
  return text;
};
const encoded = (value) => {
  encode(value, null);
  // what the browser needs besides data: functions, and elements that do something
  return result(functionCount > 0 || alive ? (kept[kept.length] = value, kept.length - 1) : -1);
};
const operations = {
  __proto__: null,
  /** Evaluates a module. `names`: [local, value] pairs. */
  load(id, factory, names, stars) {
    const given = {};
    const pairs = parse(names);
    for (let at = 0; at < pairs.length; at++) {
      const [local, value] = pairs[at];
      given[local] = decode(value);
      // what it imports may hold what a browser would have said otherwise
      if (isArray(value) && value[0] === 'c') asking[id] ??= asking[value[1]];
    }
    const exported = {};
    modules[id] = exported;
    const all = parse(stars);
    for (let at = 0; at < all.length; at++) Object.assign(exported, modules[all[at]]);
    const make = factory(meter, sum);
    broken = '';
    try {
      Object.assign(exported, make(given));
    } catch (error) {
      throwLimit(error);
      const name = askedBy(error);
      if (name === undefined) throw error;
      asking[id] = name;
      broken = '';
      inBrowser(() => Object.assign(exported, make(given)));
    }
    return '[' + broken + ']';
  },
  /** Renders `<name …>` of a module. */
  component(id, name, props, kids) {
    const type = member(modules[id], name);
    if (asking[id] !== undefined) {
      alive = true;
      note('asks', { name }, asking[id]);
    }
    if (type !== undefined && type !== null && typeof type !== 'function' && typeof type !== 'string' && !isElement(type) && !type.Consumer) throw new Error('`' + name + '` is no component');
    open('');
    if (isElement(type)) render(type, null);
    else {
      const given = decode(parse(props));
      const children = each(parse(kids), 0, decodeNode);
      if (children.length > 0) given.children = one(children);
      render(h(type, given), null);
    }
    close();
    return result(-1);
  },
  /** The value of a module's name. */
  value: (id, name) => encoded(member(modules[id], name)),
  /** The value of an expression. */
  expression: (factory, names) => encoded(apply(factory(meter, sum), undefined, each(parse(names), 0, decode))),
};
const run = (what, ...given) => {
  fresh();
  try {
    return operations[what](...given);
  } catch (error) {
    return '!' + reason(error);
  }
};
