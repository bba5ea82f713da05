// Accordions: an address opens what it names, opening one by hand names it in the address.
(function () {
  "use strict";
  function follow() {
    var target = window.__opPage.target();
    if (!target) return;
    var moved = false;
    for (var box = target.closest("details"); box; box = box.parentElement.closest("details")) {
      moved = moved || !box.open;
      box.open = true;
    }
    if (moved) target.scrollIntoView();
  }
  addEventListener("hashchange", follow);
  follow();

  document.addEventListener("click", function (event) {
    var summary = event.target.closest && event.target.closest("details.accordion[id] > summary");
    if (!summary || event.defaultPrevented) return;
    var box = summary.parentElement;
    // the click opens it after this handler
    var hash = box.open ? "" : "#" + encodeURIComponent(box.id);
    try {
      if (hash || location.hash === "#" + encodeURIComponent(box.id)) history.replaceState(history.state, "", hash || location.pathname + location.search);
    } catch (_) {}
  });
})();
