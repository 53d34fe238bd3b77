import { closestTo } from "../../contract/core/closest.ts";
import { EVENT_TYPES, type EventType, isEventType } from "../../contract/webhooks/events.ts";
import { usageError } from "../frame/command.ts";

/** `--set`, for every command that makes an event. */
export const SET_OPTION = {
  flags: "--set <path=value>",
  summary: "set a member of the event, e.g. data.status=FAILED; may be repeated",
  noEnvironment: true,
  repeats: true,
} as const;

/** Finds an event type by name; suggests the closest one. */
export const eventTypeOf = (name: string): EventType => {
  if (isEventType(name)) return name;
  const meant = closestTo(name, EVENT_TYPES);
  throw usageError(
    `no event type "${name}"`,
    ...(meant === undefined ? [] : [`service-sim webhooks trigger ${meant}`]),
    "service-sim webhooks trigger    lists the types",
  );
};
