import { useState } from "react";
import { useLocation } from "wouter";
import { Act } from "../parts/act.tsx";
import { useConsole, useWatched } from "../use-console.ts";
import { GROUPS, VIEWS, type View } from "../views/views.tsx";
import css from "./side.module.css";

const isAt = (path: string, view: string) =>
  view === "/" ? path === "/" : path === view || path.startsWith(`${view}/`);

const Entry = ({ view }: { view: View }) => {
  const [path] = useLocation();
  const badge = view.badge?.(useWatched());
  return (
    <li>
      <a href={`#${view.path}`} {...(isAt(path, view.path) && { "aria-current": "page" })}>
        {view.says}
        {badge && <span className={badge.mark}>{badge.text}</span>}
      </a>
    </li>
  );
};

/** Search and help, for whoever does not know their keys yet. */
const Tools = () => {
  const { openSheet } = useConsole();
  return (
    <div className="acts">
      <Act isSmall isLocal shortcut="ctrl k" onAct={() => openSheet({ kind: "go-to" })}>
        Go to…
      </Act>
      <Act isSmall isLocal label="Keys and colors" onAct={() => openSheet({ kind: "keys" })}>
        ?
      </Act>
    </div>
  );
};

/** All views, with what waits in them. */
export const Side = () => (
  <nav className={css.side} aria-label="Views">
    <Tools />
    {Object.entries(GROUPS).map(([name, title]) => (
      <div key={name}>
        {title !== "" && <h2>{title}</h2>}
        <ul>
          {VIEWS.filter(({ group }) => group === name).map((view) => (
            <Entry key={view.path} view={view} />
          ))}
        </ul>
      </div>
    ))}
  </nav>
);

const TABS = ["/", "/payments", "/approvals", "/webhooks"];

/** The views of a phone: four, and the rest behind the last tab. */
export const Tabs = () => {
  const [path] = useLocation();
  const watched = useWatched();
  const { openSheet } = useConsole();
  const [isOpen, setOpen] = useState(false);
  const open = (kind: "go-to" | "keys") => {
    setOpen(false);
    openSheet({ kind });
  };
  const tabs = VIEWS.filter((view) => TABS.includes(view.path));
  return (
    <nav className={css.tabs} aria-label="Views on a phone">
      {isOpen && (
        <ul className={css.all}>
          {VIEWS.filter((view) => !TABS.includes(view.path)).map((view) => (
            <li key={view.path}>
              <a href={`#${view.path}`} onClick={() => setOpen(false)}>
                {view.says}
              </a>
            </li>
          ))}
          <li>
            <button type="button" onClick={() => open("go-to")}>
              Go to…
            </button>
          </li>
          <li>
            <button type="button" onClick={() => open("keys")}>
              Keys and colors
            </button>
          </li>
        </ul>
      )}
      {tabs.map((view) => {
        const count = view.badge?.(watched);
        return (
          <a
            key={view.path}
            href={`#${view.path}`}
            {...(isAt(path, view.path) && { "aria-current": "page" })}
          >
            <span className={`${css.count} ${count?.mark ?? ""}`}>{count?.text ?? "@"}</span>
            {view.says}
          </a>
        );
      })}
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={css.count}>…</span>More
      </button>
    </nav>
  );
};
