import { useEffect } from "react";
import { useLocation } from "wouter";
import { makePayout, UNDER_WAY } from "../../rows/first-payout.ts";
import { callPlatform } from "../call-platform.ts";
import { neighborOf } from "../came-from.ts";
import { hasLetterKeys, type PageAction, pageActionOf } from "../keys.ts";
import { useCopy } from "../parts/copy.tsx";
import { placeOf } from "../routes.ts";
import { useAction, useConsole, useSheet } from "../use-console.ts";
import { useClockActions } from "./use-clock-actions.ts";

/** Commands of views that have one, by the first part of their place. */
const COMMANDS: Readonly<Record<string, string>> = {
  approvals: "service-sim approvals",
  webhooks: "service-sim webhooks",
  requests: "service-sim requests",
  inbox: "service-sim inbox",
  timers: "service-sim timers",
  worlds: "service-sim worlds",
  snapshots: "service-sim snapshot list",
  faults: "service-sim faults",
  outcomes: "service-sim outcomes",
  lifecycles: "service-sim lifecycles",
  coverage: "service-sim coverage",
  guides: "service-sim docs",
  reference: "service-sim docs",
};

/** Commands of the tools that stand among the webhooks. */
const WEBHOOK_TOOLS: Readonly<Record<string, string>> = {
  doctor: "service-sim webhooks doctor",
  send: "service-sim webhooks trigger",
};

/** Views of the simulator rather than of one of its worlds. */
const WITHOUT_WORLD: ReadonlySet<string> = new Set([
  ...["worlds", "outcomes", "lifecycles", "guides", "reference"],
]);

const plainCommandOf = (path: string, origin: string): string => {
  const [, view = "", ...rest] = path.split("/");
  const named = rest.length === 0 ? undefined : decodeURIComponent(rest.join("/"));
  if (view === "webhooks" && named !== undefined)
    return WEBHOOK_TOOLS[named] ?? `service-sim webhooks show ${named}`;
  if (view === "reference")
    return /^\w+$/.test(named ?? "") ? `service-sim docs ${named}` : "service-sim docs";
  if (view === "ledger" && named === undefined) return `curl -s ${origin}/_sim/ledger`;
  if (named !== undefined) return `service-sim why ${named}`;
  return COMMANDS[view] ?? "service-sim tui";
};

/**
 * The command that shows in a terminal what a place shows.
 * @param world by default the starting one
 */
export const commandOf = (
  path: string,
  { origin, world }: { origin: string; world: string | undefined },
): string => {
  const command = plainCommandOf(path, origin);
  const [, view = ""] = path.split("/");
  if (world === undefined || WITHOUT_WORLD.has(view)) return command;
  return command.startsWith("curl")
    ? `${command}?world=${encodeURIComponent(world)}`
    : `${command} --world ${world}`;
};

const PLACES: Partial<Record<PageAction, string>> = {
  home: "/",
  "pane-1": "/payments",
  "pane-2": "/approvals",
  "pane-3": "/webhooks",
  "pane-4": "/requests",
};

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
