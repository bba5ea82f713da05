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
  const access = accessPart(page, allowed, () => server.origin(), { labelled, note });
  server.element?.addEventListener("change", () => access.recall());
  if (access.element) part(words.authorization, access.element);

  /* Parameters */
  const parameters = [];
  for (const place of ["path", "query", "header", "cookie"]) {
    if (!page.parameters[place].length) continue;
    const rows = page.parameters[place].map((node) => {
      const made = row(node);
      parameters.push({ place, node, key: `${place} ${node.name}`, field: made.element.querySelector(INPUTS) || made.element, ...made });
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
  const { titles, chosen } = sampleLanguages();
  const language = h("select", { class: "console-input console-choice", "aria-label": words.request }, titles.map((title) => h("option", { value: title, selected: title === chosen }, title)));
  const past = historyPart(page, (kept) => {
    unmark(left);
    for (const one of parameters) one.set(kept.parameters(one.key));
    if (kept.media) body.set(kept.media, kept.body);
    refresh();
  });
  const left = h("div", { class: "console-form" }, past.element, sections.length ? sections : h("p", { class: "console-note" }, words.nothing));
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
        h(
          "details",
          { class: "console-curl", open: true },
          h("summary", {}, h("h3", {}, words.request)),
          h("div", { class: "console-curl-code" }, h("div", { class: "console-tools" }, language, copyButton(() => toSample(language.value, request()))), h("pre", { class: "console-code", tabindex: "0", "aria-label": words.request }, curl)),
        ),
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
    curl.textContent = toSample(language.value, { ...now, url: now.shownUrl }, hidden);
  };
  form.addEventListener("input", (event) => {
    if (event.target.matches(INPUTS)) unmark(event.target);
    refresh();
  });
  // a mark that moves what is below it waits until the button of a mouse that is on its way there is up again
  let isPressed = false;
  dialog.addEventListener("pointerdown", () => (isPressed = true), true);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (isPressed = false), true);
  form.addEventListener("change", ({ target }) => {
    refresh();
    const judge = () => target.hasAttribute("aria-invalid") || problems().filter((one) => one.element === target && !one.isEmpty).forEach(mark);
    if (isPressed) addEventListener("pointerup", () => setTimeout(judge), { once: true });
    else judge();
  });
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

  const isNarrow = () => matchMedia("(max-width: 840px)").matches;
  function show(state, said, ...content) {
    dialog.dataset.console = state;
    result.replaceChildren(h("h3", {}, words.response), ...shown(content));
    live.textContent = said;
    if (isNarrow()) result.scrollIntoView();
  }
  function fail(texts, ...more) {
    show("failed", texts.join(" "), h("div", { class: "console-error" }, texts.map((text) => h("p", {}, text))), more);
  }

  /** What cannot be sent as it is, and what is not as the page describes it. */
  const problems = () => [...parameters.flatMap((one) => one.problems()), ...body.problems()];
  /** Path parameters without a value that can stand in a path. */
  const holes = () => parameters.filter(({ place, get }) => place === "path" && (isEmpty(get()) || /^(\s*|\.\.?)$/.test(toText(get()))));

  /** Says beside the fields what is wrong, and whether the request can be sent all the same. */
  function hold(found, gaps) {
    const names = (list) => [...new Set(list.map(({ name }) => name))].join(", ");
    const isGap = (one) => gaps.some(({ field }) => field === one.element);
    const [empty, wrong] = [found.filter((one) => one.isEmpty && !isGap(one)), found.filter((one) => !one.isEmpty && !one.isFatal)];
    const fatal = [gaps.length > 0 && words.empty_path.replace("{}", gaps.map(({ node }) => node.name).join(", ")), ...found.filter((one) => one.isFatal).map((one) => one.text)].filter(Boolean);
    const said = [...fatal, empty.length > 0 && words.missing.replace("{}", names(empty)), wrong.length > 0 && words.wrong.replace("{}", names(wrong))].filter(Boolean);
    const anyway = !fatal.length && button(words.send_anyway, () => start(true));
    show("held", said.join(" "), h("div", { class: "console-held" }, said.map((text) => h("p", { class: "console-missing" }, text)), anyway));
    const first = left.querySelector("[aria-invalid]");
    if (isNarrow() && anyway) anyway.focus({ preventScroll: true });
    else first?.focus();
  }

  async function start(isSentAnyway) {
    const now = request();
    unmark(left);
    const gaps = holes();
    const found = problems();
    for (const { node, field } of gaps) if (!found.some((one) => one.element === field)) found.push({ ...emptiness(node, field), isEmpty: true });
    found.forEach(mark);
    if (gaps.length || found.some((one) => one.isFatal) || (found.length && !isSentAnyway)) return hold(found, gaps);
    const missing = access.missing();
    const hint = missing.length > 0 && h("p", { class: "console-missing" }, words.missing.replace("{}", missing.join(", ")));
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
      past.add(now, parameters);
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
    past.answered(`${status} ${reason}`.trim());
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
    past.show();
    access.recall();
    refresh();
    if (!dialog.open) dialog.showModal();
    // the first thing to fill in
    (left.querySelector("input:not([type=radio]):not([type=checkbox]),select,textarea") || send).focus();
  };
}

const hidden = (text) => (text ? "•".repeat(8) : "");

/* The button opens the same console again: what was typed is still there. */
let openConsole;
const styled = new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href: document.documentElement.dataset.root + sheet, onload: done, onerror: done })));
window.__opConsole = () => styled.then(() => (openConsole = openConsole || makeConsole())());
