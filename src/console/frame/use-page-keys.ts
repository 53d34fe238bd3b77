import { useEffect } from "react";
import { useLocation } from "wouter";
import { makePayout, UNDER_WAY } from "../../rows/first-payout.ts";
import { callPlatform } from "../call-platform.ts";
import { neighborOf } from "../came-from.ts";
import { hasLetterKeys, type PageAction, pageActionOf } from "../keys.ts";
import { useCopy } from "../parts/copy.tsx";
import { placeOf } from "../routes.ts";
import { useAction, useConsole, useSheet } from "../use-console.ts";
import { type View, viewAt } from "../views/views.tsx";
import { useClockActions } from "./use-clock-actions.ts";

/**
 * The command that shows in a terminal what a place shows.
 * @param world left out for the default world
 */
export const commandOf = (
  place: string,
  { origin, world }: { origin: string; world: string | undefined },
): string => {
  const { view, id } = viewAt(place) ?? { view: { command: "tui" } as View, id: "" };
  const command = typeof view.command === "string" ? view.command : view.command(id);
  const isNamed = world !== undefined && view.isOfAllWorlds !== true;
  if (command.startsWith("curl"))
    return `${command.replace("{origin}", origin)}${isNamed ? `?world=${encodeURIComponent(world)}` : ""}`;
  return `service-sim ${command}${isNamed ? ` --world ${world}` : ""}`;
};

const PLACES: Partial<Record<PageAction, string>> = {
  home: "/",
  "pane-1": "/payments",
  "pane-2": "/approvals",
  "pane-3": "/webhooks",
  "pane-4": "/requests",
  "fail-next": "/faults",
  worlds: "/worlds",
};

/** Sheets that cover the page: what lies below takes no keys. */
const MODAL: ReadonlySet<string> = new Set(["confirm", "keys", "go-to"]);

/** The id of the record at a place; a list has none. */
const idAt = (path: string) => {
  const id = decodeURIComponent(path.slice(path.lastIndexOf("/") + 1));
  return /^[A-Za-z]+:|^req-/.test(id) ? id : undefined;
};

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null;

const parentOf = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf("/")));

/** Clicks the button of the view that carries an action, where it has one. */
const clickOf = (action: string) =>
  document.querySelector<HTMLElement>(`main [data-does="${action}"]:not(:disabled)`)?.click();

/** Frames until a view that was gone to is drawn, at most. */
const MOST_FRAMES = 30;

/** Puts the focus on the field of an action, where the view has one. */
const focusOn = (action: PageAction): boolean => {
  const field = document.querySelector<HTMLElement>(`main [data-does="${action}"]`);
  field?.focus();
  return field !== null;
};

/** The same once a view is drawn that was gone to. */
const focusLater = (action: PageAction, frames = MOST_FRAMES) =>
  requestAnimationFrame(() => {
    if (!focusOn(action) && frames > 0) focusLater(action, frames - 1);
  });

/** Takes the keys of the page, except while somebody types. */
export const usePageKeys = () => {
  const { openSheet, store, control, worldName } = useConsole();
  const sheet = useSheet();
  const [path, go] = useLocation();
  const { toNext, freeze } = useClockActions();
  const { run } = useAction();
  const copy = useCopy();
  useEffect(() => {
    const act = (action: PageAction) => {
      const place = PLACES[action];
      if (place !== undefined) return go(place);
      if (action === "endpoint") {
        // A field of the view that is left would go with it.
        if (focusOn(action)) return;
        go("/webhooks");
        return void focusLater(action);
      }
      if (action === "advance") return openSheet({ kind: "advance" });
      if (action === "step-back") return openSheet({ kind: "rewind" });
      if (action === "next-timer") return void toNext();
      if (action === "clock") return void freeze();
      if (action === "record-before" || action === "record-after") {
        const next = neighborOf(path, action === "record-after" ? 1 : -1);
        return next === undefined ? undefined : go(next);
      }
      if (action === "help") return openSheet({ kind: "keys" });
      if (action === "go-to") return openSheet({ kind: "go-to" });
      if (action === "retry") return store.retry();
      if (action === "filter")
        return document.querySelector<HTMLElement>("main input[type=search]")?.focus();
      if (action === "copy-link") return void copy(location.href, "the link");
      if (action === "copy-id") {
        const id = idAt(path);
        return id === undefined ? undefined : void copy(id, "the id");
      }
      if (action === "copy-command") {
        const command = commandOf(path, { origin: location.origin, world: worldName });
        return void copy(command, command);
      }
      if (action === "make-payout")
        return void run(async () => {
          go(placeOf(await makePayout((input) => callPlatform(control, input))));
          return { text: UNDER_WAY };
        });
      if (action === "send-test")
        return void run(async () => {
          await control.send("POST", "/webhooks/trigger", { type: "TEST" });
          return { text: "A test webhook is on its way" };
        });
      if (action === "back") return sheet ? openSheet(undefined) : go(parentOf(path));
      return clickOf(action);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const action = pageActionOf(event);
      if (action === undefined) return;
      const isFree = action === "go-to" || action === "back";
      if (sheet && MODAL.has(sheet.kind) && !isFree) return;
      if (isTyping(event.target) && !isFree) return;
      if (!isFree && !hasLetterKeys()) return;
      if (action === "back" && isTyping(event.target) && !sheet) {
        (event.target as HTMLElement).blur();
        return;
      }
      event.preventDefault();
      act(action);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
};
