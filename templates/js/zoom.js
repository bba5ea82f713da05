// Pictures that are larger than they are shown open in a dialog.
(function () {
  "use strict";
  if (!window.HTMLDialogElement) return;
  var SMALLEST = 180;
  var PICTURES = ".prose img:not([data-no-zoom], .icon)";
  var dialog;

  function open(picture) {
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.className = "zoom";
      dialog.setAttribute("aria-label", "Picture");
      dialog.appendChild(document.createElement("button")).type = "button";
      dialog.addEventListener("click", function () {
        dialog.close();
      });
      document.body.appendChild(dialog);
    }
    var large = document.createElement("img");
    large.src = picture.currentSrc || picture.src;
    large.alt = picture.alt;
    var button = dialog.firstChild;
    button.setAttribute("aria-label", "Close picture");
    button.replaceChildren(large);
    dialog.showModal();
  }

  function prepare(picture) {
    window.__opPage.look(function () {
      if (picture.clientWidth < SMALLEST || getComputedStyle(picture).pointerEvents === "none") return;
      return function () {
        if (!picture.closest(".zoomable, [aria-hidden=true], a, button, summary, label, .tile, .card, [role=button]")) enlarge(picture);
      };
    });
  }

  function enlarge(picture) {
    picture.classList.add("zoomable");
    picture.tabIndex = 0;
    picture.setAttribute("role", "button");
    picture.setAttribute("aria-label", picture.alt ? "Enlarge picture: " + picture.alt : "Enlarge picture");
    picture.addEventListener("click", function () {
      open(picture);
    });
    picture.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open(picture);
    });
  }

  // also when it comes into sight later: in a tab, in an accordion, with the other color scheme, from a component's script
  function look(event) {
    var picture = event.target;
    if (picture.matches && picture.matches(PICTURES) && picture.naturalWidth) prepare(picture);
  }

  document.querySelectorAll(PICTURES).forEach(function (picture) {
    if (picture.complete && picture.naturalWidth) prepare(picture);
  });
  document.addEventListener("load", look, true);
  document.addEventListener("pointerover", look);
})();
