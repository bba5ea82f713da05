// What several of the scripts below need: it stands first.
window.__opPage = (function () {
  "use strict";
  function copyOld(text) {
    var area = document.createElement("textarea");
    var focused = document.activeElement;
    area.value = text;
    area.style.cssText = "position:fixed;top:0;opacity:0";
    area.setAttribute("aria-hidden", "true");
    document.body.appendChild(area);
    area.select();
    var done = false;
    try {
      done = document.execCommand("copy");
    } catch (_) {}
    area.remove();
    if (focused) focused.focus({ preventScroll: true });
    return done;
  }
  var looks = [];
  // for the page for missing addresses, which does not know where the site begins
  var data = document.documentElement.dataset;
  try {
    if (location.host) localStorage.setItem("offprint:" + data.site + ":root", new URL(data.root || ".", location.href).href);
  } catch (_) {}
  return {
    // Measures of the page wait for the next frame and come together, before the changes that they return: the page is laid out once.
    look: function (measure) {
      if (looks.push(measure) > 1) return;
      requestAnimationFrame(function () {
        var now = looks;
        looks = [];
        now
          .map(function (measure) {
            return measure();
          })
          .forEach(function (change) {
            if (change) change();
          });
      });
    },
    // outside a secure context (plain http, some file pages) there is no clipboard object
    copy: function (text, then) {
      function old() {
        if (copyOld(text)) then();
      }
      if (navigator.clipboard && window.isSecureContext) navigator.clipboard.writeText(text).then(then, old);
      else old();
    },
    // the element that the address names
    target: function () {
      var id = location.hash.slice(1);
      try {
        id = decodeURIComponent(id);
      } catch (_) {}
      return id && document.getElementById(id);
    },
  };
})();
