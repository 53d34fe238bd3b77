import { type RefusalRow, row } from "../core/refusal-row.ts";
import { NAME_WORDS } from "./name-form.ts";

/** Errors of the control surface alone; the platform publishes none of them. */
export const CONTROL_REFUSALS = {
  HOST_NOT_ALLOWED: row(
    "HOST_NOT_ALLOWED",
    "The control surface does not answer for the host {host}",
    "Call it as 127.0.0.1 or localhost, or start it with --allow-host and its name",
  ),
  ORIGIN_NOT_ALLOWED: row(
    "ORIGIN_NOT_ALLOWED",
    "A page of {origin} may not reach the control surface",
    "Call it from the command line or from your own server",
  ),
  CONTROL_TOKEN_NEEDED: row(
    "CONTROL_TOKEN_NEEDED",
    "This address needs the control token",
    "Send Authorization: Bearer with the controlToken of instance.json",
  ),
  INVALID_DURATION: row(
    "INVALID_DURATION",
    'Expected a duration like 90s, 6m, 1h30m, 7d or PT6M but found "{value}"',
    "service-sim advance 6m",
  ),
  INVALID_INSTANT: row(
    "INVALID_INSTANT",
    'Expected an instant like 2026-01-05T09:06:20Z but found "{value}"',
    "service-sim clock      shows the present one",
  ),
  TIME_IN_PAST: row(
    "TIME_IN_PAST",
    "Expected an instant after {now} but found {value}",
    "service-sim advance 6m      moves on from where the clock is",
  ),
  WORLD_NOT_FOUND: row(
    "WORLD_NOT_FOUND",
    "There is no world {world}",
    "service-sim worlds list      names those there are",
  ),
  WORLD_EXISTS: row(
    "WORLD_EXISTS",
    "{what} is taken by the world {world}",
    "service-sim worlds list      names those there are",
  ),
  WORLD_STAYS: row(
    "WORLD_STAYS",
    "The starting world {world} cannot be removed",
    "service-sim reset      takes it back to its start",
  ),
  TIME_AHEAD: row(
    "TIME_AHEAD",
    "Expected an instant before {now} but found {value}",
    "service-sim advance --to {value}      moves on",
  ),
  BEFORE_HORIZON: row(
    "BEFORE_HORIZON",
    "Expected an instant from {earliest} on, the earliest that is kept, but found {value}",
    "service-sim rewind --to {earliest}",
  ),
  NOTHING_TO_UNDO: row(
    "NOTHING_TO_UNDO",
    "Nothing has happened since {earliest}, the earliest instant that is kept",
    "service-sim requests      lists what was called",
  ),
  RECORDED_ALREADY: row(
    "RECORDED_ALREADY",
    "This simulator is being recorded already, to {name}: one capsule at a time",
    "End that recording first, with Ctrl-C where it runs",
  ),
  NOTHING_RECORDED: row(
    "NOTHING_RECORDED",
    "Nothing is being recorded",
    "service-sim record run.capsule",
  ),
  NAME_MALFORMED: row(
    "NAME_MALFORMED",
    `Expected ${NAME_WORDS} but found "{value}"`,
    "Choose a name like paid-1",
  ),
  SNAPSHOT_NOT_FOUND: row(
    "SNAPSHOT_NOT_FOUND",
    "No snapshot is called {name}",
    "service-sim snapshot list      lists them",
  ),
  SNAPSHOT_FILE: row(
    "SNAPSHOT_FILE",
    "Expected a whole snapshot but found {found}",
    "service-sim snapshot export <name> <file>      writes it again",
  ),
  ID_NOT_FOUND: row(
    "ID_NOT_FOUND",
    "Expected an id of this world but found {id}",
    "service-sim requests      lists what was made, and when",
  ),
  ID_AMBIGUOUS: row(
    "ID_AMBIGUOUS",
    "Expected one id but found several like {id}",
    "Give more of the id, or its kind as in Quote:…8e4b17",
  ),
  OUTCOME_NOT_FOUND: row(
    "OUTCOME_NOT_FOUND",
    "No outcome is called {rule}",
    "service-sim outcomes      prints all with their names",
  ),
  DOC_NOT_FOUND: row(
    "DOC_NOT_FOUND",
    "No page of the documents is called {topic}",
    "service-sim docs      lists the pages",
  ),
  MAIL_DID_NOT_COME: row(
    "MAIL_DID_NOT_COME",
    "Expected a mail to {to} within {timeoutMs} ms but found none",
    "service-sim inbox      shows what was mailed, and to whom",
  ),
  EVENT_TYPE_UNKNOWN: row(
    "EVENT_TYPE_UNKNOWN",
    'Expected a type of event but found "{type}"',
    "service-sim webhooks trigger      names them all",
  ),
  NO_RETIRED_KEY: row(
    "NO_RETIRED_KEY",
    "Expected a key that was rotated away but found only the one that signs now",
    "service-sim keys rotate",
  ),
  WEBHOOK_DID_NOT_COME: row(
    "WEBHOOK_DID_NOT_COME",
    "Expected {count} × {type} accepted within {timeout} but found {found}",
    "service-sim webhooks list      shows what was sent, and how it went",
  ),
} as const satisfies Record<string, RefusalRow>;
