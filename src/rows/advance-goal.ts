import { parseDuration } from "../domain/core/durations.ts";

/** Body of POST /_sim/clock/advance. */
export type AdvanceBody =
  | { by: string }
  | { to: string }
  | { next: true }
  | { until: { id: string; status: string } };

/** Suggestions for an empty line. */
export const SUGGESTIONS = ["30s", "1m", "6m", "next"] as const;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/** The typed goal as `advance` takes it; undefined while it is incomplete. */
export const goalOf = (text: string): AdvanceBody | undefined => {
  const typed = text.trim().replace(/^(by|to|until)\s+/, "");
  if (typed === "next") return { next: true };
  if (parseDuration(typed) !== undefined) return { by: typed };
  if (INSTANT.test(typed)) return { to: typed };
  const [, id, status] = /^(.+)=([A-Z_]+)$/.exec(typed) ?? [];
  return id !== undefined && status !== undefined ? { until: { id, status } } : undefined;
};
