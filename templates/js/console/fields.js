/* What the page says of its operation, read from its HTML: the console has no description of its own. */

// what holds fields of its own
const BORDER = ".field,[data-variant]";
const PLACES = ["path", "query", "header", "cookie", "body"];

/** Elements in `box` that belong to it and to nothing with fields of its own inside it. */
function own(box, selector) {
  return [...box.querySelectorAll(selector)].filter((element) => {
    const around = element.parentElement.closest(BORDER);
    return !around || around.contains(box);
  });
}

const textOf = (element) => (element ? element.textContent.replace(/\s+/g, " ").trim() : "");

/** What a type in words says: `string | null`, `enum<integer>[]`. */
function typeOf(said) {
  const array = /^\((.*)\)\[\]$/.exec(said);
  if (array) return { kind: "array", item: array[1], isNullable: false, plain: [] };
  const all = said.split("|").map((word) => word.trim());
  const plain = all.filter((word) => word && word !== "null");
  const type = plain[0] || "";
  const base = type.replace(/<.*/, "");
  const inner = (/^enum<(\w+)/.exec(type) || [])[1];
  let kind = plain.length > 1 ? "mixed" : { integer: "number", enum: "string" }[base] || base;
  if (inner) kind = inner === "integer" ? "number" : inner;
  if (/<binary>/.test(type)) kind = "file";
  if (/\[\]$/.test(type) && plain.length < 2) return { kind: "array", item: type.slice(0, -2), isNullable: all.length > 1, plain };
  return { kind, isNullable: all.length > plain.length, plain, isSecret: /<password>/.test(type) };
}

/** A field, an alternative or a body, as a node of the form. `said`: its type, if it is not what stands there. */
function describe(box, said) {
  const pills = (kind) => own(box, `[data-pill="${kind}"]`).map(textOf);
  const isField = box.matches(".field");
  const type = said ?? textOf(own(box, isField ? "[data-type],.field-type" : "[data-type]")[0]);
  const { kind, item, isNullable, plain, isSecret } = typeOf(type);
  const fixed = pills("const")[0];
  const data = box.dataset;
  return {
    box,
    type,
    kind,
    item,
    isNullable,
    plain,
    isSecret,
    name: data.name ?? textOf(own(box, ".field-name")[0]),
    title: data.variant || type,
    text: textOf([...box.children].find((child) => child.matches(".field-body"))?.querySelector(":scope > p:not([class])")),
    limits: own(box, "[data-limit]").map(limitOf),
    isDeprecated: isField && pills("deprecated").length > 0,
    isRequired: isField && own(box, '[data-pill="required"],.field-required').length > 0,
    isReadOnly: pills("read-only").length > 0,
    options: fixed == null ? pills("enum") : [fixed],
    prefill: data.prefill ?? fixed,
    examples: own(box, "[data-example]").map((one) => ({ label: one.dataset.label || "", text: one.textContent })),
    example: textOf(own(box, "[data-example]")[0]) || (pills("default")[0] ?? textOf(own(box, ".field-default code")[0])),
    style: data.style,
    explode: data.explode,
    isJson: /json/.test(data.content),
    place: data.in || textOf(own(box, ".field-location")[0]),
    get fields() {
      return own(box, ".field:not([data-item])").filter((field) => !field.hidden);
    },
    /** Alternatives; each list is a choice. */
    get unions() {
      const lists = new Map();
      for (const variant of own(box, "[data-variant]")) lists.set(variant.parentElement, [...(lists.get(variant.parentElement) || []), variant]);
      return [...lists.values()];
    },
  };
}

/** The examples of a body that the page shows. */
function givenBodies(media) {
  const shown = [...document.querySelectorAll("[data-body-example]")].filter((one) => one.dataset.bodyExample === media);
  return shown.map((one) => ({ label: one.dataset.label, text: one.querySelector("pre code").textContent }));
}

/** Everything the console needs to know of the page. */
function readPage() {
  const root = document.querySelector('[data-component="Operation"]');
  const box = document.querySelector("main");
  const header = document.querySelector(".op-endpoint");
  const section = (name) => box.querySelector(`[data-section="${name}"]:not([data-section] [data-section])`);
  const written = [...document.querySelectorAll("main .field")].filter(
    (field) => !field.closest("[data-section]") && !field.parentElement.closest(BORDER) && !field.hidden,
  );
  const page = {
    parameters: {},
    method: root?.dataset.method || textOf(header.querySelector(".method-pill")),
    path: root?.dataset.path || textOf(header.querySelector("code")),
    servers: [...document.querySelectorAll(".api-server[data-server]")].map((server) => ({
      template: server.dataset.server,
      note: textOf(server.querySelector("span:not(.api-variable)")),
      variables: [...server.querySelectorAll(".api-variable")].map(({ dataset }) => ({
        name: dataset.variable,
        value: dataset.default || "",
        values: (dataset.values || "").split(" ").filter(Boolean),
      })),
    })),
    requirements: own(section("authorization") || h("p"), ".api-requirement").map((one) => own(one, ".field").map(readScheme)),
  };
  for (const place of PLACES.slice(0, 4)) {
    const described = section(place);
    page.parameters[place] = [...(described ? own(described, ".field") : []).map((field) => describe(field)), ...written.map((field) => describe(field)).filter((node) => node.place === place)];
  }
  const body = section("body");
  page.media = own(body || h("p"), "[data-media-type]").map((media) => ({ ...describe(media), media: media.dataset.mediaType, isRequired: "required" in media.dataset }));
  const loose = written.filter((field) => describe(field).place === "body");
  if (!page.media.length && loose.length)
    page.media = [{ box: h("p"), kind: "object", name: "", type: "object", fields: loose, unions: [], options: [], plain: [], limits: [], isRequired: true, media: "application/json" }];
  for (const media of page.media) media.given = givenBodies(media.media);
  return page;
}

/** A way to authorize: where the credential goes, and what to say of it. */
function readScheme(field) {
  const { name, place } = describe(field);
  const links = own(field, "a[href^=http],code").map((element) => element.getAttribute("href") || textOf(element));
  return {
    name,
    place: place || "header",
    scheme: field.dataset.scheme || "apiKey",
    prefill: field.dataset.prefill || "",
    flows: JSON.parse(field.dataset.flows || "[]"),
    links: [...new Set(links.filter((link) => /^https?:\/\/\S+$/.test(link)))],
  };
}
