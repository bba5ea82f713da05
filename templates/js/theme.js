/* The switch between light, dark and what the system wants; what the reader chose is kept. */
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

  function show(choice) {
    root.dataset.choice = choice;
    root.classList.toggle("dark", choice === "dark" || (choice === "system" && system.matches));
    update();
  }
  // who goes back to what the system wants follows it from then on
  button.addEventListener("click", function () {
    var dark = !root.classList.contains("dark");
    var choice = dark === system.matches ? "system" : dark ? "dark" : "light";
    show(choice);
    try {
      localStorage.setItem(key, choice);
    } catch (_) {}
  });
  system.addEventListener("change", function () {
    show(root.dataset.choice);
  });
  // other windows of the same site follow
  window.addEventListener("storage", function (event) {
    if (event.key === key && event.newValue) show(event.newValue);
  });
})();
