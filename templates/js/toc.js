/* The contents column follows the scroll: a thumb beside the headings in view. */
(function () {
  "use strict";
  var nav = document.querySelector("nav.toc");
  if (!nav) return;
  var list = nav.querySelector(".toc-list");
  var scroller = nav.querySelector(".toc-scroll");
  var items = [];
  nav.querySelectorAll(".toc-item").forEach(function (link) {
    var id = link.getAttribute("href").slice(1);
    try {
      id = decodeURIComponent(id);
    } catch (_) {}
    var target = document.getElementById(id);
    if (target) items.push({ link: link, target: target, id: id });
  });
  if (!items.length) return;
  // a column is always open; older browsers cannot be told so by the style sheet
  var fold = nav.querySelector("details");
  if (getComputedStyle(list).position === "relative" && !CSS.supports("selector(::details-content)")) fold.open = true;

  // headings of a tab or view count while its panel is shown
  var panels = [];
  nav.querySelectorAll("[data-within]").forEach(function (item) {
    var panel = document.getElementById(item.dataset.within);
    if (panel) panels.push({ item: item, panel: panel });
  });
  function followPanels() {
    panels.forEach(function (pair) {
      pair.item.hidden = pair.panel.hidden || !!pair.panel.closest("[hidden]");
    });
  }

  var last = "";
  function update() {
    queued = false;
    if (list.checkVisibility && !list.checkVisibility()) return;
    var top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 96;
    var bottom = window.innerHeight;
    var shown = items.filter(function (item) {
      // a component's script draws its headings anew
      if (!item.target.isConnected) item.target = document.getElementById(item.id) || item.target;
      return item.target.offsetParent !== null && item.link.offsetParent !== null;
    });
    if (!shown.length) return;
    var first = -1;
    var end = -1;
    shown.forEach(function (item, at) {
      var y = item.target.getBoundingClientRect().top;
      if (y <= top + 8) first = end = at;
      else if (y < bottom * 0.6) {
        if (first < 0) first = at;
        end = at;
      }
    });
    var atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 4;
    if (atEnd && window.scrollY > 0) end = shown.length - 1;
    // above the first heading the first one is next
    if (first < 0) first = end = 0;
    var key = shown.length + ":" + first + ":" + end;
    if (key === last) return;
    last = key;
    var box = list.getBoundingClientRect();
    var from = shown[first].link.getBoundingClientRect();
    var to = shown[end].link.getBoundingClientRect();
    // the column itself scrolls when it is longer than the window
    var view = scroller.getBoundingClientRect();
    if (to.bottom > view.bottom - 24) scroller.scrollTop += to.bottom - view.bottom + 48;
    else if (from.top < view.top + 24) scroller.scrollTop += from.top - view.top - 48;
    return function () {
      items.forEach(function (item) {
        var at = shown.indexOf(item);
        item.link.toggleAttribute("data-active", at >= first && at <= end);
      });
      list.style.setProperty("--op-thumb-top", from.top - box.top + "px");
      list.style.setProperty("--op-thumb-size", to.bottom - from.top);
    };
  }
  var queued = false;
  function queue() {
    if (queued) return;
    queued = true;
    window.__opPage.look(update);
  }
  if (panels.length && window.MutationObserver) {
    var observer = new MutationObserver(function () {
      followPanels();
      queue();
    });
    panels.forEach(function (pair) {
      observer.observe(pair.panel, { attributes: true, attributeFilter: ["hidden"] });
    });
    followPanels();
  }
  addEventListener("scroll", queue, { passive: true });
  addEventListener("resize", queue, { passive: true });
  addEventListener("load", queue);
  queue();
})();
