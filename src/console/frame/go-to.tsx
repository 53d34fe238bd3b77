import { type KeyboardEvent, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { OPERATIONS } from "../../contract/operations.ts";
import { ranked } from "../parts/ranked.ts";
import { placeOf } from "../routes.ts";
import { useWatched } from "../use-console.ts";
import { VIEWS } from "../views/views.tsx";
import { Dialog } from "./dialogs.tsx";

/** A place to go to. */
interface Target {
  says: string;
  kind: string;
  to: string;
}

const MAX_SHOWN = 12;

const words = (operation: string) => operation.replace(/([A-Z])/g, " $1").toLowerCase();

/** Everything that has a place, found by its first letters. */
export const GoTo = ({ onClose }: { onClose(): void }) => {
  const { lists } = useWatched();
  const [, go] = useLocation();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const targets = useMemo((): Target[] => {
    const views = VIEWS.map(({ says, path }) => ({ says, kind: "view", to: path }));
    const operations = OPERATIONS.map(({ operationId }) => ({
      says: words(operationId),
      kind: "operation",
      to: `/reference/${operationId}`,
    }));
    const names = lists.customers.map(({ id, name }) => ({
      says: name ?? id,
      kind: "customer",
      to: placeOf(id),
    }));
    const ids = [
      ...lists.payments.map(({ id }) => id),
      ...lists.deliveries.map(({ id }) => id),
      ...lists.requests.map(({ id }) => id),
    ].map((id) => ({
      says: id.includes(":") ? `${id.slice(-6)} ${id}` : id,
      kind: "id",
      to: placeOf(id),
    }));
    return [...views, ...operations, ...names, ...ids];
  }, [lists]);
  const shown = ranked(targets, typed).slice(0, MAX_SHOWN);
  const open = (target: Target | undefined) => {
    if (!target) return;
    onClose();
    go(target.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(shown.length - 1, at + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (event.key === "Enter") open(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <label className="field">
        <span>A view, an operation, a name or an id</span>
        <input
          autoFocus
          value={typed}
          role="combobox"
          aria-expanded="true"
          aria-controls="go-to-list"
          aria-activedescendant={`go-to-${at}`}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <ul id="go-to-list" role="listbox" aria-label="Places" className="places">
        {shown.map((target, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <li
            key={`${target.kind} ${target.to}`}
            id={`go-to-${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => open(target)}
          >
            {target.says} <span className="d">{target.kind}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
