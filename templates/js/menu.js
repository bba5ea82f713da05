/* Menus are <details>: one open at a time, closed by Escape, by a click elsewhere and when focus leaves; kept inside the window. */
(function () {
  "use strict";
  var menus = Array.from(document.querySelectorAll("details.op-menu"));
  // the current tab stands in view
  var tab = document.querySelector(".op-tabs [aria-current]");
  var strip = tab && tab.closest(".op-tabs > ul");
  if (strip) {
    window.__opPage.look(function () {
      if (strip.scrollWidth > strip.clientWidth) strip.scrollLeft += tab.getBoundingClientRect().left - strip.getBoundingClientRect().left - 48;
    });
  }
  if (!menus.length) return;

  function closeAll(except) {
    menus.forEach(function (menu) {
      if (menu !== except) menu.open = false;
    });
  }
  function links(menu) {
    return Array.from(menu.querySelectorAll(".op-menu-list :is(a, button)"));
  }
  menus.forEach(function (menu) {
    menu.addEventListener("toggle", function () {
      if (!menu.open) return;
      closeAll(menu);
      var list = menu.querySelector(".op-menu-list");
      list.style.marginInlineStart = "";
      var over = list.getBoundingClientRect().right - document.documentElement.clientWidth + 12;
      if (over > 0 && getComputedStyle(list).direction === "ltr") list.style.marginInlineStart = -over + "px";
    });
    menu.addEventListener("focusout", function (event) {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
    });
    menu.addEventListener("keydown", function (event) {
      var all = links(menu);
      var at = all.indexOf(document.activeElement);
      if (event.key === "Escape" && menu.open) {
        menu.open = false;
        menu.querySelector("summary").focus();
        event.stopPropagation();
      } else if (menu.open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        var next = all[event.key === "ArrowDown" ? Math.min(at + 1, all.length - 1) : Math.max(at - 1, 0)];
        if (next) next.focus();
        event.preventDefault();
      }
    });
  });
  document.addEventListener("click", function (event) {
    closeAll(event.target.closest ? event.target.closest("details.op-menu") : null);
  });
})();
