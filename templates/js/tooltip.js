// Tooltips: the style sheet shows them; here they stay inside the window, and Escape puts them away.
(function () {
  "use strict";
  var GAP = 8;
  function place(event) {
    var word = event.target.closest && event.target.closest(".tooltip");
    var tip = word && word.querySelector(".tooltip-tip");
    if (!tip || tip.contains(event.target)) return;
    tip.style.removeProperty("--shift");
    tip.removeAttribute("data-below");
    var box = tip.getBoundingClientRect();
    if (!box.width) return;
    var header = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--op-header-height")) || 0;
    if (box.top < Math.max(header, GAP)) tip.setAttribute("data-below", "");
    var shift = Math.max(GAP - box.left, 0) || Math.min(document.documentElement.clientWidth - GAP - box.right, 0);
    if (shift) tip.style.setProperty("--shift", shift + "px");
  }
  document.addEventListener("pointerover", place);
  document.addEventListener("focusin", place);
  document.addEventListener("keydown", function (event) {
    if (event.key !== "Escape") return;
    document.querySelectorAll(".tooltip:hover, .tooltip:focus-within").forEach(function (word) {
      word.setAttribute("data-dismissed", "");
      function restore() {
        word.removeAttribute("data-dismissed");
        word.removeEventListener("pointerleave", restore);
        word.removeEventListener("focusout", restore);
      }
      word.addEventListener("pointerleave", restore);
      word.addEventListener("focusout", restore);
    });
  });
})();
