/* Page-wide views and variations (one shown at a time, remembered) and the tag filter of change logs (?tags=A,B). */
(function () {
  "use strict";
  var root = document.documentElement;

  function press(buttons, isPressed) {
    buttons.forEach(function (button) {
      button.setAttribute("aria-pressed", isPressed(button) ? "true" : "false");
    });
  }

  var views = Array.from(document.querySelectorAll(".view-switcher button"));
  if (views.length) {
    var key = "offprint:" + root.dataset.site + ":view";
    var show = function (id) {
      views.forEach(function (button) {
        var panel = document.getElementById(button.dataset.panel);
        if (panel) panel.hidden = button.dataset.panel !== id;
      });
      press(views, function (button) {
        return button.dataset.panel === id;
      });
    };
    var wanted = views[0];
    var title = null;
    try {
      title = localStorage.getItem(key);
    } catch (_) {}
    views.forEach(function (button) {
      if (button.textContent === title) wanted = button;
      button.addEventListener("click", function () {
        show(button.dataset.panel);
        try {
          localStorage.setItem(key, button.textContent);
        } catch (_) {}
      });
    });
    // an address that names something inside a view opens it
    var inside = function () {
      var target = window.__opPage.target();
      views.forEach(function (button) {
        var panel = document.getElementById(button.dataset.panel);
        if (panel && target && panel.contains(target)) {
          show(button.dataset.panel);
          target.scrollIntoView();
        }
      });
    };
    show(wanted.dataset.panel);
    addEventListener("hashchange", inside);
    inside();
  }

  var variations = Array.from(document.querySelectorAll(".variation-switcher button"));
  if (variations.length) {
    var chosenKey = "offprint:" + root.dataset.site + ":variation";
    var parts = Array.from(document.querySelectorAll(".variation"));
    var isOf = function (part, id) {
      return (" " + part.dataset.variation + " ").indexOf(" " + id + " ") >= 0;
    };
    var choose = function (id) {
      parts.forEach(function (part) {
        part.hidden = !isOf(part, id);
        part.removeAttribute("data-idle");
      });
      press(variations, function (button) {
        return button.dataset.show === id;
      });
    };
    var chosen = null;
    try {
      chosen = localStorage.getItem(chosenKey);
    } catch (_) {}
    var isKnown = variations.some(function (button) {
      return button.dataset.show === chosen;
    });
    choose(isKnown ? chosen : variations[0].dataset.show);
    variations.forEach(function (button) {
      button.addEventListener("click", function () {
        choose(button.dataset.show);
        try {
          localStorage.setItem(chosenKey, button.dataset.show);
        } catch (_) {}
      });
    });
    // an address that names something inside a part shows the first variation that has it
    var reveal = function () {
      var target = window.__opPage.target();
      var part = target && target.closest(".variation[hidden]");
      if (!part) return;
      variations.some(function (button) {
        var has = isOf(part, button.dataset.show);
        if (has) choose(button.dataset.show);
        return has;
      });
      target.scrollIntoView();
    };
    addEventListener("hashchange", reveal);
    reveal();
  }

  var filters = Array.from(document.querySelectorAll(".update-filter button"));
  if (filters.length) {
    var updates = Array.from(document.querySelectorAll("[data-component='Update']"));
    var tags = [];
    try {
      tags = (new URLSearchParams(location.search).get("tags") || "").split(",").filter(Boolean);
    } catch (_) {}
    var tagsOf = function (update) {
      return (update.dataset.tags || "").split(",");
    };
    var apply = function () {
      updates.forEach(function (update) {
        var own = tagsOf(update);
        update.hidden = !tags.every(function (tag) {
          return own.indexOf(tag) >= 0;
        });
      });
      press(filters, function (button) {
        return tags.indexOf(button.dataset.filter) >= 0;
      });
    };
    filters.forEach(function (button) {
      button.addEventListener("click", function () {
        var at = tags.indexOf(button.dataset.filter);
        if (at >= 0) tags.splice(at, 1);
        else tags.push(button.dataset.filter);
        apply();
        try {
          var query = tags.length ? "?tags=" + tags.map(encodeURIComponent).join(",") : location.pathname;
          history.replaceState(null, "", query);
        } catch (_) {}
      });
    });
    apply();
  }
})();
