/* Requests that were sent in this tab: from each a reader comes back to what was in its form. Credentials are no part of it. */

const PAST_REQUESTS = 20;
const PAST_BYTES = 20000;

/** A value as a text that it comes back from, numbers as they were written; nothing of files and of what is large. */
const keepable = (value) => {
  const text = value === undefined || value instanceof File ? "" : toJson(value);
  return text.length > PAST_BYTES ? "" : text;
};
const restored = (text) => (text ? parseJson(text) : undefined);

function historyPart({ method, path }, restore) {
  const read = () => [].concat(readStore("tab", "past").requests || []);
  const write = (requests) => writeStore("tab", "past", { requests });
  const list = h("ul", {});
  const element = h("details", { class: "console-nest console-past" }, h("summary", {}, h("span", { class: "console-label" }, words.history)), h("div", { class: "console-nest-body" }, list));
  const line = (one) => {
    const said = [h("span", { class: "method-pill", "data-method": one.method }, one.method), h("bdi", { class: "console-past-url" }, one.url), h("span", { class: "console-meta" }, one.status)];
    const back = () => restore({ media: one.media, body: restored(one.body), parameters: (name) => restored(one.parameters[name]) });
    if (one.method === method && one.path === path) return h("button", { type: "button", onclick: back }, said);
    return h("a", { href: document.documentElement.dataset.root + one.page }, said);
  };
  const show = () => {
    const requests = read();
    element.hidden = !requests.length;
    list.replaceChildren(...requests.map((one) => h("li", {}, line(one))));
  };
  return {
    element,
    show,
    /** Notes a request before it is sent. */
    add({ shownUrl, media, body }, parameters) {
      const root = new URL(document.documentElement.dataset.root || ".", location.href).href;
      const values = parameters.map((one) => [one.key, keepable(one.get())]);
      const sent = body?.typed != null ? body.typed : keepable(body?.value === undefined ? body : body.value);
      write([{ method, path, url: shownUrl, page: location.href.split("#")[0].slice(root.length), media, parameters: Object.fromEntries(values), body: sent }, ...read()].slice(0, PAST_REQUESTS));
      show();
    },
    /** Notes what came of the last one. */
    answered(status) {
      const [last, ...rest] = read();
      if (last) write([{ ...last, status }, ...rest]);
      show();
    },
  };
}
