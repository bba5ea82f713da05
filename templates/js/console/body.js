/* The body of a request. */

/** The body: a form, JSON as text, a text or a file, by its media type. */
function bodyPart({ media }, note) {
  if (!media.length) return { get: () => ({}), problems: () => [], set() {} };
  const made = media.map((node) => {
    const kind = kindOfBody(node);
    const isForm = kind === "json" || kind === "form" || kind === "multipart";
    const shape = { ...node, name: "" };
    const inside = isForm ? control(shape) : kind === "file" ? scalar({ ...shape, kind: "file", options: [], name: words.body }) : { element: h("textarea", { class: "console-input", rows: 6, spellcheck: "false", placeholder: node.example }) };
    if (inside.element.matches("input,select,textarea")) inside.element.setAttribute("aria-label", words.body);
    const box = h("div", {}, inside.element);
    const text = () => inside.element.value || undefined;
    const one = {
      media: node.media,
      kind,
      box,
      get: kind === "text" ? text : inside.get,
      set: kind === "text" ? (value) => (inside.element.value = value === undefined ? "" : valueText(value)) : inside.set,
      problems: inside.problems || (() => (node.isRequired && !text() ? [emptiness({ name: words.body }, inside.element)] : [])),
    };
    const made = kind === "json" ? asText(one, inside, box, node) : one;
    return node.given.length && kind !== "file" ? { ...made, picker: picker(node.given, made) } : made;
  });
  /** The examples of the description, each of which fills the form. */
  function picker(given, one) {
    const choice = h("select", { class: "console-input console-choice", "aria-label": words.example }, h("option", { value: "" }, `${words.example}…`), given.map(({ label }, at) => h("option", { value: at }, label || `${words.example} ${at + 1}`)));
    choice.addEventListener("input", () => {
      const { text } = given[Number(choice.value)] || {};
      if (choice.value === "") return;
      unmark(holder);
      try {
        one.set(one.kind === "text" ? text : parseJson(text));
      } catch (_) {
        one.set(text);
      }
    });
    return choice;
  }
  /** The same body as JSON. What one of the two has and the other cannot show is kept. */
  function asText(one, inside, box, { media: type, isRequired }) {
    const area = h("textarea", { class: "console-input console-json", rows: 8, spellcheck: "false", "aria-label": "JSON" });
    const wrong = h("p", { class: "console-missing", role: "alert" });
    let isTyped = false;
    const read = () => {
      const text = area.value.trim();
      return text ? parseJson(text) : undefined;
    };
    const radios = choice([[words.form, false], ["JSON", true]], (typed) => {
      if (typed) {
        const value = inside.get();
        area.value = value === undefined ? "" : toJson(value);
        box.replaceChildren(area, wrong);
      } else {
        try {
          inside.set(read());
        } catch (error) {
          wrong.textContent = words.bad_json.replace("{}", error.message);
          radios.querySelectorAll("input")[1].checked = true;
          return;
        }
        box.replaceChildren(inside.element);
      }
      wrong.textContent = "";
      isTyped = typed;
    });
    area.addEventListener("input", () => {
      wrong.textContent = "";
      try {
        read();
      } catch (error) {
        wrong.textContent = words.bad_json.replace("{}", error.message);
      }
    });
    return {
      ...one,
      radios,
      get() {
        if (isTyped) return area.value.trim() ? { typed: area.value } : undefined;
        const value = inside.get();
        return value === undefined ? undefined : { value };
      },
      set(value) {
        if (isTyped) area.value = value === undefined ? "" : toJson(value);
        else inside.set(value);
        wrong.textContent = "";
      },
      problems() {
        if (!isTyped) return one.problems();
        if (!area.value.trim()) return isRequired ? [emptiness({ name: words.body }, area)] : [];
        try {
          read();
        } catch (error) {
          // another media type may mean what is typed
          if (/[/+]json\b/i.test(type)) return [{ name: words.body, element: area, text: words.bad_json.replace("{}", error.message), isFatal: true }];
        }
        return [];
      },
    };
  }
  const holder = h("div", { class: "console-media" });
  const select = h("select", { class: "console-input console-choice", "aria-label": words.content_type }, made.map((one, at) => h("option", { value: at }, one.media)));
  const current = () => made[Number(select.value)];
  const show = () => holder.replaceChildren(h("div", { class: "console-media-bar" }, made.length > 1 ? select : h("code", {}, made[0].media), current().picker, current().radios), current().box);
  select.addEventListener("change", () => {
    show();
    select.focus();
  });
  show();
  return {
    element: holder,
    get() {
      const { kind, media: type, get } = current();
      return { kind, media: type, body: get() };
    },
    set(type, value) {
      const at = made.findIndex((one) => one.media === type);
      if (at < 0) return;
      select.value = at;
      show();
      made[at].set(value);
    },
    problems: () => current().problems(),
  };
}
