// What scripts of authors find of the language, bounded. For pages, the files of this folder are joined in the order bounds, fixed,
// platform, react, render into one module, which is evaluated in a fresh realm for each page; for configurations that are programs,
// bounds and config are. `meter` is the exporter's: it takes what was spent, in units of some ten nanoseconds, and throws when there is
// nothing left; -1 ends the scripts because text grew too long.
//
// The engine's own loops are never interrupted, so everything that takes longer the larger its input is counted here
// first, or refused. What cannot be bounded is not there: `eval`, `Proxy`, big integers, helpers of iterators.

const LONGEST_TEXT = 1 << 20;
const LONGEST_ARRAY = 1e6;
const LONGEST_PATTERN = 1000;
/** Most prototypes above an object that a native loop looks up: for each place that is empty it goes through all of them. */
const MOST_PROTOTYPES = 32;
/** Most steps of a search that compares at every place. */
const MOST_COMPARED = 1e7;

const { apply, construct } = Reflect;
const { ownKeys } = Reflect;
const { assign, create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys: keysOf } = Object;
const isArray = Array.isArray;
const quote = JSON.stringify;
const parse = JSON.parse;
const { min, max } = Math;

const PIECE = 4096;
let credit = PIECE;
const spend = (units) => {
  credit -= units;
  if (credit < 0) {
    const spent = PIECE - credit;
    credit = PIECE;
    meter(spent);
  }
};
/** The result of an operation that makes text. */
const sum = (value) => {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) meter(-1);
  return value;
};
const hide = (object, name, value) => defineProperty(object, name, { value, writable: true, configurable: true });
const drop = (object, names) => {
  for (let at = 0; at < names.length; at++) delete object[names[at]];
};

// ---- code that nobody compiled, and what is not there

const Uncompiled = function Function() {
  throw new EvalError('code cannot be made from text here');
};
Uncompiled.prototype = Function.prototype;
globalThis.Function = Uncompiled;
const functions = [() => {}, function* () {}, async () => {}, async function* () {}];
for (let at = 0; at < functions.length; at++) hide(getPrototypeOf(functions[at]), 'constructor', Uncompiled);
const iterators = getPrototypeOf(getPrototypeOf([].values()));
drop(iterators, ['chunks', 'drop', 'filter', 'flatMap', 'map', 'take', 'windows', 'every', 'find', 'forEach', 'some', 'includes', 'join', 'reduce', 'toArray', 'constructor']);
drop(globalThis, ['eval', 'Proxy', 'BigInt', 'Iterator', 'performance', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'DisposableStack', 'AsyncDisposableStack', 'SuppressedError', 'DOMException']);
const typed = globalThis.Uint8Array && getPrototypeOf(Uint8Array);
const globals = typed ? ownKeys(globalThis) : [];
for (let at = 0; at < globals.length; at++) if (typeof globalThis[globals[at]] === 'function' && getPrototypeOf(globalThis[globals[at]]) === typed) delete globalThis[globals[at]];
drop(Array, ['fromAsync']);
drop(Math, ['sumPrecise']);
drop(Map, ['groupBy']);
drop(Map.prototype, ['getOrInsert', 'getOrInsertComputed']);
drop(Set.prototype, ['isDisjointFrom', 'isSubsetOf', 'isSupersetOf', 'intersection', 'difference', 'symmetricDifference', 'union']);
drop(RegExp.prototype, ['compile']);
drop(String.prototype, ['anchor', 'big', 'blink', 'bold', 'fixed', 'fontcolor', 'fontsize', 'italics', 'link', 'small', 'strike', 'sub', 'sup', 'isWellFormed']);
Error.stackTraceLimit = 0; // making a trace takes longer than anything else
drop(Error, ['stackTraceLimit', 'prepareStackTrace', 'captureStackTrace']);

// ---- arrays

/** Refuses an object with more prototypes than anything but an attack has. */
const shallow = (object) => {
  let depth = 0;
  for (let at = object; at !== null && at !== undefined; at = getPrototypeOf(at)) {
    if (++depth > MOST_PROTOTYPES) throw new RangeError('the object has too many prototypes');
  }
  return object;
};
/** How many rounds a native loop over `self` takes. */
const rounds = (self) => {
  let length = 0;
  shallow(self);
  if (isArray(self) || typeof self === 'string') length = self.length;
  else if (self !== null && (typeof self === 'object' || typeof self === 'function')) {
    const own = getOwnPropertyDescriptor(self, 'length');
    if (own ? typeof own.value !== 'number' : 'length' in self) throw new TypeError('it is no array');
    length = own ? own.value : 0;
  }
  if (length > LONGEST_ARRAY) throw new RangeError('the array is too long');
  return length;
};
const bound = (prototype, names, make) => {
  for (let at = 0; at < names.length; at++) if (prototype[names[at]]) hide(prototype, names[at], make(prototype[names[at]]));
};
const overArray = (own) => ({
  of(...args) {
    spend((rounds(this) >> 1) + 4);
    return apply(own, this, args);
  },
}).of;
const spreads = (item) => item !== null && (typeof item === 'object' || typeof item === 'function') && (item[Symbol.isConcatSpreadable] ?? isArray(item));
hide(Array.prototype, 'concat', { concat(...items) {
  const out = [];
  for (let at = -1, from = 0; at < items.length; at++, from = out.length) {
    const item = at < 0 ? this : items[at];
    if (!spreads(item)) {
      out[from] = item;
      continue;
    }
    const length = rounds(item);
    for (let place = 0; place < length; place++) if (place in item) out[from + place] = item[place];
    out.length = from + length;
  }
  return out;
} }.concat);
bound(Array.prototype, ['with', 'every', 'some', 'forEach', 'map', 'filter', 'reduce', 'reduceRight', 'fill', 'find', 'findIndex', 'findLast', 'findLastIndex', 'shift', 'unshift', 'reverse', 'toReversed', 'slice', 'splice', 'toSpliced', 'copyWithin'], overArray);
const { map } = Array.prototype;
bound(Array.prototype, ['join', 'toString', 'toLocaleString'], (own) => ({
  of(...args) {
    spend(rounds(this) * 4);
    return sum(apply(own, this, args));
  },
}).of);
bound(Array.prototype, ['includes', 'indexOf', 'lastIndexOf'], (own) => ({
  of(...args) {
    const length = rounds(this);
    if (typeof args[0] === 'string' && args[0].length > 256 && args[0].length * length > MOST_COMPARED) throw new RangeError('the array is too long');
    spend(length >> 1);
    return apply(own, this, args);
  },
}).of);
const byText = (a, b) => {
  const one = String(a), other = String(b);
  spend((min(one.length, other.length) >> 4) + 4);
  return one < other ? -1 : one > other ? 1 : 0;
};
bound(Array.prototype, ['sort', 'toSorted'], (own) => ({
  of(order) {
    spend(rounds(this));
    return apply(own, this, [order === undefined ? byText : order]);
  },
}).of);
const flatten = (list, depth, out) => {
  const length = rounds(list);
  for (let at = 0; at < length; at++) {
    if (!(at in list)) continue;
    if (depth > 0 && isArray(list[at])) flatten(list[at], depth - 1, out);
    else out[out.length] = list[at];
  }
  return out;
};
hide(Array.prototype, 'flat', { flat(depth = 1) {
  return flatten(this, Number(depth) || 0, []);
} }.flat);
hide(Array.prototype, 'flatMap', { flatMap(make, self) {
  return flatten(apply(map, this, [make, self]), 1, []);
} }.flatMap);
bound(String, ['raw'], (own) => ({
  raw(strings, ...values) {
    const { raw } = strings;
    spend(rounds(raw) * 4);
    return sum(own({ raw }, ...values));
  },
}).raw);
bound(Array, ['from'], (own) => ({
  from(items, ...more) {
    if (items !== null && items !== undefined && typeof items[Symbol.iterator] !== 'function') spend(rounds(items));
    return apply(own, this, [items, ...more]);
  },
}).from);

// ---- text

const { exec } = RegExp.prototype;
const sourceOf = getOwnPropertyDescriptor(RegExp.prototype, 'source').get;
const isPattern = (value) => {
  if (value === null || typeof value !== 'object') return false;
  try {
    apply(sourceOf, value, []);
    return true;
  } catch {
    return false;
  }
};
const overText = (own) => ({
  of(...args) {
    const text = typeof this === 'string' || this === null || this === undefined ? this : String(this);
    spend((text?.length >> 2) + 4);
    return sum(apply(own, text, args));
  },
}).of;
bound(String.prototype, ['concat', 'repeat', 'padStart', 'padEnd', 'slice', 'substring', 'substr', 'trim', 'trimStart', 'trimEnd', 'trimLeft', 'trimRight', 'toLowerCase', 'toUpperCase', 'toLocaleLowerCase', 'toLocaleUpperCase', 'toWellFormed'], overText);
const SLOW_TEXT = LONGEST_TEXT / 16;
bound(String.prototype, ['normalize', 'localeCompare'], (own) => ({
  of(...args) {
    const text = String(this);
    if (text.length > SLOW_TEXT || String(args[0] ?? '').length > SLOW_TEXT) throw new RangeError('the text is too long');
    spend(text.length * 4);
    return apply(own, text, args);
  },
}).of);
bound(String.prototype, ['indexOf', 'lastIndexOf', 'includes', 'startsWith', 'endsWith', 'split', 'replace', 'replaceAll', 'match', 'matchAll', 'search'], (own) => ({
  of(what, ...more) {
    if (this === null || this === undefined) throw new TypeError('there is no text');
    const text = String(this);
    spend((text.length >> 2) + 8);
    if (what !== undefined && !isPattern(what)) {
      what = String(what);
      if (what.length > 256 && what.length * text.length > MOST_COMPARED) throw new RangeError('the text is too long');
    }
    return sum(apply(own, text, [what, ...more]));
  },
}).of);
const GLOBALS = ['escape', 'unescape', 'encodeURI', 'encodeURIComponent', 'decodeURI', 'decodeURIComponent', 'parseInt', 'parseFloat'];
for (let at = 0; at < GLOBALS.length; at++) {
  const own = globalThis[GLOBALS[at]];
  hide(globalThis, GLOBALS[at], (value, base) => {
    const text = String(value);
    spend(text.length + 4);
    return sum(own(text, base));
  });
}
Number.parseInt = parseInt;
Number.parseFloat = parseFloat;

// ---- regular expressions: one search asks by itself whether to go on, the next starts anew

hide(RegExp.prototype, 'exec', { exec(value) {
  const text = String(value);
  spend((text.length >> 4) + 100);
  return apply(exec, this, [text]);
} }.exec);
const NativeRegExp = RegExp;
globalThis.RegExp = function RegExp(pattern, flags) {
  if (!isPattern(pattern)) {
    pattern = pattern === undefined ? '' : String(pattern);
    if (pattern.length > LONGEST_PATTERN) throw new RangeError('the pattern is too long');
  }
  spend(pattern.length === undefined ? 1000 : 1000 + pattern.length * 20);
  return construct(NativeRegExp, [pattern, flags], new.target ?? RegExp);
};
RegExp.prototype = NativeRegExp.prototype;
hide(RegExp.prototype, 'constructor', RegExp);
if (NativeRegExp.escape) hide(RegExp, 'escape', (value) => sum(String(value).replace(/[\\^$.*+?()[\]{}|\/-]/g, '\\$&')));

// ---- collections: keys are hashed

for (const [Own, name, hashed] of [[Map, 'Map', ['get', 'set', 'has', 'delete']], [Set, 'Set', ['add', 'has', 'delete']]]) {
  bound(Own.prototype, hashed, (own) => ({
    of(key, value) {
      if (typeof key === 'string') spend(key.length >> 3);
      return apply(own, this, [key, value]);
    },
  }).of);
  const Made = function (items) {
    const self = construct(Own, [], new.target);
    if (items !== null && items !== undefined) {
      for (const item of items) {
        if (name === 'Set') self.add(item);
        else self.set(item[0], item[1]);
      }
    }
    return self;
  };
  defineProperty(Made, 'name', { value: name });
  Made.prototype = Own.prototype;
  hide(Made.prototype, 'constructor', Made);
  globalThis[name] = Made;
}
Object.assign = (target, ...sources) => assign(shallow(target), ...sources);
Object.defineProperties = (object, all) => {
  const names = ownKeys(all);
  for (let at = 0; at < names.length; at++) {
    spend(8);
    if (getOwnPropertyDescriptor(all, names[at])?.enumerable) defineProperty(object, names[at], all[names[at]]);
  }
  return object;
};
Object.create = (prototype, all) => (all === undefined ? create(prototype) : Object.defineProperties(create(prototype), all));
Object.fromEntries = (entries) => {
  const out = {};
  for (const entry of entries) {
    spend(String(entry[0]).length >> 3);
    hide(out, entry[0], entry[1]);
    defineProperty(out, entry[0], { enumerable: true });
  }
  return out;
};
Object.groupBy = (items, by) => {
  const out = Object.create(null);
  let at = 0;
  for (const item of items) {
    const key = by(item, at++);
    spend(String(key).length >> 3);
    if (key in out) out[key][out[key].length] = item;
    else out[key] = [item];
  }
  return out;
};

// ---- data

JSON.parse = (value, revive) => {
  const text = String(value);
  spend(text.length);
  return parse(text, revive);
};
JSON.stringify = (value, chosen, indent) => {
  if (value === null || typeof value !== 'object') return sum(quote(value, chosen, indent));
  // a function of ours: the same object may stand in many places
  const list = isArray(chosen) ? chosen.map(String) : null;
  const visit = function (key, item) {
    spend(8);
    if (typeof chosen === 'function') return apply(chosen, this, [key, item]);
    return list && key !== '' && !isArray(this) && !list.includes(key) ? undefined : item;
  };
  return sum(quote(value, visit, indent));
};
