/* The answer of a server, and why there is none. Nothing of it is read as HTML. */

const ROWS = 100;
const LONG_TEXT = 100000;
const MOST_BYTES = 33554432;

// HTTP/2 says numbers alone
const REASONS = { 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict", 422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable" };

const inLanguage = (number, digits) => number.toLocaleString(document.documentElement.lang || undefined, { maximumFractionDigits: digits });
const sizeText = (bytes) => (bytes < 1000 ? `${inLanguage(bytes, 0)} B` : bytes < 1e6 ? `${inLanguage(bytes / 1e3, 1)} kB` : `${inLanguage(bytes / 1e6, 1)} MB`);
const timeText = (ms) => (ms < 1000 ? `${inLanguage(Math.round(ms), 0)} ms` : `${inLanguage(ms / 1000, 2)} s`);

/** A value of JSON as lines that fold. */
function tree(value, name, depth = 0, comma = "") {
  const key = name == null ? null : [h("span", { class: "console-key-name" }, JSON.stringify(name)), ": "];
  if (value === null || typeof value !== "object" || value instanceof Written) {
    const kind = value === null ? "null" : value instanceof Written ? "number" : typeof value;
    const text = value instanceof Written ? value.text : JSON.stringify(value);
    return h("div", { class: "console-line" }, key, longText(text, 2000, h("span", { class: `console-${kind}` })), comma);
  }
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  const [open, close] = isList ? "[]" : "{}";
  if (!keys.length) return h("div", { class: "console-line" }, key, open + close, comma);
  const body = h("div", { class: "console-branch" });
  let shown = 0;
  const more = () => {
    const end = Math.min(keys.length, shown + ROWS);
    for (; shown < end; shown++) body.append(tree(value[keys[shown]], isList ? null : keys[shown], depth + 1, shown + 1 < keys.length ? "," : ""));
    if (shown < keys.length) {
      const next = button(words.more.replace("{}", inLanguage(keys.length - shown, 0)), () => {
        const at = shown;
        next.remove();
        more();
        const line = body.children[at];
        line.tabIndex = -1;
        line.focus();
      });
      body.append(next);
    }
  };
  const isOpen = depth < 2 || (depth < 5 && keys.length <= 12);
  const fold = h(
    "details",
    { class: "console-fold", open: isOpen },
    h("summary", { class: "console-line" }, key, open, h("span", { class: "console-count" }, `${inLanguage(keys.length, 0)}`), h("span", { class: "console-closed" }, close + comma)),
    body,
    h("div", { class: "console-line" }, close + comma),
  );
  // big answers are drawn as far as they are looked at
  if (isOpen) more();
  else fold.addEventListener("toggle", () => shown || more());
  return fold;
}

/** A text, and a button for the rest of a long one. */
function longText(text, most, element) {
  element.append(text.slice(0, most));
  if (text.length > most) {
    const rest = button(words.more.replace("{}", inLanguage(text.length - most, 0)), () => {
      rest.replaceWith(text.slice(most));
    });
    element.append("… ", rest);
  }
  return element;
}

/** What a body is, by its type and its bytes. */
function kindOfAnswer(type, bytes) {
  if (/[/+]json\b/i.test(type)) return "json";
  const media = /^(image|audio|video)\//i.exec(type);
  if (media) return media[1].toLowerCase();
  if (/^text\/|[/+](xml|yaml|javascript|x-ndjson|graphql|x-www-form-urlencoded|toml|csv)\b/i.test(type)) return "text";
  if (type) return "file";
  return bytes.subarray(0, 1000).includes(0) ? "file" : "text";
}

function decode(type, bytes) {
  const charset = (/charset="?([\w-]+)/i.exec(type) || [])[1];
  try {
    return new TextDecoder(charset || "utf-8").decode(bytes);
  } catch (_) {
    return new TextDecoder().decode(bytes);
  }
}

/** A name for the file of an answer. */
function fileName(response, type) {
  const given = /filename="?([^";]+)/i.exec(response.headers.get("content-disposition") || "");
  const last = new URL(response.url || "https://x/").pathname.split("/").pop();
  const end = (/^[\w.-]+\/(?:[\w.-]+\+)?([\w-]+)/.exec(type) || [])[1] || "bin";
  return given ? given[1].split(/[\\/]/).pop() : /\.\w+$/.test(last) ? last : `${last || "answer"}.${{ plain: "txt", "octet-stream": "bin", jpeg: "jpg", javascript: "js" }[end] || end}`;
}

let objectUrls = [];
function objectUrl(bytes, type) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  objectUrls.push(url);
  return url;
}
function forgetUrls() {
  objectUrls.forEach((url) => URL.revokeObjectURL(url));
  objectUrls = [];
}

/** The body of an answer as something to look at. */
function bodyOf(response, bytes) {
  const type = response.headers.get("content-type") || "";
  if (!bytes.length) return h("p", { class: "console-note" }, words.empty);
  const kind = kindOfAnswer(type, bytes);
  const tools = h("div", { class: "console-tools" });
  const box = h("div", { class: "console-body" }, tools);
  // what a browser would run when it is opened is kept as a text
  const savedType = /html|svg|xml|script/i.test(type) ? "text/plain" : type;
  const save = h("a", { class: "console-button", download: fileName(response, type), href: objectUrl(bytes, savedType) }, words.download);
  if (kind === "image" || kind === "audio" || kind === "video") {
    // a drawing may hold scripts, which run in a window of its own; nothing opens a `data:` address in one
    const url = /svg/i.test(type) ? `data:image/svg+xml;base64,${base64(bytes)}` : objectUrl(bytes, type);
    tools.append(save);
    box.append(h("div", { class: "console-picture" }, kind === "image" ? h("img", { src: url, alt: words.response }) : h(kind, { src: url, controls: true })));
    return box;
  }
  if (kind === "file") {
    tools.append(save);
    box.prepend(h("p", { class: "console-note" }, h("bdi", {}, type)));
    return box;
  }
  const text = decode(type, bytes);
  const pre = longText(text, LONG_TEXT, h("pre", { class: "console-code", tabindex: "0", "aria-label": words.response }));
  let value;
  if (kind === "json" || /^\s*[[{]/.test(text)) {
    try {
      value = { parsed: parseJson(text) };
    } catch (_) {}
  }
  if (value) {
    const lines = h("div", { class: "console-code", tabindex: "0", role: "group", "aria-label": words.response }, tree(value.parsed));
    const switches = choice([["JSON", lines], [words.text, pre]], (next) => box.lastChild.replaceWith(next));
    tools.append(switches);
    box.append(lines);
  } else box.append(pre);
  tools.append(copyButton(() => text), save);
  return box;
}

function copyButton(read) {
  const name = words.copy;
  const copy = button(name, () =>
    window.__opPage.copy(read(), () => {
      copy.textContent = words.copied;
      setTimeout(() => (copy.textContent = name), 1600);
    }),
  );
  copy.dataset.copies = "";
  return copy;
}

/** A choice of one of a few, as radio buttons. */
function choice(options, choose) {
  const name = `op-console-${++lastId}`;
  return h(
    "span",
    { class: "console-switch", role: "radiogroup", "aria-label": words.choose },
    options.map(([text, value], at) => h("label", {}, h("input", { type: "radio", name, value: at, checked: !at, onchange: () => choose(value) }), h("span", {}, text))),
  );
}

function headersOf(response) {
  const all = [...response.headers];
  return h(
    "details",
    { class: "console-headers" },
    h("summary", {}, words.headers, h("span", { class: "console-count" }, String(all.length))),
    h("dl", {}, all.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("p", { class: "console-note" }, words.headers_note),
  );
}

/** The servers that the policy of the page allows; `null` if it allows all. */
function allowedOrigins() {
  const meta = document.querySelector('meta[http-equiv="Content-Security-Policy"]');
  const policy = meta ? meta.content : "";
  const sources = (/(?:^|;)\s*connect-src ([^;]*)/.exec(policy) || /(?:^|;)\s*default-src ([^;]*)/.exec(policy) || [])[1];
  if (!sources || /(^|\s)\*(\s|$)/.test(sources)) return null;
  return sources.split(/\s+/).flatMap((source) => (source === "'self'" ? (/^http/.test(location.protocol) ? [location.origin] : []) : /^https?:/.test(source) ? [source] : []));
}

/** Why a request has no answer, as paragraphs. */
async function explain(url, blocked) {
  const { origin, protocol, hostname } = url;
  const say = (text) => text.replace("{}", origin);
  if (blocked) return [say(words.blocked), words.fixed];
  const isHere = /^(localhost|127\.|\[::1\])/.test(hostname);
  if (location.protocol === "https:" && protocol === "http:" && !isHere) return [say(words.mixed)];
  if (!navigator.onLine && !isHere) return [words.offline];
  // an answer that nobody can read tells that the server is there
  const answers = await fetch(`${origin}/`, { mode: "no-cors", cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" }).then(
    () => true,
    () => false,
  );
  if (!answers) return [say(words.unreachable), words.unreachable_advice];
  const isFile = location.protocol === "file:";
  return [say(words.cors), words.cors_advice.replace("{}", isFile ? "null" : location.origin), isFile && words.cors_file].filter(Boolean);
}
