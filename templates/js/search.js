/* Search: the button and its keys. All else is loaded when a reader first opens it. */
(function () {
  "use strict";
  var button = document.getElementById("search-bar-entry");
  if (!button) return;
  var asked = false;
  var keys = button.querySelector("kbd");
  if (keys && /Mac|iPhone|iPad/.test(navigator.platform)) keys.textContent = "⌘K";
  function open() {
    if (window.__opSearch) window.__opSearch(button);
    else if (!asked) {
      var script = document.createElement("script");
      asked = true;
      script.src = document.documentElement.dataset.root + button.dataset.client;
      script.onload = open;
      script.onerror = function () {
        asked = false;
        script.remove();
      };
      document.head.appendChild(script);
    }
  }
  button.addEventListener("click", open);
  document.addEventListener("keydown", function (event) {
    var at = event.target;
    var isTyping = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
    var isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && /^k$/i.test(event.key);
    var isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isChord && !isSlash) return;
    event.preventDefault();
    open();
  });
})();
