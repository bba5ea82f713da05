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
const flat = (kids, out = []) => {
  if (isArray(kids)) for (let at = 0; at < kids.length; at++) flat(kids[at], out);
  else if (kids !== null && kids !== undefined && typeof kids !== 'boolean') out[out.length] = kids;
  return out;
};
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
  useId: () => cell(() => ({ id: 'op-' + ++serial })).id,
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
// what `import()` gives where a module is there: a promise that is kept at once
const $loaded = (value) => {
  const kept = (next) => (next && typeof next.then === 'function' ? next : $loaded(next));
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
globalThis.$loaded = $loaded;
// a component of a module that is loaded later is there from the start
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
  lazy,
  memo: (component) => component,
  forwardRef: (render) => (props) => render(props, null),
  startTransition: call,
  Children: {
    map: (kids, visit) => (kids == null ? kids : flat(kids).map((kid, at) => visit(kid, at))),
    forEach: (kids, visit) => flat(kids).forEach((kid, at) => visit(kid, at)),
    count: (kids) => flat(kids).length,
    toArray: (kids) => flat(kids),
    only: (kids) => flat(kids)[0],
  },
};
const silent = () => {};
Object.assign(globalThis, React, {
  React,
  $h: h,
  $Fragment: Fragment,
  user: {},
  console: { log: silent, warn: silent, error: silent, info: silent, debug: silent, table: silent, group: silent, groupEnd: silent, time: silent, timeEnd: silent, assert: silent },
});
React.default = React;
