/* Where a login returns to: what the server says goes to the page that asked, which knows the state that it has chosen. */
(function () {
  "use strict";
  var said = location.search;
  var state = new URLSearchParams(said).get("state");
  // neither the history of the tab nor a screenshot has the code
  history.replaceState(null, "", location.pathname);
  if (!state) return;
  new BroadcastChannel("offprint-oauth-" + state).postMessage(said);
  setTimeout(close, 200);
})();
