/* The browser's part of `offprint dev`: shows the page anew when it has changed, and what is wrong with it. Never part of an export. */
(function () {
  "use strict";
  var root = document.documentElement;
  var version = document.currentScript.dataset.version;
  var source = null;
  var retry = 0;

  function remember(name, value) {
    try {
      if (value === null) sessionStorage.removeItem("offprint:dev:" + name);
      else sessionStorage.setItem("offprint:dev:" + name, JSON.stringify(value));
    } catch (_) {}
  }
  function remembered(name) {
    try {
      return JSON.parse(sessionStorage.getItem("offprint:dev:" + name));
    } catch (_) {
      return null;
    }
  }

  /* The place on the page: the last heading above the middle of the window and its distance from the top, for text above it may grow. */

  function place() {
    var ids = document.querySelectorAll("[data-content] [id]");
    var mark = null;
    for (var i = 0; i < ids.length; i++) {
      // what a closed tab holds stands nowhere
      if (!ids[i].getClientRects().length) continue;
      var top = ids[i].getBoundingClientRect().top;
      if (top <= innerHeight / 2) mark = { id: ids[i].id, top: top };
    }
    var sidebar = document.querySelector(".op-tree");
    return { path: location.pathname, y: scrollY, mark: mark, sidebar: sidebar ? sidebar.scrollTop : 0 };
  }
  function putBack(kept) {
    var element = kept.mark && kept.y > 0 ? document.getElementById(kept.mark.id) : null;
    var y = element && element.getClientRects().length ? scrollY + element.getBoundingClientRect().top - kept.mark.top : kept.y;
    scrollTo({ top: y, left: 0, behavior: "instant" });
    var sidebar = document.querySelector(".op-tree");
    if (sidebar) sidebar.scrollTop = kept.sidebar;
  }
  var kept = remembered("place");
  remember("place", null);
  if (kept && kept.path === location.pathname) {
    putBack(kept);
    // once more when pictures and fonts have their sizes, unless the reader has moved on
    var moved = false;
    ["wheel", "touchstart", "keydown", "mousedown"].forEach(function (type) {
      addEventListener(type, function () { moved = true; }, { once: true, passive: true });
    });
    addEventListener("load", function () {
      if (!moved) putBack(kept);
      // the browser's own way again, once it has passed its chance
      setTimeout(function () { history.scrollRestoration = "auto"; }, 300);
    });
  }

  function reload() {
    disconnect();
    remember("place", place());
    history.scrollRestoration = "manual";
    location.reload();
  }

  /* Style sheets of the author: a new one takes the place of the old when it is there. */

  function restyle() {
    document.querySelectorAll("link[rel=stylesheet]").forEach(function (link) {
      var url = new URL(link.href);
      if (url.origin !== location.origin || url.pathname.indexOf("/_offprint/") === 0) return;
      url.searchParams.set("changed", Date.now());
      var next = link.cloneNode();
      next.href = url.href;
      next.onload = next.onerror = function () { link.remove(); };
      link.after(next);
    });
  }

  /* Events. A tab that nobody sees lets go of its connection: browsers have few for one server. */

  function connect() {
    if (source || document.hidden) return;
    var own = new EventSource("/-/dev/events?page=" + encodeURIComponent(location.pathname) + "&version=" + encodeURIComponent(version));
    source = own;
    own.onopen = function () { clearTimeout(retry); retry = 0; panel.away(false); };
    own.onerror = function () {
      if (source !== own) return;
      // the browser tries again by itself, unless it has given up
      if (own.readyState === 2) { disconnect(); setTimeout(connect, 1000); }
      if (!retry) retry = setTimeout(function () { panel.away(true); }, 2000);
    };
    own.addEventListener("reload", reload);
    own.addEventListener("styles", function (event) {
      version = JSON.parse(event.data).version;
      restyle();
    });
    own.addEventListener("notes", function (event) { panel.show(JSON.parse(event.data)); });
  }
  function disconnect() {
    if (source) source.close();
    source = null;
  }
  document.addEventListener("visibilitychange", function () {
    if (document.hidden) disconnect();
    else connect();
  });
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", connect);

  /* The panel, in a shadow tree: neither side's style sheets reach the other. */

  var panel = (function () {
    var host = document.createElement("offprint-dev");
    var shadow = host.attachShadow({ mode: "open" });
    var notes = { errors: 0, warnings: 0, items: [] };
    var isAway = false;
    var isOpen = false;

    function make(tag, properties, children) {
      var element = document.createElement(tag);
      Object.keys(properties || {}).forEach(function (name) {
        if (name in element) element[name] = properties[name];
        else element.setAttribute(name, properties[name]);
      });
      (children || []).forEach(function (child) { if (child) element.append(child); });
      return element;
    }
    function count(number, noun) {
      return number ? number + " " + noun + (number === 1 ? "" : "s") : "";
    }
    function words() {
      if (isAway) return "offprint dev has ended";
      return [count(notes.errors, "error"), count(notes.warnings, "warning")].filter(Boolean).join(", ");
    }
    /** Text with its `code` set as code. */
    function said(text) {
      return text.split("`").map(function (part, index) { return index % 2 ? make("code", { textContent: part }) : part; });
    }

    var label = make("span");
    var badge = make("button", { type: "button", className: "badge", "aria-expanded": "false", "aria-controls": "list" }, [make("span", { className: "dot", "aria-hidden": "true" }), label]);
    var close = make("button", { type: "button", className: "close", "aria-label": "Hide until something changes", textContent: "\u00d7" });
    var list = make("div", { id: "list", className: "list", tabIndex: 0, role: "group", "aria-label": "Problems" });
    var status = make("p", { className: "unseen", role: "status" });
    var section = make("section", { className: "panel", "aria-label": "offprint dev" }, [status, list, make("div", { className: "bar" }, [badge, close])]);
    shadow.append(make("style", { textContent: "@panel.css@" }), section);

    badge.onclick = function () { open(!isOpen); };
    close.onclick = function () {
      remember("hidden", JSON.stringify(notes));
      host.remove();
    };
    section.onkeydown = function (event) {
      if (event.key !== "Escape" || !isOpen) return;
      event.stopPropagation();
      open(false);
      badge.focus();
    };

    function open(wanted) {
      isOpen = wanted && notes.items.length > 0;
      list.hidden = !isOpen;
      badge.setAttribute("aria-expanded", String(isOpen));
      remember("open", isOpen);
    }

    function line(note) {
      var number = String(note.line);
      var column = Math.max(note.column, 1) - 1;
      var characters = Array.from(note.source);
      var mark = note.column ? make("mark", { textContent: characters[column] || " " }) : null;
      var before = mark ? characters.slice(0, column).join("") : note.source;
      var after = mark ? characters.slice(column + 1).join("") : "";
      return make("pre", {}, [make("span", { className: "number", textContent: number + "  ", "aria-hidden": "true" }), make("code", {}, [before, mark, after])]);
    }
    function item(note) {
      var at = note.file ? note.file + (note.line ? ":" + note.line + (note.column ? ":" + note.column : "") : "") : "";
      return make("article", { className: note.severity }, [
        make("p", { className: "kind" }, [make("b", { textContent: note.severity }), make("span", { textContent: note.code })]),
        make("p", { className: "message" }, said(note.message)),
        at ? make("p", { className: "place", textContent: at }) : null,
        note.source && note.line ? line(note) : null,
        note.hint ? make("p", { className: "hint" }, said(note.hint)) : null,
      ]);
    }

    function draw() {
      var text = words();
      if (!text || (!isAway && remembered("hidden") === JSON.stringify(notes))) {
        host.remove();
        return;
      }
      host.dataset.worst = isAway ? "away" : notes.errors ? "error" : "warning";
      label.textContent = text;
      if (status.textContent !== text) status.textContent = text;
      badge.disabled = !notes.items.length;
      if (!host.isConnected) document.body.append(host);
    }
    function scheme() {
      var isDark = root.dataset.currentPath === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : root.classList.contains("dark");
      host.dataset.scheme = isDark ? "dark" : "light";
    }
    scheme();
    new MutationObserver(scheme).observe(root, { attributes: true, attributeFilter: ["class"] });

    return {
      show: function (found) {
        var hadErrors = notes.errors > 0;
        notes = found;
        var more = found.errors + found.warnings - found.items.length;
        list.replaceChildren.apply(list, found.items.map(item));
        if (more > 0) list.append(make("p", { className: "more", textContent: "and " + more + " more" }));
        draw();
        // errors open at once; the rest stays as the reader left it
        open((found.errors > 0 && (!hadErrors || isOpen)) || (remembered("open") === true && found.items.length > 0));
      },
      away: function (wanted) {
        if (wanted === isAway) return;
        isAway = wanted;
        draw();
      },
    };
  })();

  connect();
})();
