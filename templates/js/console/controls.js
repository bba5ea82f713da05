/* Controls: one for each node of the form, `{ element, get, set, problems }`. `get` is `undefined` for what is not sent. */

let lastId = 0;

/** An element with attributes, listeners (`on…`) and children; nothing is ever read as HTML. */
function h(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...shown(children));
  return element;
}

/** What of nested lists stands on the page: a condition that does not hold leaves nothing behind. */
const shown = (children) => children.flat(Infinity).filter((child) => child != null && child !== "" && child !== false && child !== 0);

const button = (text, onclick, attributes) => h("button", { type: "button", class: "console-button", onclick, ...attributes }, text);

/** A number that a double cannot hold is sent and shown as it is written. */
class Written {
  constructor(text) {
    this.text = text;
  }
}

const changed = (element) => element.dispatchEvent(new Event("input", { bubbles: true }));
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Written) && !(value instanceof File);

function numberOf(text) {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text;
  return String(Number(text)) === text ? Number(text) : new Written(text);
}

/** JSON, with numbers as they are written. */
function parseJson(text) {
  return JSON.parse(text, (_, value, context) => (typeof value === "number" && context?.source && String(value) !== context.source ? new Written(context.source) : value));
}

function toJson(value, indent = "") {
  if (value instanceof Written) return value.text;
  if (value instanceof File) return JSON.stringify(value.name);
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const isList = Array.isArray(value);
  const more = `${indent}  `;
  const lines = Object.keys(value).map((key) => more + (isList ? "" : `${JSON.stringify(key)}: `) + toJson(value[key], more));
  const [open, close] = isList ? "[]" : "{}";
  return lines.length ? `${open}\n${lines.join(",\n")}\n${indent}${close}` : open + close;
}

const valueText = (value) => (typeof value === "string" ? value : value instanceof Written ? value.text : isObject(value) || Array.isArray(value) ? toJson(value) : String(value));

/** What a text means where the type is one of several. */
function readMixed(text, { kind, plain }) {
  const may = (word) => kind === "any" || kind === "object" || kind === "" || plain.some((type) => type.startsWith(word));
  const number = numberOf(text);
  if (typeof number !== "string") return may("number") || may("integer") ? number : text;
  if (text === "true" || text === "false") return may("boolean") ? text === "true" : text;
  if (text === "null") return null;
  if (/^\s*[[{]/.test(text) && (may("object") || plain.some((type) => /\[\]|any/.test(type)))) {
    try {
      return parseJson(text);
    } catch (_) {}
  }
  return text;
}

/** The control of one value. */
function scalar(node, id) {
  const { kind, options, isNullable, isRequired } = node;
  const attributes = { id, class: "console-input", "aria-required": isRequired ? "true" : null };
  let held;
  let element;
  if (kind === "file") {
    element = h("input", { ...attributes, type: "file", multiple: node.isMany });
    return {
      element,
      get: () => (node.isMany ? (element.files.length ? [...element.files] : undefined) : element.files[0]),
      set() {},
      problems: () => (isRequired && !element.files.length ? [emptiness(node, element)] : []),
    };
  }
  // one of several types may be none of the values that another lists
  const choices = options.length && kind !== "mixed" ? options : kind === "boolean" ? ["true", "false"] : null;
  if (choices) {
    const all = isNullable && !choices.includes("null") ? [...choices, "null"] : choices;
    element = h("select", attributes, h("option", { value: "" }, isRequired && options.length === 1 ? options[0] : words.unset), all.map((choice) => h("option", { value: `=${choice}` }, choice)));
  } else {
    const isJson = kind === "object" || kind === "any" || kind === "";
    const placeholder = node.example || (isJson ? "{ }" : null);
    element = isJson
      ? h("textarea", { ...attributes, rows: 1, spellcheck: "false", placeholder })
      : h("input", { ...attributes, type: node.isSecret ? "password" : "text", inputmode: kind === "number" ? "decimal" : null, autocomplete: "off", spellcheck: "false", placeholder });
  }
  // several examples are offered while a value is typed
  const offered = element.matches("input[type=text]") && node.examples?.length > 1 && h("datalist", { id: `op-console-${++lastId}` }, node.examples.map(({ label, text }) => h("option", { value: text, label: label || null })));
  if (offered) element.setAttribute("list", offered.id);
  const read = (text) => {
    if (isNullable && text === "null" && kind !== "string") return null;
    if (kind === "string") return choices && isNullable && text === "null" && !options.includes("null") ? null : text;
    if (kind === "boolean") return text === "true" || (text !== "false" && text);
    return kind === "number" ? numberOf(text) : readMixed(text, node);
  };
  const control = {
    element,
    more: offered,
    get() {
      // what was put in comes out as it was until somebody changes it
      if (held && held.shown === element.value) return held.value;
      const text = choices ? element.value.slice(1) : element.value;
      return element.value === "" ? undefined : read(text);
    },
    set(value) {
      const shown = value === undefined ? "" : valueText(value);
      if (choices && value !== undefined && ![...element.options].some((option) => option.value === `=${shown}`)) element.append(h("option", { value: `=${shown}` }, shown));
      element.value = choices && value !== undefined ? `=${shown}` : shown;
      held = value === undefined ? null : { shown: element.value, value };
    },
    problems() {
      const value = control.get();
      if (value === undefined) return isRequired ? [emptiness(node, element)] : [];
      const text = fault(node, value);
      return text ? [{ name: node.name, element, text }] : [];
    },
  };
  if (node.prefill != null) control.set(read(node.prefill));
  return control;
}

/** The name of a field with its type and whether it has to be sent. */
function labelOf(node, attributes) {
  return h(
    attributes?.for ? "label" : "span",
    { class: "console-label", ...attributes },
    h("code", {}, node.name),
    node.isRequired && h("span", { class: "console-required" }, h("span", { "aria-hidden": "true" }, "*"), h("span", { class: "visually-hidden" }, ` ${words.required}`)),
    node.type && h("span", { class: "console-type" }, node.type),
    node.isDeprecated && h("span", { class: "console-deprecated" }, words.deprecated),
  );
}

/** What the page says of a field: its first words and its bounds. */
function hintOf(node) {
  const bounds = node.limits.map(({ text }) => text).join(" · ");
  if (!node.text && !bounds) return null;
  return h("div", { class: "console-hint", id: `op-console-${++lastId}` }, node.text && h("p", {}, node.text), bounds && h("p", {}, bounds));
}

const isNested = (node) => node.kind === "array" || node.fields.length || node.unions.length;

/** A field of the form: a row with its control, or a fold. */
function row(node) {
  if (!isNested(node) || (node.kind === "array" && node.item === "file")) {
    const id = `op-console-${++lastId}`;
    const isMany = node.kind === "array";
    const control = scalar(isMany ? { ...node, kind: "file", isMany, options: [] } : node, id);
    const hint = hintOf(node);
    if (hint) control.element.setAttribute("aria-describedby", hint.id);
    return { ...control, element: h("div", { class: "console-row" }, labelOf(node, { for: id }), h("div", { class: "console-cell" }, control.element, control.more, hint)) };
  }
  const body = h("div", { class: "console-nest-body" }, hintOf(node));
  const element = h("details", { class: "console-nest", open: node.isRequired }, h("summary", {}, labelOf(node)), body);
  let inside;
  // made when it is opened: a description may have thousands of fields
  const make = () => {
    if (!inside) body.append((inside = control(node)).element);
    return inside;
  };
  if (node.isRequired) make();
  element.addEventListener("toggle", () => element.open && make());
  return {
    element,
    get: () => inside?.get(),
    set(value) {
      if (value === undefined && !inside) return;
      make().set(value);
      element.open = element.open || value !== undefined;
    },
    problems: () => (inside ? inside.problems().map((one) => (one.name === node.name ? one : { ...one, name: `${node.name}.${one.name}` })) : []),
  };
}

function control(node) {
  if (node.kind === "array") return list(node);
  if (!node.fields.length && node.unions.length < 2) return node.unions.length ? union(node, node.unions[0]) : scalar(node);
  return object(node, node.unions.map((boxes) => union(node, boxes)));
}

function object(node, unions) {
  const element = h("div", { class: "console-fields" });
  const parts = [];
  let more;
  let rest = {};
  for (const field of node.fields) {
    const child = describe(field);
    if (child.isReadOnly) continue;
    if (/^\{.*\}$/.test(child.name)) {
      more = map(child);
      continue;
    }
    const part = row(child);
    parts.push([child.name, part]);
    element.append(part.element);
  }
  for (const other of [more, ...unions]) if (other) element.append(other.element);
  const get = () => {
    const out = {};
    for (const [name, part] of parts) {
      const value = part.get();
      if (value !== undefined) out[name] = value;
    }
    Object.assign(out, more?.get(), rest);
    let chosen;
    for (const { get } of unions) {
      chosen = get() ?? chosen;
      if (isObject(chosen)) Object.assign(out, chosen);
    }
    return Object.keys(out).length || node.isRequired || isObject(chosen) ? out : chosen;
  };
  return {
    element,
    get,
    set(value) {
      const left = isObject(value) ? { ...value } : {};
      for (const [name, part] of parts) {
        part.set(left[name]);
        delete left[name];
      }
      rest = {};
      if (more) more.set(left);
      else if (!unions.length) rest = left;
      for (const one of unions) one.set(Object.keys(left).length ? left : undefined);
    },
    problems() {
      const value = get();
      if (value === undefined) return [];
      const text = isObject(value) && fault({ ...node, plain: [], kind: "object" }, value);
      return [...parts.map(([, part]) => part), ...unions, ...(more ? [more] : [])].flatMap((one) => one.problems()).concat(text ? [{ name: node.name, element, text }] : []);
    },
  };
}

/** What can be added and removed: items of an array, entries of a map. */
function growing(node, word, make) {
  const items = [];
  const box = h("div", { class: "console-items" });
  const name = node.name || words.body;
  const add = (...given) => {
    const item = make(...given);
    const remove = button("×", () => {
      items.splice(items.indexOf(item), 1);
      const next = line.nextElementSibling || line.previousElementSibling;
      line.remove();
      (next?.querySelector(".console-remove") || more).focus();
      changed(box);
    });
    remove.className = "console-remove";
    const line = h("div", { class: "console-item", role: "group" }, item.elements, remove);
    items.push(item);
    box.append(line);
    [...box.children].forEach((child, at) => {
      child.setAttribute("aria-label", `${name} ${at + 1}`);
      child.lastChild.setAttribute("aria-label", words.remove.replace("{}", `${name} ${at + 1}`));
    });
    return line;
  };
  const more = button(word, () => {
    add().querySelector("input,select,textarea,summary,button").focus();
    changed(box);
  });
  more.append(h("span", { class: "visually-hidden" }, ` ${name}`));
  const clear = () => {
    items.length = 0;
    box.replaceChildren();
  };
  return { element: h("div", { class: "console-list" }, box, more), items, add, clear };
}

function list(node) {
  const item = describe(node.box, node.item);
  const child = { ...item, fields: node.fields, unions: node.unions, prefill: undefined, isRequired: Boolean(node.fields.length), name: node.name };
  const { element, items, add, clear } = growing(node, words.add, () => {
    const id = `op-console-${++lastId}`;
    const part = isNested(child) ? control(child) : scalar(child, id);
    if (!isNested(child)) part.element.setAttribute("aria-label", node.name || words.body);
    return { ...part, elements: [part.element] };
  });
  if (node.isRequired) add();
  const values = () => items.map((part) => part.get()).filter((value) => value !== undefined);
  const self = {
    element,
    get: () => (values().length || node.isRequired ? values() : undefined),
    set(value) {
      clear();
      for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
        add();
        items[items.length - 1].set(one);
      }
    },
    problems() {
      const value = self.get();
      if (value === undefined) return [];
      const text = value.length ? fault({ ...node, kind: "array" }, value) : "";
      const own = value.length ? (text ? [{ name: node.name, element, text }] : []) : [emptiness(node, element)];
      return [...own, ...items.flatMap((part) => part.problems())];
    },
  };
  if (node.prefill != null) {
    try {
      self.set(parseJson(node.prefill));
    } catch (_) {}
  }
  return self;
}

function map(node) {
  const { element, items, add, clear } = growing(node, words.add_entry, (key = "") => {
    const name = h("input", { class: "console-input console-key", "aria-label": words.key, placeholder: words.key, value: key, autocomplete: "off", spellcheck: "false" });
    const child = { ...describe(node.box), name: words.value, isRequired: Boolean(node.fields.length) };
    const id = `op-console-${++lastId}`;
    const part = isNested(node) ? control(child) : scalar(child, id);
    if (!isNested(node)) part.element.setAttribute("aria-label", words.value);
    return { ...part, key: name, elements: [name, part.element] };
  });
  return {
    element,
    get() {
      const out = {};
      for (const { key, get } of items) if (key.value) out[key.value] = get() ?? null;
      return out;
    },
    set(value) {
      clear();
      for (const key of Object.keys(value || {})) {
        add(key);
        items[items.length - 1].set(value[key]);
      }
    },
    problems: () => items.flatMap((part) => part.problems()),
  };
}

/** How well a value fits an alternative. */
function fit(value, box) {
  const node = describe(box);
  const is = { array: Array.isArray(value), object: isObject(value), string: typeof value === "string", boolean: typeof value === "boolean", number: typeof value === "number" || value instanceof Written }[node.kind];
  if (!isObject(value)) return is ? 2 : node.kind === "any" || node.kind === "mixed" ? 1 : 0;
  let score = 0;
  for (const child of node.fields.map((field) => describe(field))) {
    if (!(child.name in value)) score -= child.isRequired ? 2 : 0;
    else score += child.options.length && !child.options.includes(valueText(value[child.name])) ? -9 : 1;
  }
  return score;
}

function union(node, boxes) {
  const made = [];
  const body = h("div", { class: "console-fields" });
  const choice = h(
    "select",
    { class: "console-input console-choice", "aria-label": `${node.name || words.body}: ${words.choose}` },
    boxes.map((box, at) => h("option", { value: at }, box.dataset.variant || describe(box).type)),
  );
  const show = (at) => {
    choice.value = at;
    made[at] = made[at] || control({ ...describe(boxes[at]), name: node.name, isRequired: node.isRequired && !node.fields.length });
    if (!made[at].element.id && made[at].element.matches("input,select,textarea")) made[at].element.setAttribute("aria-label", node.name || words.value);
    body.replaceChildren(made[at].element);
    return made[at];
  };
  const now = () => made[Number(choice.value)];
  // before the form asks for the value
  choice.addEventListener("input", () => show(Number(choice.value)));
  show(0);
  return {
    element: h("div", { class: "console-union" }, choice, body),
    get: () => now().get(),
    set(value) {
      if (value === undefined) return now().set(value);
      const scores = boxes.map((box) => fit(value, box));
      show(scores.indexOf(Math.max(...scores))).set(value);
    },
    problems: () => now().problems(),
  };
}
