/* The switch between light and dark; what the reader chose is kept. */
(function () {
  "use strict";
  var root = document.documentElement;
  var button = document.querySelector("[data-component-name='theme-toggle']");

  // forms of pictures that are for one scheme follow the page, whose scheme may not be the system's; none is no medium
  function update() {
    document.querySelectorAll("source[data-only]").forEach(function (source) {
      source.media = (source.dataset.only === "dark") === root.classList.contains("dark") ? "" : "none";
    });
  }
  update();
  if (!button) return;
  var key = "offprint:" + root.dataset.site + ":scheme";
  var system = matchMedia("(prefers-color-scheme: dark)");

  function chosen() {
    try {
      return localStorage.getItem(key);
    } catch (_) {
      return null;
    }
  }
  button.addEventListener("click", function () {
    var dark = root.classList.toggle("dark");
    update();
    try {
      localStorage.setItem(key, dark ? "dark" : "light");
    } catch (_) {}
  });
  // as long as the reader has not chosen, the page follows the system
  system.addEventListener("change", function () {
    if (root.dataset.scheme === "system" && !chosen()) root.classList.toggle("dark", system.matches);
    update();
  });
  // other windows of the same site follow
  window.addEventListener("storage", function (event) {
    if (event.key === key && event.newValue) root.classList.toggle("dark", event.newValue === "dark");
    update();
  });
})();
