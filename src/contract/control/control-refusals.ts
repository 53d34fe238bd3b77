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
    "service-sim clock      shows the current time",
  ),
  TIME_IN_PAST: row(
    "TIME_IN_PAST",
    "Expected an instant after {now} but found {value}",
    "service-sim advance 6m      moves the clock forward",
  ),
  WORLD_NOT_FOUND: row(
    "WORLD_NOT_FOUND",
    "There is no world {world}",
    "service-sim worlds list      shows the existing worlds",
  ),
  WORLD_EXISTS: row(
    "WORLD_EXISTS",
    "{what} is already used by the world {world}",
    "service-sim worlds list      shows the existing worlds",
  ),
  WORLD_STAYS: row(
    "WORLD_STAYS",
    "The default world {world} cannot be removed",
    "service-sim reset      returns it to its start",
  ),
  TIME_AHEAD: row(
    "TIME_AHEAD",
    "Expected an instant before {now} but found {value}",
    "service-sim advance --to {value}      moves forward",
  ),
  BEFORE_HORIZON: row(
    "BEFORE_HORIZON",
    "The history begins at {earliest}, after {value}",
    "service-sim rewind --to {earliest}",
  ),
  NOTHING_TO_UNDO: row(
    "NOTHING_TO_UNDO",
    "Nothing has happened since {earliest}, the beginning of the history",
    "service-sim requests      shows the calls",
  ),
  RECORDED_ALREADY: row(
    "RECORDED_ALREADY",
    "This simulator is already being recorded, to {name}: one capsule at a time",
    "End that recording first: press Ctrl-C where it runs",
  ),
  NOTHING_RECORDED: row(
    "NOTHING_RECORDED",
    "Nothing is being recorded",
    "service-sim record run.capsule",
  ),
  NOT_SHARED: row(
    "NOT_SHARED",
    "The store {url} is not shared: only a database has several processes",
    "service-sim start --storage postgres://<user>:<password>@<host>/<database> --processes 2",
  ),
  NAME_MALFORMED: row(
    "NAME_MALFORMED",
    `Expected ${NAME_WORDS} but found "{value}"`,
    "Choose a name like paid-1",
  ),
  SNAPSHOT_NOT_FOUND: row(
    "SNAPSHOT_NOT_FOUND",
    "No snapshot {name}",
    "service-sim snapshot list      shows them",
  ),
  SNAPSHOT_FILE: row(
    "SNAPSHOT_FILE",
    "Expected a whole snapshot but found {found}",
    "service-sim snapshot export <name> <file>      writes it again",
  ),
  ID_NOT_FOUND: row(
    "ID_NOT_FOUND",
    "Expected an id of this world but found {id}",
    "service-sim requests      shows the calls with their ids",
  ),
  ID_AMBIGUOUS: row(
    "ID_AMBIGUOUS",
    "Several ids end in {id}",
    "Give more of the id, or its kind as in Quote:…8e4b17",
  ),
  OUTCOME_NOT_FOUND: row(
    "OUTCOME_NOT_FOUND",
    "No outcome {rule}",
    "service-sim outcomes      lists them",
  ),
  DOC_NOT_FOUND: row(
    "DOC_NOT_FOUND",
    "No page {topic} in the documentation",
    "service-sim docs      lists the pages",
  ),
  MAIL_DID_NOT_COME: row(
    "MAIL_DID_NOT_COME",
    "No email to {to} arrived within {timeoutMs} ms",
    "service-sim inbox      shows all emails with their recipients",
  ),
  EVENT_TYPE_UNKNOWN: row(
    "EVENT_TYPE_UNKNOWN",
    'No event type "{type}"',
    "service-sim webhooks trigger      lists them",
  ),
  NO_RETIRED_KEY: row(
    "NO_RETIRED_KEY",
    "No retired webhook key exists, only the current one",
    "service-sim keys rotate",
  ),
  WEBHOOK_DID_NOT_COME: row(
    "WEBHOOK_DID_NOT_COME",
    "Expected {count} × {type} accepted within {timeout} but found {found}",
    "service-sim webhooks list      shows what was sent, and how it went",
  ),
} as const satisfies Record<string, RefusalRow>;
