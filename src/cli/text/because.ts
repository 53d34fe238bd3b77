import type { WaitingAction } from "../../contract/control/approvals.ts";
import type { Replay, RevisionUse } from "../../contract/control/requests.ts";
import type { Because } from "../../contract/control/why.ts";
import { money } from "../../text/layout.ts";
import type { Style } from "./terminal.ts";

const ID = /[A-Za-z]+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Shortens the ids in a path as the style asks; the path itself tells their kind. */
export const shownPath = (path: string, { id }: Style) =>
  path.replace(ID, (one) => {
    const shown = id(one);
    return shown === one ? one : shown.slice(shown.indexOf(":") + 1);
  });

/** Lines of what a request used of a revision. */
export const revisionTexts = (revisions: readonly RevisionUse[] = []) =>
  revisions.map(({ revision, operation, members }) =>
    [
      `revision ${revision} has`,
      [...(operation ? ["this operation"] : []), ...members].join(", "),
    ].join(" "),
  );

/**
 * Explains a call without effect: its idempotency key was used before, perhaps with another body.
 */
export const replayText = ({ of, bodyDiffered }: Replay) =>
  `${of}: same Idempotency-Key, ${bodyDiffered ? "another" : "same"} body`;

const WORLD_WORDS: Readonly<Record<string, string>> = {
  open: "the world was opened",
  start: "the simulator was started",
};

/** Names the cause of a change: `POST /quotes`, `timer quote.expire`. */
export const becauseText = (because: Because, style: Style): string => {
  const { kind, id, operation, method, path, timer, movedBy } = because;
  if (kind === "timer") return `timer ${timer}${movedBy ? `, moved by "${movedBy}"` : ""}`;
  if (kind === "webhook") return "a webhook was attempted";
  if (kind === "world") return WORLD_WORDS[id] ?? operation ?? id;
  return path === undefined ? (operation ?? "a request") : `${method} ${shownPath(path, style)}`;
};

/** The id to look up next, when the cause has one. */
export const becauseId = ({ kind, id }: Because, style: Style) => {
  if (kind === "request") return id;
  return kind === "webhook" ? style.id(id) : "";
};

/** Explains the reason an action waits. */
export const waitsBecause = ({ rule, limit, currency }: WaitingAction["because"]) => {
  if (rule === "approvalThreshold" && typeof limit === "number" && currency !== undefined)
    return `above the approval threshold of ${money(limit, currency)}`;
  if (rule === "executionMode") return "its execution mode is APPROVAL_REQUIRED";
  return `decided by ${rule}`;
};
