// Pictures that are larger than they are shown, and diagrams, open in a dialog.
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
      dialog.appendChild(document.createElement("button"));
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

  // a diagram moves into the dialog and back, so that what its parts refer to stays unique
  function openDrawing(box) {
    var drawing = box.querySelector("svg");
    var place = document.createComment("");
    var style = drawing.getAttribute("style");
    var width = drawing.getBoundingClientRect().width;
    var scale = 1;
    var view = document.createElement("dialog");
    view.className = "zoom-drawing";
    view.setAttribute("aria-label", "Diagram");
    view.tabIndex = 0;
    if (box.dataset.ground != null) view.dataset.ground = box.dataset.ground;
    box.insertBefore(place, drawing);
    view.appendChild(drawing);
    function resize(by) {
      scale = Math.min(16, Math.max(0.1, scale * by));
      drawing.style.cssText = "max-width:none;width:" + width * scale + "px";
    }
    [["−", "Smaller", 0.8], ["+", "Larger", 1.25], ["×", "Close", 0]].forEach(function (kind) {
      var button = document.createElement("button");
      button.textContent = kind[0];
      button.setAttribute("aria-label", kind[1]);
      button.addEventListener("click", function () {
        if (kind[2]) resize(kind[2]);
        else view.close();
      });
      view.appendChild(button);
    });
    view.addEventListener("keydown", function (event) {
      if (/^[+=-]$/.test(event.key)) resize(event.key === "-" ? 0.8 : 1.25);
    });
    view.addEventListener("pointermove", function (event) {
      if (event.buttons && event.target.tagName !== "BUTTON") view.scrollBy(-event.movementX, -event.movementY);
    });
    view.addEventListener("close", function () {
      place.replaceWith(drawing);
      if (style) drawing.setAttribute("style", style);
      else drawing.removeAttribute("style");
      view.remove();
      box.querySelector("button").focus();
    });
    document.body.appendChild(view);
    resize((innerWidth - 96) / width);
    view.showModal();
  }
  document.querySelectorAll(".mermaid:has(> svg)").forEach(function (box) {
    var button = document.createElement("button");
    button.className = "mermaid-open";
    button.textContent = "⤢";
    button.setAttribute("aria-label", "Enlarge diagram");
    button.addEventListener("click", function () {
      openDrawing(box);
    });
    box.appendChild(button);
  });

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
    picture.setAttribute("aria-label", ("Enlarge picture: " + picture.alt).replace(/: $/, ""));
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
