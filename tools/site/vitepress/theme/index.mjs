// The default theme without its fonts, and with one language for all tabs of code.
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

const key = "agentserver-language";

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (typeof document === "undefined") return;
    document.addEventListener("change", ({ target, isTrusted }) => {
      const tab = target.closest?.(".vp-code-group .tabs input");
      if (!tab || !isTrusted) return;
      localStorage.setItem(key, languageOf(tab));
      select(tab);
    });
    router.onAfterRouteChange = () => requestAnimationFrame(() => select());
  },
};

function languageOf(tab) {
  return tab.labels[0].textContent;
}

/** Selects the language in all groups except the one that contains `current`. */
function select(current) {
  const language = localStorage.getItem(key);
  for (const tab of document.querySelectorAll(".vp-code-group .tabs input"))
    if (tab !== current && !tab.checked && languageOf(tab) === language) tab.click();
}
