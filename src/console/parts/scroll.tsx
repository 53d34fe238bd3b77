import type { ReactNode } from "react";
import css from "./scroll.module.css";

/** Something that may be wider than the window: it scrolls by itself, also by the keyboard. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
  <section className={css.scroll} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
