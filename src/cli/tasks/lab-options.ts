import { EVENT_TYPES, type EventType, isEventType } from "../../contract/webhooks/events.ts";
import { usageError } from "../frame/command.ts";

/** `--set`, of whatever makes an event. */
export const SET_OPTION = {
  flags: "--set <path=value>",
  summary: "set a member of the event, as data.status=FAILED; may be repeated",
  noEnvironment: true,
  repeats: true,
} as const;

/** A type of event by its name; the very one in other letters is named. */
export const eventTypeOf = (name: string): EventType => {
  if (isEventType(name)) return name;
  const meant = EVENT_TYPES.find((one) => one.toLowerCase() === name.toLowerCase());
  throw usageError(
    `Expected a type of event but found "${name}"`,
    ...(meant === undefined ? [] : [`service-sim webhooks trigger ${meant}`]),
    "service-sim webhooks trigger    names them all",
  );
};
