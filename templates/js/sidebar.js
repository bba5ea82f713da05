/* The page tree: the drawer of narrow windows, folded groups that stay as they were left, and the whole tree of large sites. */
(function () {
  "use strict";
  var root = document.documentElement;
  var sidebar = document.querySelector(".op-sidebar");
  if (!sidebar) return;
  var tree = sidebar.querySelector(".sidebar-tree");
  var header = document.querySelector(".op-header");
  var button = document.querySelector(".menu-button");

  // Drawer
  var narrow = matchMedia("(max-width: 768px)");
  function drawer(open, focus) {
    if (open) root.style.setProperty("--op-drawer-top", Math.max(0, header.getBoundingClientRect().bottom) + "px");
    root.toggleAttribute("data-drawer", open);
    button.setAttribute("aria-expanded", open ? "true" : "false");
    if (open) {
      reveal();
      var target = tree.querySelector("[aria-current='page']") || sidebar.querySelector("a, summary");
      if (target && focus) target.focus({ preventScroll: true });
    } else if (focus) button.focus();
  }
  function isOpen() {
    return root.hasAttribute("data-drawer");
  }
  if (button) {
    button.addEventListener("click", function () {
      drawer(!isOpen(), true);
    });
    document.addEventListener("keydown", function (event) {
      if (event.key === "Escape" && isOpen()) drawer(false, true);
    });
    document.addEventListener("click", function (event) {
      if (isOpen() && !sidebar.contains(event.target) && !button.contains(event.target)) drawer(false, false);
    });
    sidebar.addEventListener("focusout", function (event) {
      var to = event.relatedTarget;
      if (isOpen() && to && !sidebar.contains(to) && to !== button) drawer(false, false);
    });
    narrow.addEventListener("change", function () {
      if (isOpen()) drawer(false, false);
    });
  }

  // The current page stands in view
  function reveal() {
    var current = tree.querySelector("[aria-current='page']");
    if (!current) return;
    var box = sidebar.getBoundingClientRect();
    var own = current.getBoundingClientRect();
    if (own.top < box.top + 40 || own.bottom > box.bottom - 40) {
      sidebar.scrollTop += own.top - box.top - box.height / 3;
    }
  }

  // The tree stands where it stood on the page before, if it is the same one
  var script = document.querySelector('script[src*="_offprint/nav-"]');
  var first = tree.querySelector("a");
  var place = "offprint:" + root.dataset.site + ":tree";
  var identity = script ? script.src : first ? first.href : "";
  var moved = false;
  sidebar.addEventListener("scroll", function () {
    moved = true;
  });
  function restore() {
    window.__opPage.look(function () {
      if (moved) return;
      try {
        var kept = JSON.parse(sessionStorage.getItem(place) || "[]");
        if (kept[0] === identity) sidebar.scrollTop = kept[1];
      } catch (_) {}
      reveal();
    });
  }
  window.addEventListener("pagehide", function () {
    try {
      sessionStorage.setItem(place, JSON.stringify([identity, sidebar.scrollTop]));
    } catch (_) {}
  });

  // Folded groups
  var name = "offprint:" + root.dataset.site + ":nav";
  var state = {};
  try {
    state = JSON.parse(sessionStorage.getItem(name) || "{}") || {};
  } catch (_) {}
  function keep(key, open) {
    state[key] = open ? 1 : 0;
    try {
      sessionStorage.setItem(name, JSON.stringify(state));
    } catch (_) {}
  }
  function keyOf(details) {
    var parts = [];
    for (var at = details; at && at !== tree; at = at.parentNode) {
      if (at.tagName === "DETAILS") {
        var before = at.previousElementSibling;
        parts.unshift((before ? before.textContent : at.firstElementChild.textContent) || "");
      } else if (at.parentNode === tree && at.previousElementSibling) parts.unshift(at.previousElementSibling.textContent);
    }
    return parts.join("/");
  }
  function watch(details) {
    var key = keyOf(details);
    var current = details.querySelector("[aria-current='page']");
    if (key in state && !current) details.open = !!state[key];
    details.addEventListener("toggle", function () {
      keep(key, details.open);
    });
  }
  if (!tree.hasAttribute("data-partial")) {
    tree.querySelectorAll("details").forEach(watch);
    restore();
  }

  // The whole tree, from the script of the branch
  window.__opNav = function (data) {
    var base = root.dataset.root;
    var served = tree.querySelector("[aria-current='page']");
    var home = document.createElement("a");
    home.href = base || "./";
    var here = served ? served.href.slice(home.href.length) : "";
    // what the reader has scrolled to stays
    var before = moved && served ? served.getBoundingClientRect().top : 0;
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
          keep(key, open);
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
        whole.appendChild(fill(element("ul", "sidebar-group"), at + 1, row.end));
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
    if (current && moved) sidebar.scrollTop += current.getBoundingClientRect().top - before;
    if (current && focused) current.focus({ preventScroll: true });
    restore();
  };
})();
