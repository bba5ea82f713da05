/* The whole page tree of a large site: the script of each branch begins with this and hands over its rows. */
window.__opNav = function (data) {
  "use strict";
  var page = window.__opPage.tree;
  if (!page) return;
  var root = document.documentElement;
  var tree = page.tree;
  var sidebar = page.sidebar;
  var state = page.state;
  var base = root.dataset.root;
  var served = tree.querySelector("[aria-current='page']");
  var home = document.createElement("a");
  home.href = base || "./";
  var here = served ? served.href.slice(home.href.length) : "";
  // what the reader has scrolled to stays
  var before = page.moved && served ? served.getBoundingClientRect().top : 0;
  var rows = [];
  var url = "";
  var stack = [];
  data.n.forEach(function (raw, at) {
    url = url.slice(0, raw[2] || 0) + (raw[3] || "");
    var kind = raw[0] % 8;
    var row = { at: at, depth: raw[0] >> 3, kind: kind, label: raw[1], url: url ? (kind === 3 ? url : base + url) : "", icon: raw[4], tag: raw[5], method: raw[6], old: raw[7], end: data.n.length, holds: false };
    while (stack.length && stack[stack.length - 1].depth >= row.depth) stack.pop().end = at;
    if (here && url === here) {
      here = "";
      row.current = true;
      stack.forEach(function (above) {
        above.holds = true;
      });
    }
    stack.push(row);
    rows.push(row);
  });

  function element(tag, className, text) {
    var made = document.createElement(tag);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }
  function icon(row) {
    var holder = document.createElement("template");
    // our own drawings: the branch's script holds them as the page would
    holder.innerHTML = (data.i[row.icon - 1] || "").split("\u0001").join(base);
    return holder.content;
  }
  function label(into, row) {
    if (row.icon) into.appendChild(icon(row));
    if (row.method) {
      var pill = element("span", "method-pill", row.method);
      pill.setAttribute("data-method", row.method);
      into.appendChild(pill);
    }
    // long names are broken at their seams, as in served pages
    var parts = /\S{17}/.test(row.label) ? row.label.replace(/[a-z\d](?=[A-Z])|[A-Z](?=[A-Z][a-z])|[_./:](?=[A-Za-z\d])/g, "$&\u200b").split("\u200b") : [row.label];
    var name = parts[1] ? into.appendChild(element("span")) : into;
    parts.forEach(function (part, at) {
      if (at) name.appendChild(element("wbr"));
      name.appendChild(document.createTextNode(part));
    });
    if (row.tag) into.appendChild(element("span", "op-tag", row.tag));
    if (row.old) into.appendChild(element("span", "op-tag op-tag-deprecated", data.d));
    return into;
  }
  function link(row, className) {
    var a = label(element("a", className), row);
    if (row.url) a.href = row.url;
    if (row.current) {
      a.setAttribute("aria-current", "page");
      a.setAttribute("data-active", "");
    }
    return a;
  }
  function fill(list, from, end) {
    for (var at = from; at < end; at = rows[at].end) list.appendChild(line(rows[at]));
    return list;
  }
  function line(row) {
    var li = element("li");
    if (row.kind !== 1 && row.kind !== 2) {
      li.appendChild(link(row));
      li.toggleAttribute("data-active", !!row.current);
      return li;
    }
    var details = element("details");
    var summary = element("summary");
    if (row.url) {
      li.appendChild(link(row));
      summary.setAttribute("aria-label", row.label);
    } else label(summary, row);
    details.appendChild(summary);
    var list = details.appendChild(element("ul"));
    var key = "#" + row.at + row.label;
    var open = row.holds || row.current || (key in state ? !!state[key] : row.kind === 2);
    // what nobody opened is not built
    function build() {
      if (!list.firstChild) fill(list, row.at + 1, row.end);
    }
    if (open) build();
    details.open = open;
    details.addEventListener("toggle", function () {
      if (details.open) build();
      if (details.open !== open) {
        open = details.open;
        page.keep(key, open);
      }
    });
    li.appendChild(details);
    return li;
  }

  var whole = document.createDocumentFragment();
  var loose = null;
  for (var at = 0; at < rows.length; at = rows[at].end) {
    var row = rows[at];
    if (row.kind === 1 || row.kind === 2) {
      loose = null;
      if (row.label) whole.appendChild(row.url ? link(row, "sidebar-title") : label(element("div", "sidebar-title"), row));
      whole.appendChild(fill(element("ul", "sidebar-group"), at + 1, row.end)).toggleAttribute("data-active", !!row.holds);
    } else {
      loose = loose || whole.appendChild(element("ul", "sidebar-group"));
      loose.appendChild(line(row));
    }
  }
  var focused = served && document.activeElement === served;
  tree.replaceChildren(whole);
  tree.removeAttribute("data-partial");
  if (rows.length > 400) tree.setAttribute("data-large", "");
  var current = tree.querySelector("[aria-current='page']");
  if (current && page.moved) sidebar.scrollTop += current.getBoundingClientRect().top - before;
  if (current && focused) current.focus({ preventScroll: true });
  page.restore();
};
