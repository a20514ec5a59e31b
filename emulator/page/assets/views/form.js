import { element } from "../dom.js";

/** A choice whose first option stands for all. */
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

/** A labelled input; `read()` gives what is in it, or nothing. */
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

/** A form whose submission stays in the page. */
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

/** A window in front of the page with a form in it; `open()` shows it. Escape closes it. */
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
