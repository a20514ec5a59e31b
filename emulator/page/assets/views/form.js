import { element } from "../dom.js";

/** Creates a select element whose first option means all. */
export function choice(title, options, { onchange, chosen } = {}) {
  const root = element(
    "select",
    { "aria-label": title, onchange },
    element("option", { value: "" }, `${title}: all`),
    ...options.map(([value, text]) =>
      element("option", { value, selected: value === chosen }, text ?? value),
    ),
  );
  return { root };
}

let fields = 0;

/** Creates a labeled input. `read()` returns its value, or `undefined` if it is empty. */
export function input(title, attributes = {}) {
  const { options, ...rest } = attributes;
  const id = `field-${++fields}`;
  const control = options
    ? element("select", { id, ...rest }, ...options.map(option))
    : element("input", { id, type: "text", spellcheck: "false", autocomplete: "off", ...rest });
  return {
    control,
    root: element("div", { class: "field" }, element("label", { for: id }, title), control),
    read() {
      const text = control.value.trim();
      if (text === "") return undefined;
      return control.type === "number" ? Number(text) : text;
    },
  };
}

function option([value, text]) {
  return element("option", { value }, text ?? value);
}

/** Creates a form that is submitted without leaving the page. */
export function form(onsubmit, ...children) {
  return element(
    "form",
    {
      method: "post",
      onsubmit: (event) => {
        event.preventDefault();
        onsubmit();
      },
    },
    ...children,
  );
}

/** Creates a dialog with a form. `open()` shows it, and Escape closes it. */
export function dialog(title, { submit, onsubmit, danger }, ...children) {
  const close = () => root.close();
  const inside = form(
    () => {
      close();
      onsubmit();
    },
    element("h2", {}, title),
    ...children,
    element(
      "div",
      { class: "buttons" },
      element("button", { type: "button", class: "plain", onclick: close }, "Cancel"),
      element("button", { type: "submit", class: danger ? "danger" : "primary" }, submit),
    ),
  );
  const root = element("dialog", { "aria-label": title }, inside);
  return { root, open: () => root.showModal() };
}
