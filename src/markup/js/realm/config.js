// Runs a program that gives a configuration. Local modules, files and folders that it asks for are given as text; the
// names of those that were not are answered, and the program runs again with them. Packages are stubs: a call gives a
// note of itself, anything else of them gives another stub. `bounds.js` stands before it: what the program finds of the
// language is bounded, and `evaluate` and `Proxy` are the exporter's.
globalThis.evaluateConfig = async (input) => {
  const { entry, modules, resolved, files, folders } = parse(input);
  const need = { modules: new Set(), files: new Set(), folders: new Set() };
  const notes = new WeakMap();
  const own = Object.prototype.hasOwnProperty;

  const normal = (path) => {
    const parts = [];
    for (const part of String(path).split("/")) {
      if (part === "" || part === ".") continue;
      if (part === "..") parts.pop();
      else parts.push(part);
    }
    return parts.join("/");
  };
  const folderOf = (path) => path.split("/").slice(0, -1).join("/");
  const isData = (value) =>
    value !== null && typeof value === "object" && !notes.has(value);

  const stub = (from, name, given) => {
    const target = function () {};
    const made = new Proxy(target, {
      get(_, key) {
        if (key === Symbol.toPrimitive) return (hint) => (hint === "number" ? NaN : "");
        if (key === Symbol.iterator) return function* () {};
        if (key === "then" || key === "toJSON") return undefined;
        if (key === "prototype") return target.prototype;
        if (key === "length") return 0;
        return stub(from, String(key));
      },
      has: () => false,
      ownKeys: () => Reflect.ownKeys(target),
      apply: (_, self, list) => call(from, name, list),
      construct: (_, list) => call(from, name, list),
    });
    notes.set(made, { from, name, given });
    return made;
  };
  const call = (from, name, list) => {
    const wraps = /^(define|with|extend|merge|create.*config)/i.test(name);
    if (wraps && list.length > 0 && (isData(list[0]) || typeof list[0] === "function")) return list[0];
    return stub(from, name, list);
  };

  const known = (table, wanted, path) => {
    if (own.call(table, path)) return table[path];
    wanted.add(path);
    return null;
  };
  const path = {
    sep: "/",
    delimiter: ":",
    join: (...parts) => {
      const all = parts.map(String).filter((part) => part !== "").join("/");
      return (all.startsWith("/") ? "/" : "") + normal(all);
    },
    resolve: (...parts) => {
      let out = "";
      for (const part of ["/" + folderOf(entry), ...parts.map(String)]) out = part.startsWith("/") ? part : out + "/" + part;
      return "/" + normal(out);
    },
    normalize: (one) => (String(one).startsWith("/") ? "/" : "") + normal(one),
    dirname: (one) => String(one).split("/").slice(0, -1).join("/") || (String(one).startsWith("/") ? "/" : "."),
    basename: (one, end) => {
      const name = String(one).split("/").pop();
      return end && name.endsWith(end) ? name.slice(0, -end.length) : name;
    },
    extname: (one) => {
      const name = String(one).split("/").pop();
      const at = name.lastIndexOf(".");
      return at > 0 ? name.slice(at) : "";
    },
    isAbsolute: (one) => String(one).startsWith("/"),
    relative: (from, to) => {
      const a = normal(path.resolve(from)).split("/").filter(Boolean);
      const b = normal(path.resolve(to)).split("/").filter(Boolean);
      while (a.length && b.length && a[0] === b[0]) a.shift(), b.shift();
      return [...a.map(() => ".."), ...b].join("/");
    },
  };
  path.posix = path;
  path.default = path;
  const real = (one) => normal(path.resolve(one && one.pathname ? one.pathname : String(one).replace(/^file:\/\//, "")));
  const fs = {
    readFileSync: (one) => known(files, need.files, real(one)) ?? "",
    existsSync: (one) => known(files, need.files, real(one)) !== null || known(folders, need.folders, real(one)) !== null,
    readdirSync: (one, options) => {
      const names = known(folders, need.folders, real(one)) ?? [];
      if (!options || !options.withFileTypes) return names;
      const isFile = (name) => /\.[a-z0-9]+$/i.test(name);
      return names.map((name) => ({ name, isFile: () => isFile(name), isDirectory: () => !isFile(name) }));
    },
    statSync: (one) => {
      const isFile = known(files, need.files, real(one)) !== null;
      return { isFile: () => isFile, isDirectory: () => !isFile, size: 0, mtime: new Date() };
    },
  };
  fs.lstatSync = fs.statSync;
  fs.default = fs;
  fs.promises = { readFile: async (one) => fs.readFileSync(one), readdir: async (one, o) => fs.readdirSync(one, o) };
  class FileAddress {
    constructor(one, base) {
      const text = String(one);
      const from = base === undefined ? "" : String(base.href ?? base);
      const scheme = /^([a-z]+:)\/\/([^/]*)(.*)$/i;
      const whole = scheme.test(text) ? text : from.replace(/[^/]*$/, "") + text;
      const parts = scheme.exec(whole) ?? ["", "file:", "", whole];
      this.protocol = parts[1];
      this.host = this.hostname = parts[2];
      this.pathname = "/" + normal(parts[3].split(/[?#]/)[0]) + (/[^/]\/$/.test(parts[3]) ? "/" : "");
      this.origin = parts[1] + "//" + parts[2];
      this.href = this.origin + this.pathname;
    }
    toString() {
      return this.href;
    }
  }
  const url = {
    URL: FileAddress,
    fileURLToPath: (one) => "/" + real(one),
    pathToFileURL: (one) => new FileAddress("file:///" + real(one)),
  };
  url.default = url;
  class FixedDate {
    constructor(...given) {
      this.at = given;
    }
    static now() {
      return 1767225600000;
    }
    getFullYear() {
      return 2026;
    }
    getUTCFullYear() {
      return 2026;
    }
    getMonth() {
      return 0;
    }
    getDate() {
      return 1;
    }
    getTime() {
      return 1767225600000;
    }
    valueOf() {
      return 1767225600000;
    }
    toISOString() {
      return "2026-01-01T00:00:00.000Z";
    }
    toString() {
      return this.toISOString();
    }
  }
  globalThis.Date ??= FixedDate;
  globalThis.URL ??= FileAddress;
  const nothing = () => {};
  globalThis.console = { log: nothing, warn: nothing, error: nothing, info: nothing, debug: nothing };
  globalThis.process = {
    env: { NODE_ENV: "production" },
    cwd: () => "/" + folderOf(entry),
    argv: [],
    platform: "linux",
    version: "v22.0.0",
    versions: { node: "22.0.0" },
    exit: nothing,
    on: nothing,
  };
  const requireFrom = (file) => {
    const require = (name) => {
      const given = imported(file, name);
      return isData(given) && own.call(given, "$commonJs") ? given.$commonJs : given;
    };
    require.resolve = (name) => (name.startsWith(".") ? "/" + normal(folderOf(file) + "/" + name) : name);
    return require;
  };
  // a folder stands for any file in it
  const createRequire = (one) => requireFrom(real(one) + (String(one).endsWith("/") ? "/index" : ""));
  const builtins = { path, fs, url, "fs/promises": fs.promises, process: globalThis.process, module: { createRequire } };

  const cache = new Map();
  const load = (file) => {
    if (cache.has(file)) return cache.get(file).exports;
    const it = { exports: stub(file, "*") };
    cache.set(file, it);
    const module = modules[file];
    if (module.json !== undefined) {
      let value = null;
      try {
        value = JSON.parse(module.json);
      } catch {}
      it.exports = { ...(isData(value) ? value : {}), default: value, $commonJs: value };
      return it.exports;
    }
    const commonJs = { exports: {} };
    const require = requireFrom(file);
    const names = {};
    for (const [from, exported, local] of module.imports) {
      const given = imported(file, from);
      names[local] = exported === "*" ? given : member(given, exported, from);
    }
    const folder = "/" + folderOf(file);
    const meta = { url: "file:///" + file, dirname: folder, filename: "/" + file, env: {}, glob: () => ({}) };
    const head = "(module, exports, require, __dirname, __filename, $meta, $h, $Fragment) => ";
    const make = evaluate(head + "(" + module.code + ")");
    const element = (type, props, ...children) => stub("element", typeof type === "string" ? type : "", [props, children]);
    const finish = (exports) => {
      const isCommon = commonJs.exports !== first || Object.keys(first).length > 0;
      const common = isCommon ? commonJs.exports : undefined;
      const all = {};
      for (const from of module.stars) Object.assign(all, imported(file, from));
      Object.assign(all, isCommon && isData(common) ? common : {}, exports);
      if (isCommon) {
        all.$commonJs = common;
        all.default = isData(common) && own.call(common, "default") ? common.default : common;
      }
      it.exports = all;
      return all;
    };
    const first = commonJs.exports;
    const made = make(commonJs, first, require, folder, "/" + file, meta, element, "")(meter, sum)(names);
    return made && typeof made.then === "function" ? made.then(finish) : finish(made);
  };
  const member = (given, name, from) => {
    if (notes.has(given)) return stub(from, name === "default" ? from.split("/").pop() : name);
    return own.call(given, name) ? given[name] : name === "default" ? given : stub(from, name);
  };
  const imported = (file, name) => {
    const bare = name.replace(/^node:/, "");
    if (own.call(builtins, bare)) return { ...builtins[bare], default: builtins[bare], $commonJs: builtins[bare] };
    if (!name.startsWith(".") && !name.startsWith("/")) return stub(name, name.split("/").pop());
    const at = normal(name.startsWith("/") ? name : folderOf(file) + "/" + name.split("?")[0]);
    const found = known(resolved, need.modules, at);
    const made = found === null ? stub(name, "*") : load(found);
    return made && typeof made.then === "function" ? cache.get(found).exports : made;
  };

  // functions that give the address where a page is changed, asked with names in the places of its parts
  const addresses = {
    editUrl: { versionDocsDirPath: ":docs", docPath: ":path", locale: "en", version: "current", permalink: "" },
    pattern: { filePath: ":path", relativePath: ":path", frontmatter: {}, title: "" },
  };
  const address = (key, make) => {
    if (!own.call(addresses, key) || notes.has(make)) return undefined;
    try {
      const given = make(addresses[key]);
      return typeof given === "string" ? given : undefined;
    } catch {
      return undefined;
    }
  };

  // the names of folders that plugins give to the bundler
  const aliases = async (given) => {
    const found = {};
    if (!isData(given)) return found;
    const lists = [given.plugins, given.themes].filter(Array.isArray);
    for (const one of lists.flat()) {
      try {
        const [named, options] = Array.isArray(one) ? one : [one];
        const isPath = typeof named === "string" && /^[./]/.test(named);
        const make = isPath ? member(imported(entry, named), "default", named) : named;
        if (notes.has(make)) continue;
        const context = { siteDir: "/" + folderOf(entry), siteConfig: given, i18n: { currentLocale: "en" } };
        const plugin = typeof make === "function" ? await make(context, options ?? {}) : make;
        const configure = isData(plugin) ? plugin.configureWebpack : undefined;
        const config = { resolve: { alias: {} }, module: { rules: [] }, plugins: [] };
        const tools = { currentBundler: { name: "webpack" }, getStyleLoaders: () => [], getJSLoader: () => ({}) };
        const made = typeof configure === "function" ? configure(config, false, tools) : configure;
        Object.assign(found, config.resolve.alias, made?.resolve?.alias);
      } catch {}
    }
    return found;
  };

  // of plugins for Markdown only the names can be known
  const pluginNames = (list) =>
    list.map((one) => {
      const made = Array.isArray(one) ? one[0] : one;
      const name = notes.has(made) ? notes.get(made).from : typeof made === "function" ? made.name : made;
      return typeof name === "string" ? name : "";
    });

  const seen = new Set();
  const plain = (value, depth) => {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (notes.has(value)) {
      const { from, name, given } = notes.get(value);
      return given === undefined || depth > 24
        ? undefined
        : { $call: name, $from: from, $with: given.map((one) => plain(one, depth + 1) ?? null) };
    }
    if (typeof value !== "object" || depth > 48 || seen.has(value)) return undefined;
    if (value instanceof RegExp || value instanceof FileAddress) return String(value);
    seen.add(value);
    let out;
    if (Array.isArray(value)) {
      out = value.map((one) => plain(one, depth + 1) ?? null);
    } else {
      out = {};
      for (const key of Object.keys(value)) {
        if (/(remark|rehype)Plugins$/i.test(key) && Array.isArray(value[key])) {
          out[key] = pluginNames(value[key]);
          continue;
        }
        const one = typeof value[key] === "function" ? address(key, value[key]) ?? plain(value[key], depth + 1) : plain(value[key], depth + 1);
        if (one !== undefined) out[key] = one;
      }
    }
    seen.delete(value);
    return out;
  };

  let value = null;
  let named = {};
  let failure;
  try {
    const exports = await load(entry);
    value = member(exports, "default", entry);
    for (let calls = 0; typeof value === "function" && !notes.has(value) && calls < 4; calls++) {
      value = await value({ mode: "production", command: "build" });
    }
    value = await value;
    if (value === undefined || (isData(exports) && exports === value && !own.call(exports, "$commonJs"))) {
      failure = "it gives no configuration";
    }
    named = plain(await aliases(value), 0);
  } catch (error) {
    failure = String((error && error.message) || error);
  }
  const wanted = Object.fromEntries(Object.entries(need).map(([kind, names]) => [kind, [...names]]));
  const shown = failure === undefined ? (plain(value, 0) ?? null) : null;
  if (isData(shown) && Object.keys(named).length > 0) shown.$aliases = named;
  return quote({ need: wanted, failure, value: shown });
};
