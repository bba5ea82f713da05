/* The page tree: the drawer of narrow windows, and folded groups that stay as they were left. */
(function () {
  "use strict";
  var root = document.documentElement;
  var sidebar = document.querySelector(".op-tree");
  if (!sidebar) return;
  var tree = sidebar.querySelector(".op-pages");
  var header = document.querySelector(".op-bar");
  var button = document.querySelector(".op-tree-opener");

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
  var own = { sidebar: sidebar, tree: tree, state: {}, keep: keep, restore: restore };
  sidebar.addEventListener("scroll", function () {
    own.moved = true;
  });
  function restore() {
    window.__opPage.look(function () {
      if (own.moved) return;
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
  try {
    own.state = JSON.parse(sessionStorage.getItem(name) || "{}") || {};
  } catch (_) {}
  function keep(key, open) {
    own.state[key] = open ? 1 : 0;
    try {
      sessionStorage.setItem(name, JSON.stringify(own.state));
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
    if (key in own.state && !current) details.open = !!own.state[key];
    details.addEventListener("toggle", function () {
      keep(key, details.open);
    });
  }
  if (!tree.hasAttribute("data-partial")) {
    tree.querySelectorAll("details").forEach(watch);
    restore();
  }

  window.__opPage.tree = own;
  delete root.dataset.folds;
})();
