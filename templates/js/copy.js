// Colors and prompts: a click copies.
(function () {
  "use strict";
  function flash(element, undo) {
    element.setAttribute("data-copied", "");
    setTimeout(function () {
      element.removeAttribute("data-copied");
      if (undo) undo();
    }, 2000);
  }

  document.querySelectorAll(".prompt-copy").forEach(function (button) {
    var code = button.closest(".prompt").querySelector(".prompt-source code");
    if (!code) return;
    var label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", function () {
      window.__opPage.copy(code.textContent, function () {
        button.textContent = "Copied";
        flash(button, function () {
          button.textContent = label;
        });
      });
    });
  });

  document.querySelectorAll(".color-item").forEach(function (item) {
    var values = Array.from(item.querySelectorAll(".color-value"));
    if (!values.length || item.closest("a, button")) return;
    var verb = document.createElement("span");
    verb.className = "visually-hidden";
    verb.textContent = "Copy ";
    item.insertBefore(verb, item.firstChild);
    item.setAttribute("role", "button");
    item.tabIndex = 0;
    function act() {
      var shown = values.find(function (value) {
        return value.offsetParent;
      });
      window.__opPage.copy((shown || values[0]).textContent, function () {
        flash(item);
      });
    }
    item.addEventListener("click", act);
    item.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    });
  });
})();
