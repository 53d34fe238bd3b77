import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { ClockPreview } from "../../contract/control/clock-preview.ts";
import type { FoundRows } from "../../contract/control/rows.ts";
import type { Revision } from "../../contract/core/revision-names.ts";
import { operationsOf } from "../../contract/operations.ts";
import { goalOf } from "../../rows/advance-goal.ts";
import field from "../parts/field.module.css";
import { ranked } from "../parts/ranked.ts";
import { useAction, useConsole, useRead, useRowContext, useWatched } from "../use-console.ts";
import { useRevision } from "../use-revision.ts";
import { VIEWS } from "../views/views.tsx";
import { Dialog } from "./dialogs.tsx";
import css from "./go-to.module.css";
import { clockTargets, foundTargets, soughtIn, type Target } from "./go-to-targets.ts";
import { useClockActions } from "./use-clock-actions.ts";

const MAX_SHOWN = 12;

/** Typing rests this long before it is searched for, real milliseconds. */
const TYPED_MS = 120;

/** Shorter words would find too much. */
const LEAST_CHARACTERS = 2;

const words = (operation: string) => operation.replace(/([A-Z])/g, " $1").toLowerCase();

const VIEW_TARGETS: readonly Target[] = VIEWS.map(({ says, path }) => ({
  says,
  kind: "view",
  to: path,
}));

const operationTargets = (revision: Revision): readonly Target[] =>
  operationsOf(revision).map(({ operationId }) => ({
    says: words(operationId),
    kind: "operation",
    to: `/reference/${operationId}`,
  }));

const beginsOperation = (typed: string, targets: readonly Target[]) =>
  typed.trim().includes(" ") &&
  targets.some(({ says }) => says.startsWith(typed.trim().toLowerCase()));

/** Rows that the simulator finds for the typed text, once typing rests. */
const useFound = (typed: string) => {
  const { verb, text } = soughtIn(typed);
  const [sought, setSought] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSought(text), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const isLong = sought.length >= LEAST_CHARACTERS;
  const path = isLong ? `/find?query=${encodeURIComponent(sought)}` : undefined;
  const read = useRead<FoundRows>(path, { isPrevious: true });
  const { body, refused } = read;
  const context = useRowContext();
  const isAsked = text.length >= LEAST_CHARACTERS;
  return {
    targets: isAsked && body ? foundTargets(body.data, verb, context) : [],
    isOver: !isAsked || (sought === text && !read.isOfBefore && (body ?? refused) !== undefined),
  };
};

/** Goes to a place, or does what is asked for in its stead. */
const useOpen = (onClose: () => void) => {
  const { control, openSheet, switchWorld, worldName } = useConsole();
  const [, go] = useLocation();
  const { toNext, freeze } = useClockActions();
  const { run } = useAction();
  return ({ to }: Target) => {
    onClose();
    if (typeof to === "string") return go(to);
    if ("world" in to) return to.world === worldName ? undefined : switchWorld(to.world);
    if ("advance" in to)
      return void run(async () => {
        const preview = await control.send<ClockPreview>(
          "POST",
          "/clock/preview",
          goalOf(to.advance),
        );
        openSheet({ kind: "advance", to: preview.to });
        return undefined;
      });
    if (to.clock === "next") return void toNext();
    if (to.clock === "freeze") return void freeze();
    return openSheet({ kind: "advance" });
  };
};

/** Every place, found by its name or by the end of its id, and what can be done from anywhere. */
export const GoTo = ({ onClose }: { onClose(): void }) => {
  const { clock } = useWatched();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const { targets, isOver } = useFound(typed);
  const fixed = [...VIEW_TARGETS, ...clockTargets(typed, clock?.mode === "real")];
  const revision = useRevision();
  const operations = useMemo(() => operationTargets(revision), [revision]);
  const named = ranked([...fixed, ...operations], typed);
  // A view whose name is typed comes before what has the word somewhere in it, and so does an
  // operation by its first words.
  const isNamed =
    (typed.trim() !== "" && ranked(fixed, typed).length > 0) || beginsOperation(typed, operations);
  const all = isNamed ? [...named, ...targets] : [...targets, ...named];
  const shown = all.slice(0, MAX_SHOWN);
  const open = useOpen(onClose);
  // The rows still shown are those of an earlier text: Enter waits for what was typed.
  const [isEntered, setEntered] = useState(false);
  const first = shown[0];
  const isReady = isOver || isNamed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter is kept until the search is over
  useEffect(() => {
    if (!isEntered || !isReady) return;
    setEntered(false);
    if (first) open(first);
  }, [isEntered, isReady]);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = shown[at];
    if (event.key === "ArrowDown") setAt(Math.min(shown.length - 1, at + 1));
    else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (event.key === "Enter") {
      if (at === 0 && !isReady) setEntered(true);
      else if (target) open(target);
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <label className={field.field}>
        <span>A view, an operation, a name, the end of an id, or an action</span>
        <input
          autoFocus
          value={typed}
          placeholder="ab12cd, ada, create quote, advance 6m, fund ab12cd"
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls="go-to-list"
          aria-activedescendant={shown.length > 0 ? `go-to-${at}` : undefined}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
            setEntered(false);
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <ul id="go-to-list" role="listbox" aria-label="Places" className={css.places}>
        {shown.map((target, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <li
            key={`${target.kind} ${target.says}`}
            id={`go-to-${place}`}
            role="option"
            aria-selected={place === at}
            onClick={() => open(target)}
          >
            {target.says} <span className="d">{target.kind}</span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && isOver && (
        <p className="more" role="status">
          Nothing found. Type a name, the last digits of an id, a view or an operation, or “advance
          6m”
        </p>
      )}
    </Dialog>
  );
};
