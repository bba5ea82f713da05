const $none = () => undefined;
const $Package = ({ children }) => children;
const $Part = ({ children }) => children;
const $meta = { env: { BASE_URL: '/', PROD: true, DEV: false, SSR: true, MODE: 'production' }, glob: () => ({}), url: '' };
const $try = (make, otherwise) => {
  try {
    return make();
  } catch {
    return otherwise;
  }
};
const $push = (one, out) => {
  if (Array.isArray(one)) for (const inner of one) $push(inner, out);
  else if (one !== null && one !== undefined && typeof one !== 'boolean') out.push(one);
};
const $slotOf = (kid) => (typeof kid === 'object' && kid.props && kid.props.slot) || 'default';
const $bare = (kid) => {
  if (typeof kid !== 'object' || !kid.props || !kid.props.slot) return kid;
  const { slot, ...props } = kid.props;
  return kid.type && kid.type.displayName === 'Fragment' ? props.children : { ...kid, props };
};
const $html = (html) => {
  if (typeof html !== 'string' || !/[<&]/.test(html)) return html;
  const Name = /<(div|p|ul|ol|dl|table|h[1-6]|section|pre|blockquote)\b/i.test(html) ? 'div' : 'span';
  return <Name dangerouslySetInnerHTML={{ __html: html }} />;
};
const $classes = (given) => {
  if (Array.isArray(given)) return given.map($classes).filter(Boolean).join(' ');
  if (given && typeof given === 'object') return Object.keys(given).filter((name) => given[name]).join(' ');
  return typeof given === 'string' || typeof given === 'number' ? String(given) : '';
};
const $later = (value) => ({ ...value, then: (next) => $later(next ? next(value) : value), catch: () => $later(value), finally: () => $later(value) });
const $response = { ok: false, status: 0, statusText: '', headers: { get: () => null }, json: () => ({}), text: () => '' };
const $astro = (given, site, path) => {
  const { children, ...props } = given;
  const kids = [];
  $push(children, kids);
  const of = (name) => kids.filter((kid) => $slotOf(kid) === name);
  const has = (name) => of(name).some((kid) => typeof kid !== 'string' || kid.trim() !== '');
  const show = (name, fallback) => (has(name) ? of(name).map($bare) : fallback ? fallback() : null);
  const render = (name, values) => {
    const found = of(name).find((kid) => typeof kid === 'function');
    return found ? found(...(values ?? [])) : show(name);
  };
  const inside = path.startsWith(site.pages + '/') ? path.slice(site.pages.length + 1) : path;
  const id = inside.replace(/\.mdx?$/, '').toLowerCase().replace(/ /g, '-').replace(/(^|\/)index$/, '');
  const prefix = Object.keys(site.locales).find((one) => one && (id === one || id.startsWith(one + '/'))) ?? '';
  const locale = site.locales[prefix] ?? site.locales[site.first];
  const words = [site.words[prefix], site.words[site.first]];
  const t = (key, values) => {
    const found = words.find((known) => known && key in known);
    const word = found ? found[key] : typeof values === 'object' && values.defaultValue ? values.defaultValue : key;
    return values ? word.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name) => values[name] ?? '') : word;
  };
  t.exists = (key) => words.some((known) => known && key in known);
  t.all = () => ({ ...words[1], ...words[0] });
  t.dir = () => (/^(ar|fa|he|ur)\b/.test(locale.code) ? 'rtl' : 'ltr');
  const pathname = (site.base ? '/' + site.base : '') + '/' + (id ? id + '/' : '');
  const url = new URL(pathname, site.url);
  const entry = { id, slug: id, collection: 'docs', data: {}, body: '' };
  const route = { id, slug: id, entry, lang: locale.code, dir: t.dir(), locale: prefix || undefined, isFallback: false, headings: [], sidebar: [], pagination: {} };
  return {
    props, url, site: new URL(site.url), generator: 'Astro', params: {}, currentLocale: locale.code, isPrerendered: true,
    slots: { has, render, show },
    request: { url: url.href, method: 'GET', headers: { get: () => null } },
    cookies: { get: $none, has: () => false, set: $none },
    response: { status: 200, headers: { set: $none, append: $none } },
    locals: { t, starlightRoute: route },
    redirect: $none,
    glob: () => [],
  };
};
