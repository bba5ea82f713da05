/* The server that a request goes to. */

/** The choice of a server, its variables, or an address of the reader's own. */
function serverPart({ servers, path }, allowed, labelled, note) {
  const isWhole = /^https?:\/\//.test(path);
  const isOpen = !allowed && !isWhole;
  const box = h("div", { class: "console-fields" });
  const variables = h("div", { class: "console-fields" });
  const own = h("input", { class: "console-input", type: "url", placeholder: "https://api.example.com", autocomplete: "off", spellcheck: "false" });
  const ownRow = labelled(words.server_address, own);
  const choices = servers.map(({ template, note: text }, at) => h("option", { value: at }, text ? `${template} (${text})` : template));
  if (isOpen) choices.push(h("option", { value: -1 }, words.other_server));
  const select = h("select", { class: "console-input", "aria-label": words.server }, choices);
  let inputs = [];
  const current = () => servers[Number(select.value)];
  const show = () => {
    inputs = (current()?.variables || []).map(({ name, value, values }) => {
      const input = values.length ? h("select", { class: "console-input" }, values.map((one) => h("option", { value: one, selected: one === value }, one))) : h("input", { class: "console-input", value, spellcheck: "false" });
      return { name, input, row: labelled(h("code", {}, name), input) };
    });
    variables.replaceChildren(...inputs.map((one) => one.row));
    ownRow.hidden = Boolean(current());
  };
  select.addEventListener("change", show);
  show();
  if (choices.length > 1) box.append(select);
  box.append(variables);
  if (isOpen) box.append(ownRow);
  if (allowed && choices.length > 1) box.append(note(words.fixed));
  const address = () => {
    if (isWhole) return "";
    const chosen = current();
    if (!chosen) return own.value.trim().replace(/\/+$/, "");
    const filled = chosen.template.replace(/\{([^{}]+)\}/g, (whole, name) => inputs.find((one) => one.name === name)?.input.value || whole);
    try {
      return (location.protocol === "file:" && !/^\w+:/.test(filled) ? filled : new URL(filled, location.href).href).replace(/\/+$/, "");
    } catch (_) {
      return filled;
    }
  };
  return {
    element: !isWhole && (choices.length > 1 || inputs.length || isOpen) ? box : null,
    address,
    origin() {
      try {
        return new URL(isWhole ? path : address()).origin;
      } catch (_) {
        return "";
      }
    },
  };
}
