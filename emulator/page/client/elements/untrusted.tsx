import { createElement } from "preact";

interface UntrustedProps {
  text: string | null | undefined;
  tag?: "bdi" | "li" | "p" | "pre" | "span" | "td";
  class?: string;
}

/** Displays an untrusted string of any writing direction. User names and passwords in URLs are masked. */
export function Untrusted({ text, tag = "bdi", class: name }: UntrustedProps) {
  return createElement(tag, { dir: "auto", class: name }, withoutCredentials(text ?? ""));
}

function withoutCredentials(text: string): string {
  return text.replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1[masked]@");
}
