/**
 * Creates an element. Children are elements or strings; strings are never interpreted as markup. Attributes that begin
 * with `on` are event listeners; `true` sets an attribute without a value, `false` and `undefined` omit it.
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else setAttribute(made, name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** Sets or removes an attribute, unless it already has the value. */
export function setAttribute(target, name, value) {
  if (value === undefined || value === false) {
    if (target.hasAttribute(name)) target.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (target.getAttribute(name) !== text) target.setAttribute(name, text);
}

/** Shows an untrusted string. Does nothing if the string is unchanged, which avoids flicker and keeps the selection. */
export function setText(target, text) {
  const shown = withoutCredentials(String(text ?? ""));
  if (target.textContent !== shown) target.textContent = shown;
}

/** Creates an element for an untrusted string of any writing direction. */
export function isolated(text = "", tag = "bdi", attributes = {}) {
  const made = element(tag, { dir: "auto", ...attributes });
  setText(made, text);
  return made;
}

/** Removes user names and passwords from URLs. */
function withoutCredentials(text) {
  return text.replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1[masked]@");
}

/** Shows or hides an element. */
export function setShown(target, shown) {
  if (target.hidden === shown) target.hidden = !shown;
}

/**
 * Updates the children of `parent` to match `items`: one child per item. A child is created once, kept while its item
 * exists, and updated in place.
 *
 * @param keyOf - returns the identity of an item
 * @param make - returns `{ root, update(item) }`
 */
export function keepInLine(parent, items, keyOf, make) {
  const before = parent.kept ?? new Map();
  const now = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const child = before.get(key) ?? make(item);
    child.update?.(item);
    now.set(key, child);
  }
  for (const [key, child] of before) if (!now.has(key)) child.root.remove();
  let place = parent.firstChild;
  for (const { root } of now.values()) {
    if (root === place) place = place.nextSibling;
    else parent.insertBefore(root, place);
  }
  parent.kept = now;
}
