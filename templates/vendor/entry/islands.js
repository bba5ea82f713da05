// Components that live on in the browser. The page holds their first state in elements with `data-island`, and how to call them in the
// block of data with the id `op-islands` (`src/export/islands.rs` writes it, in the form that `src/js/prelude.js` describes):
//
//   modules  [[number, [[local name, value], …], [module, …]], …] in the order of their evaluation
//   thunks   [[value, …], …] what expressions of the page are given
//   islands  [[module, name, props, children, { number: HTML of a child that the first state does not show }], …]
//   urls     addresses of the source → relative to this page;   root  the way to the root of the site
//
// Children in which no script lives are `["h", number, type, props, children]`: the element with `data-part` of that number, or
// its HTML in the block of data. Components of ours (`data-part` without a number) are kept as they are, in their order.

import { Component, Fragment, cloneElement, createContext, createElement as h, createRef, hydrate, isValidElement, options, render, toChildArray } from 'preact';
import * as hooks from 'preact/hooks';

const data = { modules: [], thunks: [], islands: [], urls: {}, root: '' };
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
const ADDRESSES = ['href', 'src', 'poster'];
const outer = options.vnode;
options.vnode = (vnode) => {
  if (typeof vnode.type === 'string') {
    const { props } = vnode;
    for (const name of ADDRESSES) if (name in props) props[name] = address(props[name]);
    if ('onChange' in props && /^(input|textarea)$/.test(vnode.type) && !/^(checkbox|radio|file)$/.test(props.type)) {
      // React's onChange is the browser's input event
      props.onInput ??= props.onChange;
      delete props.onChange;
    }
    if ('noZoom' in props) delete props.noZoom;
  }
  outer?.(vnode);
};

// ---- parts that the exporter rendered

/** The tree that a part stands in: `{ parts: what is there at first, spare: Map }`. */
const Tree = createContext(null);

const topParts = (within) => [...within.querySelectorAll('[data-part]')].filter((part) => part.parentElement.closest('[data-part],[data-children],[data-island]') === within);
const treeOf = (within, spare) => ({ parts: topParts(within).map((part) => ({ tag: part.localName, number: part.dataset.part, html: part.innerHTML, used: false })), spare });

class Part extends Component {
  constructor(props, tree) {
    super(props, tree);
    this.tree = tree;
    this.base = createRef();
    // a child is known by its number, a component of ours by its turn
    const number = props.number === undefined ? '' : String(props.number);
    const found = tree.parts.find((part) => part.number === number && !(part.used && number === ''));
    if (found) found.used = true;
    this.part = found ?? this.spare(props);
  }
  spare({ number, name, given }) {
    const html = this.tree.spare.get(String(number));
    if (html !== undefined) return { tag: 'div', html };
    const box = document.createElement('div');
    box.className = String(name).toLowerCase();
    const title = given.title ?? given.label ?? given.name;
    if (typeof title === 'string') box.appendChild(document.createElement('strong')).textContent = title;
    box.appendChild(document.createElement('div')).dataset.children = '';
    return { tag: 'div', html: box.outerHTML };
  }
  // what it holds is a tree of its own, which the island's script goes on rendering
  draw(how) {
    const box = this.props.number === undefined && this.base.current?.querySelector('[data-children]');
    if (!box) return;
    this.inner ??= treeOf(box, this.tree.spare);
    how(h(Tree.Provider, { value: this.inner }, this.props.given.children), box);
  }
  componentDidMount() {
    this.draw(hydrate);
  }
  componentDidUpdate() {
    this.draw(render);
  }
  render() {
    const { tag, html } = this.part;
    return h(tag, { ref: this.base, 'data-part': this.props.number ?? '', dangerouslySetInnerHTML: { __html: html } });
  }
}

Part.contextType = Tree;

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
const decodeNode = (node) => {
  if (typeof node === 'string') return node;
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
  const first = box.innerHTML;
  const tree = treeOf(box, new Map(Object.entries(spare)));
  try {
    const given = decode(props);
    const children = kids.map(decodeNode);
    if (children.length > 0) given.children = one(children);
    hydrate(h(Tree.Provider, { value: tree }, h(member(modules.get(module), name), given)), box);
  } catch (_) {
    box.innerHTML = first; // what cannot run here stays as it was
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
  } catch (_) {
    return;
  }
  document.querySelectorAll('[data-island]').forEach((box) => {
    // an island inside another belongs to that one
    if (!box.parentElement.closest('[data-island]')) wake(box);
  });
});
