import type { ReactNode } from "react";
import { safeLine } from "../../text/safe-text.ts";
import css from "./pane.module.css";
import { Lines } from "./text.tsx";

/** Content of a part of a page, with its texts made harmless; elements stay. */
const safeNode = (node: ReactNode): ReactNode => {
  if (typeof node === "string") return safeLine(node);
  return Array.isArray(node) ? node.map(safeNode) : node;
};

/** A part of a view: a rule, its title, and what stands below. */
export const Pane = ({
  title,
  note,
  end,
  isQuiet = false,
  className = "",
  children,
}: {
  title: string;
  note?: ReactNode;
  end?: ReactNode;
  /** Another pane has the focus of the view. */
  isQuiet?: boolean;
  className?: string | undefined;
  children: ReactNode;
}) => (
  <section className={`${css.pane} ${isQuiet ? css.quiet : ""} ${className}`}>
    <header>
      <h2>{safeNode(title)}</h2>
      {note !== undefined && <span>{safeNode(note)}</span>}
      {end !== undefined && <span className={css.end}>{end}</span>}
    </header>
    {children}
  </section>
);

/** The head of a view; it gets the focus when one comes to it. */
export const Title = ({ children, beside }: { children: ReactNode; beside?: ReactNode }) => (
  <div className={css.title}>
    <h1 tabIndex={-1}>{safeNode(children)}</h1>
    {beside}
  </div>
);

/** The head of a view until its data is there; nothing is seen of a short wait. */
export const Loading = () => <h1 className="loading">Loading…</h1>;

/** A list of names and values. */
export const Facts = ({ of }: { of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={css.kv}>
    {of
      .filter(([, value]) => value !== undefined && value !== "" && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <Lines text={value} /> : safeNode(value)}</dd>
        </div>
      ))}
  </dl>
);
