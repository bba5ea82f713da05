/* A banner that was closed stays closed until its content changes. */
(function () {
  "use strict";
  var root = document.documentElement;
  var button = document.querySelector(".op-announcement-close");
  if (!button) return;
  button.addEventListener("click", function () {
    root.setAttribute("data-banner-closed", "");
    try {
      localStorage.setItem("offprint:" + root.dataset.site + ":banner", root.dataset.banner);
    } catch (_) {}
    document.querySelector("[data-content]").focus({ preventScroll: true });
  });
})();
