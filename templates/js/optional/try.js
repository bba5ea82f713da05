/* The API console: its button. All else is loaded when a reader first opens it. */
(function () {
  "use strict";
  var button = document.querySelector("[data-playground]");
  if (!button) return;
  var isLoading = false;
  button.hidden = false;
  button.addEventListener("click", function () {
    if (window.__opConsole) return window.__opConsole();
    if (isLoading) return;
    isLoading = true;
    var script = document.createElement("script");
    script.src = document.documentElement.dataset.root + button.dataset.playground;
    script.onload = script.onerror = function () {
      isLoading = false;
      if (window.__opConsole) window.__opConsole();
      else script.remove();
    };
    document.head.appendChild(script);
  });
})();
