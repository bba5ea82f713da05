/* Search: the button and its keys. All else is loaded when a reader first opens it. */
(function () {
  "use strict";
  var button = document.querySelector(".search-entry");
  if (!button) return;
  var keys = button.querySelector("kbd");
  if (keys && /Mac|iPhone|iPad/.test(navigator.platform)) keys.textContent = "⌘K";
  // `button.early` is what is typed until the field is there, which takes it
  function load(then) {
    var script = document.createElement("script");
    script.src = document.documentElement.dataset.root + button.dataset.client;
    script.onload = script.onerror = function () {
      if (window.__opSearch) return then();
      button.early = null;
      script.remove();
    };
    document.head.appendChild(script);
  }
  function open() {
    if (window.__opSearch) return window.__opSearch(button);
    if (button.early != null) return;
    button.early = "";
    load(open);
  }
  // a result of a search was opened: its words are marked
  var words = new URLSearchParams(location.search).get("highlight");
  if (words && window.Highlight) {
    load(function () {
      window.__opSearch.mark(words);
    });
  }
  button.addEventListener("click", open);
  // the page for missing addresses asks here
  var asked = new URLSearchParams(location.search).get("q");
  if (asked) {
    open();
    button.early = asked;
  }
  document.addEventListener("keydown", function (event) {
    var at = event.target;
    var key = event.key;
    var isTyping = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName);
    var isChord = event.ctrlKey || event.metaKey;
    var isPlain = !isTyping && !isChord && !event.altKey;
    var early = button.early;
    if (isPlain && early != null && /^(.|Backspace)$/.test(key)) button.early = key[1] ? early.slice(0, -1) : early + key;
    else if (isPlain ? key === "/" : isChord && !event.altKey && !event.shiftKey && /^k$/i.test(key)) open();
    else return;
    event.preventDefault();
  });
})();
