/* Actions of a page: its Markdown or an address is copied, the page is printed. All else in the menu is a link. */
(function () {
  "use strict";
  var drawings = DRAWINGS;
  var text, script;
  // the Markdown is a comment in the script beside the page: a function knows its own text, and nothing has to be fetched
  window.__opText = function (holder) {
    text = String(holder).slice(13, -3).replace(/[*]\\(\\*[/])/g, "*$1");
  };
  function load(box, then) {
    if (text != null) return then && then();
    if (!script) {
      script = document.createElement("script");
      script.src = box.dataset.text;
      script.addEventListener("error", function () {
        script.remove();
        script = null;
      });
      document.head.appendChild(script);
    }
    if (then) script.addEventListener("load", then);
  }
  function copied(box, button) {
    var label = button.querySelector("span");
    var words = label.textContent;
    var menu = button.closest("details");
    if (words === box.dataset.copied) return;
    button.style.minWidth = button.getBoundingClientRect().width + "px";
    label.textContent = box.said.textContent = box.dataset.copied;
    setTimeout(function () {
      label.textContent = words;
      button.style.minWidth = box.said.textContent = "";
      if (!menu || !menu.open) return;
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
      menu.open = false;
    }, 1500);
  }
  document.querySelectorAll(".op-actions").forEach(function (box) {
    box.said = document.createElement("span");
    box.said.className = "visually-hidden";
    box.said.setAttribute("role", "status");
    box.appendChild(box.said);
    box.querySelectorAll("[data-icon]").forEach(function (item) {
      var drawing = drawings[item.dataset.icon];
      if (drawing) item.insertAdjacentHTML("afterbegin", '<svg class="ui-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="' + drawing + '"/></svg>');
    });
    // loaded before the click: some browsers let only the click itself copy
    ["pointerover", "focusin"].forEach(function (kind) {
      box.addEventListener(kind, function (event) {
        if (event.target.closest('[data-action="copy"]')) load(box);
      });
    });
    box.addEventListener("click", function (event) {
      var button = event.target.closest("[data-action]");
      if (!button) return;
      var action = button.dataset.action;
      function copy(what) {
        window.__opPage.copy(what, function () {
          copied(box, button);
        });
      }
      if (action === "print") {
        var menu = button.closest("details");
        if (menu) menu.open = false;
        window.print();
      } else if (action === "text") copy(button.dataset.value);
      else
        load(box, function () {
          copy(text);
        });
    });
  });
})();
