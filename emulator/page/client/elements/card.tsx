import type { ComponentChildren } from "preact";

interface CardProps {
  title: string;
  explanation: string;
  children: ComponentChildren;
}

/** Displays a section of the page in a box with a title. */
export function Card({ title, explanation, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p class="quiet">{explanation}</p>
      {children}
    </section>
  );
}
