// The panel of previews: which pages the deployment changed. Text only, no markup of anybody's.
(function () {
  "use strict";
  var root = document.createElement("details");
  root.className = "offprint-changes";
  function element(name, text) {
    var made = document.createElement(name);
    made.textContent = text;
    return made;
  }
  function list(title, pages) {
    if (!pages.length) return;
    root.appendChild(element("h2", title));
    var items = document.createElement("ul");
    pages.forEach(function (page) {
      var link = element("a", decodeURIComponent(page));
      link.href = page;
      if (page === location.pathname || page + ".html" === location.pathname) link.setAttribute("aria-current", "page");
      items.appendChild(document.createElement("li")).appendChild(link);
    });
    root.appendChild(items);
  }
  fetch("/-/preview/changes.json").then(function (answer) { return answer.json(); }).then(function (changes) {
    var count = changes.added.length + changes.modified.length;
    if (!count) return;
    var sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = "/-/preview/changes.css";
    document.head.appendChild(sheet);
    root.appendChild(element("summary", count === 1 ? "1 page changed" : count + " pages changed"));
    list("New", changes.added);
    list("Changed", changes.modified);
    root.setAttribute("data-chrome", "");
    document.body.appendChild(root);
  }).catch(function () { /* a page without the panel is as good */ });
})();
