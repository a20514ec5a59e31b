// The default theme without its fonts, and with one language for the names and examples on all pages.
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

const key = "agentserver-language";
const languages = ["TypeScript", "Python", "Go", "YAML"];

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (typeof document === "undefined") return;
    document.addEventListener("change", ({ target, isTrusted }) => {
      const isTab = target.matches?.(".vp-code-group .tabs input");
      if (!isTrusted || !(isTab || target.matches?.(".switch-language input"))) return;
      localStorage.setItem(key, languageOf(target));
      show(target);
    });
    router.onAfterRouteChange = () => requestAnimationFrame(() => show());
  },
};

function languageOf(input) {
  return input.labels[0].textContent.trim();
}

/** Shows the selected language on the whole page. `changed` is the input that the reader has changed, if any. */
function show(changed) {
  const language = localStorage.getItem(key) ?? languages[0];
  document.documentElement.dataset.language = language;
  for (const element of document.querySelectorAll(".switch-language"))
    if (element.childElementCount === 0) fill(element);
  for (const input of document.querySelectorAll(".switch-language input"))
    input.checked = languageOf(input) === language;
  for (const tab of document.querySelectorAll(".vp-code-group .tabs input"))
    if (tab !== changed && !tab.checked && languageOf(tab) === language) tab.click();
}

function fill(element) {
  element.setAttribute("role", "radiogroup");
  element.setAttribute("aria-label", "Language");
  for (const language of languages) {
    const label = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "radio", name: "language" });
    label.append(input, ` ${language}`);
    element.append(label);
  }
}
