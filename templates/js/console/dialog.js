/* The dialog: the form at the left, the request and its answer at the right. */

function makeConsole() {
  const page = readPage();
  const root = document.documentElement;
  const allowed = allowedOrigins();
  const sections = [];
  const part = (title, ...content) => {
    const id = `op-console-${++lastId}`;
    const made = h("section", { class: "console-group", "aria-labelledby": id }, h("h3", { id }, title), content);
    sections.push(made);
    return made;
  };
  const note = (text) => h("p", { class: "console-note" }, text);
  const labelled = (label, input, more) => {
    input.id = input.id || `op-console-${++lastId}`;
    return h("div", { class: "console-row" }, h("label", { class: "console-label", for: input.id }, label), h("div", { class: "console-cell" }, input, more));
  };

  /* Server */
  const server = serverPart(page, allowed, labelled, note);
  if (server.element) part(words.server, server.element);

  /* Authorization */
  const access = accessPart(page, () => server.origin(), labelled, note);
  if (access.element) part(words.authorization, access.element);

  /* Parameters */
  const parameters = [];
  for (const place of ["path", "query", "header", "cookie"]) {
    if (!page.parameters[place].length) continue;
    const rows = page.parameters[place].map((node) => {
      const made = row(node);
      parameters.push({ place, node, ...made });
      if (place === "header" && isSetByBrowser(node.name)) made.element.append(note(words.curl_only));
      return made.element;
    });
    part({ path: words.path, query: words.query, header: words.headers, cookie: words.cookies }[place], h("div", { class: "console-fields" }, rows), place === "cookie" && note(words.curl_only));
  }

  /* Body */
  const body = bodyPart(page, note);
  if (body.element) part(words.body, body.element);

  /* The request as it stands */
  function request() {
    const base = server.address();
    const out = { method: page.method, headers: [], query: [], cookies: [], ...body.get() };
    const path = page.path.replace(/\{([^{}]+)\}/g, (whole, name) => {
      const given = parameters.find(({ place, node }) => place === "path" && node.name === name);
      const value = given?.get();
      return isEmpty(value) ? whole : inPath(given.node, value, encode);
    });
    for (const { place, node, get } of parameters) {
      const value = get();
      if (isEmpty(value)) continue;
      if (place === "query") out.query.push(...pairsOf(node, value));
      if (place === "header") out.headers.push([node.name, inPath({ ...node, style: "simple" }, value, (text) => text)]);
      if (place === "cookie") out.cookies.push(...pairsOf(node, value).map(([name, one]) => [name, joined(one)]));
    }
    access.add(out);
    // an address that has a query already, and secrets of the query, which are not shown
    const text = (pairs) => queryText(pairs.map(([name, value]) => [name, value]));
    const whole = (pairs) => base + path + (pairs.length ? (/\?/.test(base + path) ? "&" : "?") + text(pairs) : "");
    out.url = whole(out.query);
    out.shownUrl = whole(out.query.map(([name, value, secret]) => [name, secret ? hidden(value) : value]));
    return out;
  }

  /* Around it */
  const address = h("code", { class: "console-address" });
  const send = h("button", { class: "console-send" }, words.send);
  const live = h("p", { class: "visually-hidden", role: "status" });
  const curl = h("code", {});
  const left = h("div", { class: "console-form" }, sections.length ? sections : h("p", { class: "console-note" }, words.nothing));
  const result = h("section", { class: "console-answer", "aria-label": words.response }, h("h3", {}, words.response), h("p", { class: "console-note" }, words.idle));
  const form = h(
    "form",
    { class: "console-box", novalidate: true, autocomplete: "off" },
    h("div", { class: "console-bar" }, h("span", { class: "method-pill", "data-method": page.method }, page.method), address, send, h("button", { type: "button", class: "console-close", "aria-label": words.close, onclick: () => dialog.close() }, "×")),
    h(
      "div",
      { class: "console-columns" },
      left,
      h(
        "div",
        { class: "console-side" },
        h("details", { class: "console-curl", open: true }, h("summary", {}, h("h3", {}, "cURL")), h("div", { class: "console-curl-code" }, h("pre", { class: "console-code", tabindex: "0", "aria-label": "cURL" }, curl), copyButton(() => toCurl(request())))),
        result,
        live,
      ),
    ),
  );
  const dialog = h("dialog", { class: "op-console", "aria-label": `${words.try_it}: ${page.method} ${page.path}`, "data-console": "idle" }, form);
  document.body.append(dialog);

  const refresh = () => {
    const now = request();
    address.textContent = now.shownUrl;
    address.title = now.shownUrl;
    curl.textContent = toCurl({ ...now, url: now.shownUrl }, hidden);
  };
  form.addEventListener("input", (event) => {
    event.target.removeAttribute("aria-invalid");
    refresh();
  });
  form.addEventListener("change", refresh);
  // keys of the page do not work behind the dialog
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.requestSubmit();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => running?.abort());

  /* Sending */
  let running = null;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (running) running.abort();
    else start();
  });

  function show(state, said, ...content) {
    dialog.dataset.console = state;
    result.replaceChildren(h("h3", {}, words.response), ...content.flat().filter(Boolean));
    live.textContent = said;
    if (matchMedia("(max-width: 840px)").matches) result.scrollIntoView();
  }
  function fail(texts, ...more) {
    show("failed", texts.join(" "), h("div", { class: "console-error" }, texts.map((text) => h("p", {}, text))), more);
  }

  async function start() {
    const now = request();
    const missing = [...access.missing(), ...parameters.flatMap((one) => one.missing()), ...body.missing()];
    const hint = missing.length && h("p", { class: "console-missing" }, words.missing.replace("{}", missing.join(", ")));
    for (const input of left.querySelectorAll("[aria-required=true]")) if (!input.value) input.setAttribute("aria-invalid", "true");
    forgetUrls();
    if (/^(TRACE|CONNECT|TRACK)$/.test(now.method)) return fail([words.method_note.replace("{}", now.method)], hint);
    let url;
    try {
      url = new URL(now.url);
    } catch (_) {}
    if (!url || !/^https?:$/.test(url.protocol)) return fail([words.bad_address.replace("{}", now.url)], hint);
    if (allowed && !allowed.includes(url.origin)) return fail(await explain(url, true), hint);
    const bad = now.headers.find(([name, value]) => !/^[!#$%&'*+.^`|~\w-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value));
    if (bad) return fail([words.bad_header.replace("{}", bad[0])], hint);
    const notes = [hint, now.body !== undefined && /^(GET|HEAD)$/.test(now.method) && note(words.curl_only)];
    running = new AbortController();
    const { signal } = running;
    send.textContent = words.cancel;
    show("sending", words.sending, notes, h("p", { class: "console-waiting" }, words.sending));
    let isBlocked = false;
    const onBlocked = () => (isBlocked = true);
    document.addEventListener("securitypolicyviolation", onBlocked);
    const started = performance.now();
    try {
      const response = await fetch(url.href, { ...toFetch(now), signal, credentials: access.usesCookies() ? "include" : "same-origin" });
      await receive(response, started, signal, notes);
    } catch (_) {
      if (signal.aborted) show("canceled", words.canceled, notes, note(words.canceled));
      else {
        // the report of a refusal comes a little later than the refusal
        await new Promise((done) => setTimeout(done, 60));
        fail(await explain(url, isBlocked), notes);
      }
    } finally {
      document.removeEventListener("securitypolicyviolation", onBlocked);
      running = null;
      send.textContent = words.send;
    }
  }

  async function receive(response, started, signal, notes) {
    const reader = response.body?.getReader();
    const { status } = response;
    const reason = response.statusText || REASONS[status] || "";
    const meta = h("span", { class: "console-meta" });
    const line = h("p", { class: "console-status" }, h("strong", { "data-status": String(status)[0] }, `${status} ${reason}`.trim()), meta);
    const headers = headersOf(response);
    const isText = /^text\/|json/i.test(response.headers.get("content-type") || "");
    const early = h("pre", { class: "console-code", "aria-label": words.response });
    const decoder = new TextDecoder();
    let chunks = [];
    let size = 0;
    let isWhole = true;
    show("sending", `${status} ${reason}`, notes, line, headers, h("p", { class: "console-waiting" }, words.sending), early);
    try {
      for (let next; reader && !(next = await reader.read()).done; ) {
        chunks.push(next.value);
        size += next.value.length;
        meta.textContent = sizeText(size);
        // answers that come bit by bit are read while they come
        if (isText && size < LONG_TEXT) early.append(decoder.decode(next.value, { stream: true }));
        if (size > MOST_BYTES) {
          isWhole = false;
          reader.cancel().catch(() => {});
          break;
        }
      }
    } catch (_) {
      isWhole = false;
    }
    const time = performance.now() - started;
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    chunks = [];
    meta.textContent = `${timeText(time)} · ${sizeText(size)}`;
    show(signal.aborted ? "canceled" : "done", `${status} ${reason}, ${meta.textContent}`, notes, line, signal.aborted ? note(words.canceled) : !isWhole && note(words.partial), headers, size || isWhole ? bodyOf(response, bytes) : null);
  }

  return () => {
    access.recall();
    refresh();
    if (!dialog.open) dialog.showModal();
    // the first thing to fill in
    (left.querySelector("input:not([type=radio]):not([type=checkbox]),select,textarea") || send).focus();
  };
}

const hidden = (text) => (text ? "•".repeat(8) : "");

/** The choice of a server, its variables, or an address of the reader's own. */
function serverPart({ servers, path }, allowed, labelled, note) {
  const isWhole = /^https?:\/\//.test(path);
  const isOpen = !allowed && !isWhole;
  const box = h("div", { class: "console-fields" });
  const variables = h("div", { class: "console-fields" });
  const own = h("input", { class: "console-input", type: "url", placeholder: "https://api.example.com", autocomplete: "off", spellcheck: "false" });
  const ownRow = labelled(words.server_address, own);
  const choices = servers.map(({ template, note: text }, at) => h("option", { value: at }, text ? `${template} (${text})` : template));
  if (isOpen) choices.push(h("option", { value: -1 }, words.other_server));
  const select = h("select", { class: "console-input", "aria-label": words.server }, choices);
  let inputs = [];
  const current = () => servers[Number(select.value)];
  const show = () => {
    inputs = (current()?.variables || []).map(({ name, value, values }) => {
      const input = values.length ? h("select", { class: "console-input" }, values.map((one) => h("option", { value: one, selected: one === value }, one))) : h("input", { class: "console-input", value, spellcheck: "false" });
      return { name, input, row: labelled(h("code", {}, name), input) };
    });
    variables.replaceChildren(...inputs.map((one) => one.row));
    ownRow.hidden = Boolean(current());
  };
  select.addEventListener("change", show);
  show();
  if (choices.length > 1) box.append(select);
  box.append(variables);
  if (isOpen) box.append(ownRow);
  if (allowed && choices.length > 1) box.append(note(words.fixed));
  const address = () => {
    if (isWhole) return "";
    const chosen = current();
    if (!chosen) return own.value.trim().replace(/\/+$/, "");
    const filled = chosen.template.replace(/\{([^{}]+)\}/g, (whole, name) => inputs.find((one) => one.name === name)?.input.value || whole);
    try {
      return (location.protocol === "file:" && !/^\w+:/.test(filled) ? filled : new URL(filled, location.href).href).replace(/\/+$/, "");
    } catch (_) {
      return filled;
    }
  };
  return {
    element: !isWhole && (choices.length > 1 || inputs.length || isOpen) ? box : null,
    address,
    origin() {
      try {
        return new URL(isWhole ? path : address()).origin;
      } catch (_) {
        return "";
      }
    },
  };
}

/** Credentials. They stay in the form, unless the reader wants them to be remembered. */
function accessPart({ requirements }, origin, labelled, note) {
  if (!requirements.some((one) => one.length)) return { add() {}, recall() {}, missing: () => [], usesCookies: () => false };
  const storeKey = `offprint:${document.documentElement.dataset.site}:console:keys`;
  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(storeKey)) || {};
    } catch (_) {
      return {};
    }
  };
  const store = (all) => {
    try {
      if (Object.keys(all).length) localStorage.setItem(storeKey, JSON.stringify(all));
      else localStorage.removeItem(storeKey);
    } catch (_) {}
  };
  const body = h("div", { class: "console-fields" });
  const name = (one) => one.map((scheme) => (scheme.scheme === "apiKey" ? scheme.name : `${scheme.name} (${scheme.scheme})`)).join(" + ") || words.no_authorization;
  const select = h("select", { class: "console-input", "aria-label": words.authorization }, requirements.map((one, at) => h("option", { value: at }, name(one))));
  const secret = (value) => h("input", { class: "console-input", type: "password", autocomplete: "off", spellcheck: "false", value });
  const made = requirements.map((one) =>
    one.map((scheme) => {
      const isBasic = scheme.scheme === "basic";
      const inputs = isBasic ? [h("input", { class: "console-input", autocomplete: "off", spellcheck: "false" }), secret()] : [secret(scheme.prefill)];
      const isByHand = /^(digest|mutualTLS)$/.test(scheme.scheme);
      const isToken = /^(oauth2|openIdConnect)$/.test(scheme.scheme);
      const rows = isByHand
        ? [note(words.scheme_note.replace("{}", scheme.scheme))]
        : isBasic
          ? [labelled(words.user, inputs[0]), labelled(words.password, inputs[1])]
          : [labelled([h("code", {}, scheme.name), h("span", { class: "console-type" }, scheme.scheme === "apiKey" ? scheme.place : scheme.scheme)], inputs[0])];
      if (isToken) rows.push(note([words.paste_token, ...scheme.links.flatMap((href) => [" ", h("a", { href, target: "_blank", rel: "noopener noreferrer" }, href)])]));
      if (scheme.place === "cookie") rows.push(note(words.curl_only));
      return { scheme, inputs, rows, isByHand };
    }),
  );
  const current = () => made[Number(select.value)];
  const keyOf = ({ scheme }) => `${scheme.scheme} ${scheme.place} ${scheme.name}`;
  const remember = h("input", { type: "checkbox" });
  const forget = button(words.forget, () => {
    store({});
    remember.checked = false;
    for (const { inputs } of made.flat()) for (const input of inputs) input.value = "";
    keep();
    select.dispatchEvent(new Event("change", { bubbles: true }));
    remember.focus();
  });
  const keep = () => {
    const all = stored();
    const at = origin();
    if (remember.checked && at) {
      all[at] = all[at] || {};
      for (const one of made.flat()) if (one.inputs.some((input) => input.value)) all[at][keyOf(one)] = one.inputs.map((input) => input.value);
    } else delete all[at];
    store(all);
    forget.hidden = !Object.keys(all).length;
  };
  const recall = () => {
    const all = stored();
    const mine = all[origin()];
    remember.checked = Boolean(mine);
    forget.hidden = !Object.keys(all).length;
    for (const one of made.flat()) (mine?.[keyOf(one)] || []).forEach((value, at) => one.inputs[at] && !one.inputs[at].value && (one.inputs[at].value = value));
  };
  const show = () => body.replaceChildren(...current().flatMap((one) => one.rows));
  select.addEventListener("change", show);
  show();
  const element = h(
    "div",
    { class: "console-fields" },
    requirements.length > 1 && select,
    body,
    h("p", { class: "console-remember" }, h("label", {}, remember, words.remember), forget),
  );
  element.addEventListener("input", (event) => (event.target === remember || remember.checked) && keep());
  return {
    element,
    recall,
    add: (request) => current().forEach(({ scheme, inputs, isByHand }) => isByHand || authorize(request, scheme, inputs.map((input) => input.value.trim()))),
    missing: () => current().flatMap(({ scheme, inputs, isByHand }) => (isByHand || inputs[0].value ? [] : [scheme.name])),
    usesCookies: () => current().some(({ scheme }) => scheme.place === "cookie"),
  };
}

/** The body: a form, JSON as text, a text or a file, by its media type. */
function bodyPart({ media }, note) {
  if (!media.length) return { get: () => ({}), missing: () => [] };
  const made = media.map((node) => {
    const kind = kindOfBody(node);
    const isForm = kind === "json" || kind === "form" || kind === "multipart";
    const shape = { ...node, name: "" };
    const inside = isForm ? control(shape) : kind === "file" ? scalar({ ...shape, kind: "file", options: [], name: words.body }) : { element: h("textarea", { class: "console-input", rows: 6, spellcheck: "false", placeholder: node.example }) };
    if (inside.element.matches("input,select,textarea")) inside.element.setAttribute("aria-label", words.body);
    const box = h("div", {}, inside.element);
    const one = { media: node.media, kind, box, get: () => (kind === "text" ? inside.element.value || undefined : inside.get()), missing: () => inside.missing?.() || [] };
    return kind === "json" ? asText(one, inside, box) : one;
  });
  /** The same body as JSON. What one of the two has and the other cannot show is kept. */
  function asText(one, inside, box) {
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
      missing: () => (isTyped ? [] : one.missing()),
    };
  }
  const holder = h("div", { class: "console-media" });
  const select = h("select", { class: "console-input console-choice", "aria-label": words.content_type }, made.map((one, at) => h("option", { value: at }, one.media)));
  const current = () => made[Number(select.value)];
  const show = () => holder.replaceChildren(h("div", { class: "console-media-bar" }, made.length > 1 ? select : h("code", {}, made[0].media), current().radios || ""), current().box);
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
    missing: () => current().missing(),
  };
}

/* The button opens the same console again: what was typed is still there. */
let openConsole;
const styled = new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: document.documentElement.dataset.root + sheet, onload: done, onerror: done })));
window.__opConsole = () => styled.then(() => (openConsole = openConsole || makeConsole())());
