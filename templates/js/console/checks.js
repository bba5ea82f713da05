/* What a value has to be, as far as the page says it, and marks beside the fields where it is something else. */

const FORMATS = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
  email: /^[^\s@]+@[^\s@]+$/,
  ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
  uri: /^[a-z][a-z\d+.-]*:\S*$/i,
};

const lengthOf = (value) => [...value].length;
const below = (measure) => (value, bound) => measure(value) < bound;
const above = (measure) => (value, bound) => measure(value) > bound;
const itself = (value) => value;
const sizeOf = (value) => Object.keys(value).length;

/** When a value breaks a bound; which values a bound is for. */
const BOUNDS = {
  number: {
    minimum: below(itself),
    maximum: above(itself),
    exclusiveMinimum: (value, bound) => value <= bound,
    exclusiveMaximum: (value, bound) => value >= bound,
    multipleOf: (value, bound) => bound > 0 && Math.abs(value / bound - Math.round(value / bound)) > 1e-9,
  },
  string: {
    minLength: below(lengthOf),
    maxLength: above(lengthOf),
    pattern(value, _, pattern) {
      try {
        return !new RegExp(pattern, "u").test(value);
      } catch (_) {
        return false;
      }
    },
  },
  array: { minItems: below(sizeOf), maxItems: above(sizeOf), uniqueItems: (value) => new Set(value.map((one) => JSON.stringify(one))).size < value.length },
  object: { minProperties: below(sizeOf), maxProperties: above(sizeOf) },
};

/** A bound as the page says it: `minLength:1 maxLength:50`. */
function limitOf(element) {
  const bounds = element.dataset.limit.split(" ").map((part) => part.split(":"));
  return { text: textOf(element), bounds: bounds.map(([name, bound]) => [name, Number(bound)]), pattern: element.querySelector("code")?.textContent };
}

const typeOfValue = (value) => (Array.isArray(value) ? "array" : value instanceof Written ? "number" : typeof value);

/** What is wrong with the type of a value; empty if nothing is. */
function wrongType({ kind, plain, type, options }, value) {
  const said = plain[0] || "";
  const is = typeOfValue(value);
  const asNumber = value instanceof Written ? value.text : String(value);
  const isWhole = /^-?\d+$/.test(asNumber) || Number.isInteger(Number(asNumber));
  const format = /^string<([\w-]+)>$/.exec(said)?.[1];
  const fits =
    kind === "number" ? is === "number" && (isWhole || !/^(enum<)?integer/.test(said))
    : kind === "boolean" || kind === "array" || kind === "object" ? is === kind
    : kind === "string" && !options.length ? is === "string" && (!FORMATS[format] || FORMATS[format].test(value))
    : true;
  return fits ? "" : words.not_type.replace("{}", said || type || kind);
}

/** What is wrong with a value; empty if nothing is. */
function fault(node, value) {
  if ((value === null && node.isNullable) || value instanceof File) return "";
  const wrong = wrongType(node, value);
  if (wrong) return wrong;
  const checks = BOUNDS[typeOfValue(value)] || {};
  const measured = value instanceof Written ? Number(value.text) : value;
  const broken = node.limits.find(({ bounds, pattern }) => bounds.some(([name, bound]) => checks[name]?.(measured, bound, pattern)));
  return broken ? words.out_of_bounds.replace("{}", broken.text) : "";
}

/** A value that has to be there. */
const emptiness = ({ name }, element) => ({ name, element, text: words.required, isEmpty: true });

const INPUTS = "input,select,textarea";

/** Says beside a control what is wrong with it, and opens what it is folded in. */
function mark({ element, text }) {
  const old = element.getAttribute("aria-describedby")?.split(" ") || [];
  const note = h("p", { class: "console-problem", id: `op-console-${++lastId}` }, text);
  if (element.matches(INPUTS)) {
    element.setAttribute("aria-invalid", "true");
    element.setAttribute("aria-describedby", [...old, note.id].join(" "));
    element.after(note);
  } else element.append(note);
  for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}

/** Takes the marks from a control, or from all in a box. */
function unmark(box) {
  const inputs = box.matches(INPUTS) ? [box] : box.querySelectorAll("[aria-invalid]");
  for (const input of inputs) {
    if (!input.hasAttribute("aria-invalid")) continue;
    const ids = input.getAttribute("aria-describedby").split(" ");
    const notes = ids.filter((id) => document.getElementById(id)?.matches(".console-problem"));
    const rest = ids.filter((id) => !notes.includes(id)).join(" ");
    notes.forEach((id) => document.getElementById(id).remove());
    input.removeAttribute("aria-invalid");
    if (rest) input.setAttribute("aria-describedby", rest);
    else input.removeAttribute("aria-describedby");
  }
  if (!box.matches(INPUTS)) box.querySelectorAll(".console-problem").forEach((note) => note.remove());
}
