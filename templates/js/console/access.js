/* Credentials: what a reader types, and where it is kept. */

/** Credentials by server and scheme: those of the tab, and those that the reader wants to be remembered on the device. */
const STORES = { tab: () => sessionStorage, device: () => localStorage };

function readStore(name, key) {
  try {
    return JSON.parse(STORES[name]().getItem(keyOfSite(key))) || {};
  } catch (_) {
    return {};
  }
}
function writeStore(name, key, all) {
  try {
    if (Object.keys(all).length) STORES[name]().setItem(keyOfSite(key), JSON.stringify(all));
    else STORES[name]().removeItem(keyOfSite(key));
  } catch (_) {}
}
const keyOfSite = (key) => `offprint:${document.documentElement.dataset.site}:console:${key}`;

/** The form of the credentials. They serve all pages that ask the same server, until the tab is closed. */
function accessPart({ requirements }, allowed, origin, { labelled, note }) {
  if (!requirements.some((one) => one.length)) return { add() {}, recall() {}, missing: () => [], usesCookies: () => false };
  const body = h("div", { class: "console-fields" });
  const name = (one) => one.map((scheme) => (scheme.scheme === "apiKey" ? scheme.name : `${scheme.name} (${scheme.scheme})`)).join(" + ") || words.no_authorization;
  const select = h("select", { class: "console-input", "aria-label": words.authorization }, requirements.map((one, at) => h("option", { value: at }, name(one))));
  const secret = (value) => h("input", { class: "console-input", type: "password", autocomplete: "off", spellcheck: "false", value });
  const keyOf = ({ scheme, place, name }) => `${scheme} ${place} ${name}`;
  // a scheme of several alternatives has one form: one of them is shown at a time
  const known = new Map();
  const formOf = (scheme) => {
    if (!known.has(keyOf(scheme))) known.set(keyOf(scheme), makeForm(scheme));
    return known.get(keyOf(scheme));
  };
  const makeForm = (scheme) => {
    const isBasic = scheme.scheme === "basic";
    const inputs = isBasic ? [h("input", { class: "console-input", autocomplete: "off", spellcheck: "false" }), secret()] : [secret(scheme.prefill)];
    const isByHand = /^(digest|mutualTLS)$/.test(scheme.scheme);
    const isToken = /^(oauth2|openIdConnect)$/.test(scheme.scheme);
    const rows = isByHand
      ? [note(words.scheme_note.replace("{}", scheme.scheme))]
      : isBasic
      ? [labelled(words.user, inputs[0]), labelled(words.password, inputs[1])]
        : [labelled([h("code", {}, scheme.name), h("span", { class: "console-type" }, scheme.scheme === "apiKey" ? scheme.place : scheme.scheme)], inputs[0])];
    const grant = grantPart(scheme, allowed, { labelled, note }, (token) => {
      inputs[0].value = token;
      changed(inputs[0]);
    });
    if (grant) {
      inputs.push(grant.client);
      rows.push(grant.element);
    }
    if (isToken) rows.push(note([words.paste_token, scheme.links.map((href) => [" ", h("a", { href, target: "_blank", rel: "noopener noreferrer" }, href)])]));
    if (scheme.place === "cookie") rows.push(note(words.curl_only));
    return { scheme, inputs, rows, isByHand };
  };
  const made = requirements.map((one) => one.map(formOf));
  const current = () => made[Number(select.value)];
  const remember = h("input", { type: "checkbox" });
  const forget = button(words.forget, () => {
    for (const name of ["tab", "device"]) writeStore(name, "keys", {});
    remember.checked = false;
    for (const { inputs } of known.values()) for (const input of inputs) input.value = "";
    forget.hidden = true;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    remember.focus();
  });
  const keep = () => {
    const at = origin();
    for (const name of ["tab", "device"]) {
      const all = readStore(name, "keys");
      const mine = { ...all[at] };
      for (const [key, { inputs }] of known) {
        if (inputs.some((input) => input.value)) mine[key] = inputs.map((input) => input.value);
        else delete mine[key];
      }
      if (at && Object.keys(mine).length && (name === "tab" || remember.checked)) all[at] = mine;
      else delete all[at];
      writeStore(name, "keys", all);
    }
    showForget();
  };
  const showForget = () => (forget.hidden = !["tab", "device"].some((name) => Object.keys(readStore(name, "keys")).length));
  const recall = () => {
    const [device, tab] = [readStore("device", "keys")[origin()], readStore("tab", "keys")[origin()]];
    remember.checked = Boolean(device);
    showForget();
    const mine = { ...device, ...tab };
    for (const [key, { inputs, scheme }] of known) {
      for (const [at, input] of inputs.entries()) if (mine[key]?.[at] && (!input.value || input.value === scheme.prefill)) input.value = mine[key][at];
    }
    // the way to authorize that the reader has what it takes for
    const isReady = (all) => all.length && all.every(({ scheme }) => mine[keyOf(scheme)]?.[0]);
    if (!isReady(current()) && made.some(isReady)) {
      select.value = made.findIndex(isReady);
      show();
    }
  };
  const show = () => body.replaceChildren(...current().flatMap((one) => one.rows));
  select.addEventListener("change", show);
  show();
  const element = h(
    "div",
    { class: "console-fields" },
    requirements.length > 1 && select,
    body,
    h("div", { class: "console-remember" }, h("label", {}, remember, words.remember), forget, note(words.kept)),
  );
  element.addEventListener("input", keep);
  return {
    element,
    recall,
    add: (request) => current().forEach(({ scheme, inputs, isByHand }) => isByHand || authorize(request, scheme, inputs.map((input) => input.value.trim()))),
    missing: () => current().flatMap(({ scheme, inputs, isByHand }) => (isByHand || inputs[0].value ? [] : [scheme.name])),
    usesCookies: () => current().some(({ scheme }) => scheme.place === "cookie"),
  };
}
