// Requests of components on pages whose policy lets none leave the bundle (`src/frame/theme/policy.rs`). The browser refuses them by itself, with errors
// in its console that no reader can act on. Here they fail as they do without a network, and nothing is reported: a component shows its first
// state, or what it shows where a call fails.

/** Makes requests fail that may not leave; `isOutside` tells addresses on other hosts. */
export const holdRequests = (isOutside) => {
  const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content ?? '';
  if (!policy.includes("connect-src 'self'")) return;
  // files have no server to ask
  const isHeld = (url) => isOutside(url) || (location.protocol === 'file:' && !/^(data|blob):/i.test(url));

  const failures = new WeakSet();
  /** A failure that need not be handled, nor what follows from it by `then`. */
  class Failed extends Promise {
    then(...given) {
      const next = super.then(...given);
      super.then.call(next, null, () => {});
      return next;
    }
  }
  const failed = () => {
    const error = new TypeError('Failed to fetch');
    failures.add(error);
    const promise = Failed.reject(error);
    promise.then();
    return promise;
  };
  // of an `async` function that does not handle it; for scripts on `file://` browsers send no such event
  addEventListener('unhandledrejection', (event) => failures.has(event.reason) && event.preventDefault());
  const { fetch } = window;
  window.fetch = (input, options) => (isHeld(String(input?.url ?? input)) ? failed() : fetch.call(window, input, options));

  const request = window.XMLHttpRequest.prototype;
  const { open, send } = request;
  const held = new WeakSet();
  request.open = function (method, url, ...rest) {
    const isOne = isHeld(String(url));
    held[isOne ? 'add' : 'delete'](this);
    return open.call(this, method, isOne ? 'data:,' : url, ...(rest.length ? rest : [true]));
  };
  request.send = function (body) {
    if (!held.has(this)) return send.call(this, body);
    setTimeout(() => {
      Object.defineProperty(this, 'readyState', { value: 4, configurable: true });
      for (const name of ['readystatechange', 'error', 'loadend']) this.dispatchEvent(new ProgressEvent(name));
    });
  };

  const tell = navigator.sendBeacon;
  navigator.sendBeacon = (url, body) => !isHeld(String(url)) && tell.call(navigator, url, body);

  const closed = (target, url) => {
    const channel = Object.assign(new EventTarget(), { url: String(url), readyState: target.CLOSED, send() {}, close() {} });
    setTimeout(() => {
      for (const event of [new Event('error'), new Event('close')]) {
        channel['on' + event.type]?.(event);
        channel.dispatchEvent(event);
      }
    });
    return channel;
  };
  for (const Channel of [window.WebSocket, window.EventSource]) {
    window[Channel.name] = new Proxy(Channel, {
      construct: (target, given, made) => (isHeld(String(given[0])) ? closed(target, given[0]) : Reflect.construct(target, given, made)),
    });
  }

  // what no policy holds: connections between browsers, and leading the reader elsewhere without a click
  window.RTCPeerConnection = undefined;
  window.navigation?.addEventListener('navigate', (event) => {
    if (event.cancelable && isOutside(event.destination.url) && !navigator.userActivation.isActive) event.preventDefault();
  });
};
