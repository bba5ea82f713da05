/* Search: the button and its keys. All else is loaded when a reader first opens it. */
(function () {
  "use strict";
  var button = document.getElementById("search-bar-entry");
  if (!button) return;
  var asked = false;
  // what is typed from the key that opens search until its field is there
  var early = null;
  var keys = button.querySelector("kbd");
  if (keys && /Mac|iPhone|iPad/.test(navigator.platform)) keys.textContent = "⌘K";
  function open() {
    if (window.__opSearch) window.__opSearch(button, typed);
    else if (!asked) {
      var script = document.createElement("script");
      asked = true;
      early = "";
      script.src = document.documentElement.dataset.root + button.dataset.client;
      script.onload = function () {
        if (window.__opSearch) open();
        else early = null;
      };
      script.onerror = function () {
        asked = false;
        early = null;
        script.remove();
      };
      document.head.appendChild(script);
    }
  }
  function typed() {
    var text = early;
    early = null;
    return text;
  }
  button.addEventListener("click", open);
  document.addEventListener("keydown", function (event) {
    var at = event.target;
    var isTyping = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
    var isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && /^k$/i.test(event.key);
    var isPlain = !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (early !== null && isPlain && (event.key.length === 1 || event.key === "Backspace")) {
      early = event.key === "Backspace" ? early.slice(0, -1) : early + event.key;
      return event.preventDefault();
    }
    var isSlash = event.key === "/" && isPlain;
    if (!isChord && !isSlash) return;
    event.preventDefault();
    open();
  });
})();
