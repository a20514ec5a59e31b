import { element, setAttribute, setShown, setText } from "../dom.js";
import { localTime } from "../time.js";

const places = [
  ["deployments", "Deployments"],
  ["requests", "Requests"],
  ["controls", "Controls"],
];
const sayForMs = 6000;

/** Creates the frame around the views: title, facts about the control plane, navigation, and notices. */
export function frame({ onSignOut }) {
  const links = new Map(
    places.map(([name, title]) => [name, element("a", { href: `#/${name}`, class: "tab" }, title)]),
  );
  const address = element("span", { class: "address" });
  const clock = element("span", { class: "badge" });
  const kind = element("span", { class: "badge" });
  const dialect = element("span", { class: "badge" });
  const trouble = element("p", { class: "trouble", role: "alert", hidden: true });
  const news = element("p", { class: "news", role: "status" });
  const content = element("main", { id: "content", tabindex: -1 });
  let silence;

  const root = element(
    "div",
    { class: "frame" },
    element(
      "header",
      { class: "top" },
      element("img", { src: "page/icon.svg", alt: "", width: 28, height: 28 }),
      element("div", { class: "title" }, element("h1", {}, "Local control plane"), address),
      element("div", { class: "badges" }, dialect, kind, clock),
      element("nav", { "aria-label": "Views" }, ...links.values()),
      element("button", { type: "button", class: "plain", onclick: onSignOut }, "Sign out"),
    ),
    trouble,
    content,
    news,
  );

  return {
    root,
    content,
    select(place) {
      for (const [name, link] of links) setAttribute(link, "aria-current", name === place && "page");
    },
    update({ facts, now }) {
      setText(address, facts.baseUrl);
      setText(dialect, `${facts.dialect} dialect`);
      setText(kind, facts.steerable ? "simulated rollouts" : "real rollouts");
      setText(clock, `virtual time ${localTime(now, 0)}`);
      setShown(clock, facts.virtualTime);
    },
    /** Shows that no new data is available, and why. Without a reason, hides that message. */
    unreachable(why) {
      setText(
        trouble,
        why ? `The control plane does not respond: ${why}. The page may show old data; retrying.` : "",
      );
      setShown(trouble, Boolean(why));
    },
    /** Shows the result of an action. */
    say(text, tone) {
      setText(news, text);
      setAttribute(news, "data-tone", tone);
      clearTimeout(silence);
      silence = setTimeout(() => setText(news, ""), sayForMs);
    },
  };
}
