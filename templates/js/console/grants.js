/* Tokens of OAuth 2.0 that the page gets itself, where its policy lets it ask the server: by an authorization code with PKCE, in a window of its
   own; by the credentials of a client; and by a code that the reader enters elsewhere. */

const FLOWS = { authorizationCode: "Authorization code (PKCE)", clientCredentials: "Client credentials", deviceAuthorization: "Device authorization" };
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const bytesOf = (text) => new TextEncoder().encode(text);
const base64url = (bytes) => base64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** The page of the bundle that a login returns to. */
const returnAddress = () => new URL(`${document.documentElement.dataset.root}_offprint/oauth.html`, location.href).href;

const originOf = (address) => {
  try {
    return new URL(address).origin;
  } catch (_) {
    return "";
  }
};

/** Why a flow cannot be used from here; empty if it can. */
function obstacle({ flow, authorizationUrl, tokenUrl, deviceAuthorizationUrl, openIdConnectUrl }, allowed) {
  const asked = [openIdConnectUrl || tokenUrl, flow === "deviceAuthorization" && deviceAuthorizationUrl].filter((address) => address !== false);
  const bad = asked.find((address) => !/^https?:/.test(address || ""));
  if (asked.includes(bad) || (flow === "authorizationCode" && !openIdConnectUrl && !/^https?:/.test(authorizationUrl || ""))) return words.bad_address.replace("{}", bad || authorizationUrl || "");
  const blocked = allowed && asked.map(originOf).find((origin) => !allowed.includes(origin));
  if (blocked) return words.blocked.replace("{}", blocked);
  return flow === "authorizationCode" && (!/^http/.test(location.protocol) || !crypto.subtle) ? words.needs_host : "";
}

/** Sends a form and reads the answer. */
async function askServer(url, fields, signal, headers = {}) {
  const form = new URLSearchParams(Object.entries(fields).filter(([, value]) => value));
  const options = { method: "POST", body: form, headers: { Accept: "application/json", ...headers }, signal, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" };
  const response = await fetch(url, options).catch(() => {
    throw new Error(signal.aborted ? words.canceled : words.unreachable.replace("{}", originOf(url)));
  });
  return response.json().catch(() => ({ error: `${response.status} ${response.statusText}` }));
}

/** The token in an answer. */
function tokenIn(said) {
  if (typeof said.access_token === "string") return said;
  throw new Error(said.error_description || said.error || words.empty);
}

/** Addresses that an OpenID provider says of itself. */
async function discover(flow, allowed, signal) {
  if (!flow.openIdConnectUrl) return flow;
  const response = await fetch(flow.openIdConnectUrl, { signal, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" }).catch(() => {
    throw new Error(words.unreachable.replace("{}", originOf(flow.openIdConnectUrl)));
  });
  const said = await response.json();
  const found = { ...flow, openIdConnectUrl: undefined, authorizationUrl: said.authorization_endpoint, tokenUrl: said.token_endpoint };
  const problem = obstacle(found, allowed);
  if (problem) throw new Error(problem);
  return found;
}

/** What the other window brings back. */
function answerOf(state, signal) {
  return new Promise((done, refused) => {
    const channel = new BroadcastChannel(`offprint-oauth-${state}`);
    const end = () => channel.close();
    channel.onmessage = ({ data }) => {
      end();
      done(new URLSearchParams(String(data)));
    };
    signal.addEventListener("abort", () => {
      end();
      refused(new Error(words.canceled));
    });
  });
}

const GRANTS = {
  async authorizationCode(flow, { client, secret, scope }, { allowed, signal, tell }) {
    // opened before anything is waited for: later, browsers take it for an advertisement
    const login = window.open("about:blank", "_blank", "width=520,height=720");
    try {
      if (login) login.opener = null;
      const { authorizationUrl, tokenUrl } = await discover(flow, allowed, signal);
      const [verifier, state] = [randomText(), randomText()];
      const challenge = base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(verifier))));
      const address = new URL(authorizationUrl);
      const asked = { response_type: "code", client_id: client, redirect_uri: returnAddress(), scope, state, code_challenge: challenge, code_challenge_method: "S256" };
      for (const [name, value] of Object.entries(asked)) if (value) address.searchParams.set(name, value);
      const answer = answerOf(state, signal);
      if (login) login.location.replace(address.href);
      tell(words.login_waits, " ", h("a", { href: address.href, target: "_blank", rel: "noopener noreferrer" }, originOf(address.href)));
      const said = await answer;
      if (!said.get("code")) throw new Error(said.get("error_description") || said.get("error") || words.empty);
      return tokenIn(await askServer(tokenUrl, { grant_type: "authorization_code", code: said.get("code"), redirect_uri: returnAddress(), client_id: client, client_secret: secret, code_verifier: verifier }, signal));
    } catch (error) {
      // a window that has gone to the server is the reader's
      try {
        if (login?.location.href === "about:blank") login.close();
      } catch (_) {}
      throw error;
    }
  },
  async clientCredentials({ tokenUrl }, { client, secret, scope }, { signal }) {
    const asked = { grant_type: "client_credentials", scope };
    const basic = base64(bytesOf(`${encode(client)}:${encode(secret)}`));
    // servers have to know this way, but some let no page use it, or know only the other one
    const said = await askServer(tokenUrl, asked, signal, { Authorization: `Basic ${basic}` }).catch(() => ({}));
    if (said.access_token || signal.aborted || !/^(invalid_client|invalid_request|4\d\d.*)?$/.test(said.error || "")) return tokenIn(said);
    return tokenIn(await askServer(tokenUrl, { ...asked, client_id: client, client_secret: secret }, signal));
  },
  async deviceAuthorization({ deviceAuthorizationUrl, tokenUrl }, { client, scope }, { signal, tell }) {
    const said = await askServer(deviceAuthorizationUrl, { client_id: client, scope }, signal);
    if (!said.device_code) throw new Error(said.error_description || said.error || words.empty);
    const href = said.verification_uri_complete || said.verification_uri;
    const link = /^https?:/.test(href) ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, said.verification_uri) : said.verification_uri;
    tell(words.device_code, " ", h("strong", { class: "console-device-code" }, said.user_code), " ", link);
    const end = performance.now() + (said.expires_in || 600) * 1000;
    for (let wait = said.interval || 5; performance.now() < end; ) {
      await new Promise((done) => setTimeout(done, wait * 1000));
      if (signal.aborted) throw new Error(words.canceled);
      const answer = await askServer(tokenUrl, { grant_type: DEVICE_GRANT, device_code: said.device_code, client_id: client }, signal);
      if (answer.error === "slow_down") wait += 5;
      else if (answer.error !== "authorization_pending") return tokenIn(answer);
    }
    throw new Error("expired_token");
  },
};

/** The form that gets a token for a scheme: `{ element, client }`, or `null` where no flow is known. */
function grantPart(scheme, allowed, { labelled, note }, put) {
  const flows = scheme.flows.filter(({ flow }) => FLOWS[flow]);
  if (!flows.length) return null;
  const input = (type) => h("input", { class: "console-input", type, autocomplete: "off", spellcheck: "false" });
  const [client, secret, scope] = [input("text"), input("password"), input("text")];
  const select = h("select", { class: "console-input", "aria-label": words.get_token }, flows.map(({ flow }, at) => h("option", { value: at }, FLOWS[flow])));
  const said = h("p", { class: "console-note", role: "status" });
  const tell = (...content) => said.replaceChildren(...shown(content));
  let running = null;
  const get = button(words.get_token, async () => {
    if (running) return running.abort();
    running = new AbortController();
    get.textContent = words.cancel;
    tell(words.sending);
    const flow = flows[Number(select.value)];
    try {
      const { signal } = running;
      const { access_token: token, expires_in: seconds } = await GRANTS[flow.flow](flow, { client: client.value.trim(), secret: secret.value, scope: scope.value.trim() }, { allowed, signal, tell });
      put(token);
      tell(words.token_got, seconds > 0 && ` (${inLanguage(Math.round(seconds / 60), 0)} min)`);
    } catch (error) {
      tell(words.no_token.replace("{}", error.message));
    }
    running = null;
    get.textContent = words.get_token;
  });
  const rows = h("div", { class: "console-fields" });
  const show = () => {
    const flow = flows[Number(select.value)];
    const problem = obstacle(flow, allowed);
    scope.value = (flow.scopes || []).join(" ");
    rows.replaceChildren(
      ...shown(
        problem
          ? [note(problem)]
          : [
              labelled(words.client_id, client),
              flow.flow !== "deviceAuthorization" && labelled(words.client_secret, secret),
              labelled(words.scopes, scope),
              flow.flow === "authorizationCode" && note([words.return_address, " ", h("code", {}, returnAddress())]),
              h("p", { class: "console-grant-foot" }, get, said),
            ],
      ),
    );
  };
  select.addEventListener("input", show);
  show();
  const name = flows.length > 1 ? select : note(FLOWS[flows[0].flow]);
  return { element: h("details", { class: "console-nest console-grant" }, h("summary", {}, h("span", { class: "console-label" }, words.get_token)), h("div", { class: "console-nest-body console-fields" }, name, rows)), client };
}
