// Tabs and code groups: one panel at a time, by tabs with arrow keys or by a menu; equal titles follow each other on the page and on the
// next one.
(function () {
  "use strict";
  var root = document.documentElement;
  var key = "offprint:" + root.dataset.site + ":tabs";
  var REMEMBERED = 24;
  var groups = [];

  function recall() {
    try {
      var titles = JSON.parse(localStorage.getItem(key));
      return Array.isArray(titles) ? titles : [];
    } catch (_) {
      return [];
    }
  }

  function remember(title) {
    try {
      var titles = recall().filter(function (known) {
        return known !== title;
      });
      localStorage.setItem(key, JSON.stringify([title].concat(titles).slice(0, REMEMBERED)));
    } catch (_) {}
  }

  function select(group, at) {
    group.panels.forEach(function (panel, i) {
      panel.hidden = i !== at;
      panel.removeAttribute("data-idle");
    });
    if (group.menu) group.menu.selectedIndex = at;
    group.tabs.forEach(function (tab, i) {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
    });
    var tab = group.tabs[at];
    // only the row scrolls, never the page
    if (tab) {
      window.__opPage.look(function () {
        var from = group.list.scrollLeft;
        if (tab.offsetLeft < from || tab.offsetLeft + tab.offsetWidth > from + group.list.clientWidth) group.list.scrollLeft = tab.offsetLeft - 24;
      });
    }
  }

  // Selects by the reader's hand: groups of the same title follow, and the row stays under the pointer.
  function choose(group, at) {
    var top = group.list.getBoundingClientRect().top;
    var title = group.titles[at];
    select(group, at);
    if (group.synced) {
      groups.forEach(function (other) {
        var same = other.synced ? other.titles.indexOf(title) : -1;
        if (same >= 0) select(other, same);
      });
      remember(title);
    }
    // the address of the page leads to what is chosen; a file's address may not be changed everywhere
    try {
      if (group.list.parentElement.matches(".tabs")) history.replaceState(history.state, "", "#" + group.panels[at].id);
    } catch (_) {}
    scrollBy(0, group.list.getBoundingClientRect().top - top);
    dispatchEvent(new Event("scroll"));
  }

  document.querySelectorAll(".tab-list, .tab-menu").forEach(function (list) {
    var box = list.parentElement;
    var menu = list.querySelector("select");
    var tabs = menu ? [] : Array.from(list.children);
    var ids = menu
      ? Array.from(menu.options, function (option) {
          return option.value;
        })
      : tabs.map(function (tab) {
          return tab.getAttribute("aria-controls");
        });
    var panels = ids.map(function (id) {
      return document.getElementById(id);
    });
    if (panels.indexOf(null) >= 0) return;
    var group = {
      list: list,
      menu: menu,
      tabs: tabs,
      panels: panels,
      synced: !!box.closest("[data-sync]") && box.closest("[data-sync], .tab-panel").hasAttribute("data-sync"),
      titles: panels.map(function (panel) {
        return panel.dataset.title;
      }),
    };
    groups.push(group);
    list.hidden = false;
    list.addEventListener("change", function () {
      if (menu) choose(group, menu.selectedIndex);
    });
    list.addEventListener("click", function (event) {
      var at = tabs.indexOf(event.target.closest("[role=tab]"));
      if (at >= 0) choose(group, at);
    });
    list.addEventListener("keydown", function (event) {
      var at = tabs.indexOf(document.activeElement);
      var ahead = getComputedStyle(list).direction === "rtl" ? -1 : 1;
      var to = { ArrowRight: at + ahead, ArrowLeft: at - ahead, Home: 0, End: tabs.length - 1 }[event.key];
      if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      to = (to + tabs.length) % tabs.length;
      choose(group, to);
      tabs[to].focus({ preventScroll: true });
    });
  });
  if (!groups.length) return;

  var titles = recall();
  groups.forEach(function (group) {
    var at = -1;
    for (var i = 0; group.synced && at < 0 && i < titles.length; i++) at = group.titles.indexOf(titles[i]);
    if (at < 0) {
      at = group.panels.findIndex(function (panel) {
        return !panel.hasAttribute("data-idle");
      });
    }
    select(group, Math.max(at, 0));
  });

  // An address that names a panel, or something inside one, opens it.
  function follow() {
    var target = window.__opPage.target();
    if (!target) return;
    var opened = false;
    groups.forEach(function (group) {
      group.panels.forEach(function (panel, at) {
        if (panel.contains(target) && panel.hidden) {
          select(group, at);
          opened = true;
        }
      });
    });
    var isPanel = target.matches(".tab-panel") && !!target.parentElement.querySelector(".tab-list, .tab-menu");
    if (opened || isPanel) (isPanel ? target.parentElement : target).scrollIntoView();
  }
  addEventListener("hashchange", follow);
  follow();
})();
