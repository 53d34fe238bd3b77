import { type RefusalRow, row } from "./refusal-row.ts";

/** Errors that any operation may answer (spec/errors.md#messages). */
export const CORE_REFUSALS = {
  INVALID_INPUT: row(
    "INVALID_INPUT",
    "The request is not valid",
    "Correct the field named in details and send the request again",
  ),
  INVALID_REQUEST_FORMAT: row(
    "INVALID_REQUEST_FORMAT",
    "The request could not be read",
    "Send well-formed JSON in UTF-8 and a correctly percent-encoded path",
  ),
  UNAUTHORIZED: row(
    "UNAUTHORIZED",
    "The credentials are missing or wrong",
    "Send HTTP Basic with the client id and secret that service-sim env prints",
  ),
  WORLD_UNKNOWN: row(
    "UNAUTHORIZED",
    "No world {world}; with --worlds fixed, calls do not open new worlds",
    "service-sim worlds create {world}",
  ),
  WORLD_REMOVED: row(
    "UNAUTHORIZED",
    "The world {world} was removed, and a call does not create it again",
    "service-sim worlds create {world} creates it again",
  ),
  WORLD_NAME: row(
    "UNAUTHORIZED",
    "The name {world} is not allowed for a world",
    "Use only lowercase letters, digits, dots, underscores and hyphens",
  ),
  PRODUCTION_CREDENTIALS: row(
    "UNAUTHORIZED",
    "The credentials begin with {prefix}, like production credentials, which a simulator does not accept",
    "Send the credentials that service-sim env prints; replace the production ones if others may have read them",
  ),
  WORLD_CONFLICT: row(
    "INVALID_INPUT",
    "The request names two worlds: {first} and {second}",
    "Name one world: in the client id, in X-Sim-World or as ?world=",
  ),
  WORLDS_FULL: row(
    "UNAVAILABLE",
    "The limit of {count} worlds, set by --max-worlds, is reached",
    "service-sim worlds remove deletes one; --max-worlds raises the limit",
  ),
  FORBIDDEN: row(
    "FORBIDDEN",
    "These credentials do not allow this",
    "Use an API token with the permission named in details",
  ),
  REFERENCE_NOT_FOUND: row(
    "REFERENCE_NOT_FOUND",
    "{id} not found",
    "Check the id: the list of its resource shows all",
  ),
  UNKNOWN_OPERATION: row(
    "REFERENCE_NOT_FOUND",
    "There is no operation {method} {path}",
    "The closest one is {closest}",
  ),
  NO_CLOSE_OPERATION: row(
    "REFERENCE_NOT_FOUND",
    "There is no operation {method} {path}",
    "service-sim openapi prints every operation of the platform",
  ),
  METHOD_NOT_ALLOWED: row("METHOD_NOT_ALLOWED", "{path} does not take {method}", "Use {allow}"),
  RATE_LIMITED: row(
    "RATE_LIMITED",
    "Too many {what}",
    "Try again after Retry-After; service-sim advance {retryAfterSeconds}s moves the clock there",
  ),
  PAYLOAD_TOO_LARGE: row(
    "PAYLOAD_TOO_LARGE",
    "The body is over {limitBytes} bytes",
    "Send less in one request",
  ),
  UNSUPPORTED_MEDIA_TYPE: row(
    "UNSUPPORTED_MEDIA_TYPE",
    "The body is {found}, not {expected}",
    "Send content-type: {expected}",
  ),
  CONTENT_ENCODING: row(
    "UNSUPPORTED_MEDIA_TYPE",
    "The body is encoded as {encoding}, and only bodies without an encoding are read",
    "Send it without Content-Encoding: switch off compression of requests in your client",
  ),
  INTERNAL_ERROR: row(
    "INTERNAL_ERROR",
    "service-sim has hit an internal bug",
    "Report it with the request id; service-sim status shows the cause",
  ),
  NOT_IMPLEMENTED: row(
    "NOT_IMPLEMENTED",
    "{what} is not simulated yet",
    "The README says what is simulated",
  ),
  UNAVAILABLE: row(
    "UNAVAILABLE",
    "The world cannot accept this now: {why}",
    "Try again after Retry-After; service-sim status shows the cause",
  ),
  STORE_UNAVAILABLE: row(
    "UNAVAILABLE",
    "{why}: {outcome}",
    "Try again after Retry-After; service-sim status shows the cause",
  ),
  OWNER_LOST: row(
    "UNAVAILABLE",
    "The simulator {owner}, which served this world, is gone: {outcome}",
    "Try again after Retry-After; another simulator takes the world over",
  ),
  SERVICE_UNAVAILABLE: row(
    "SERVICE_UNAVAILABLE",
    "The service cannot answer this now",
    "Try again after Retry-After; service-sim faults list shows what injects it",
  ),
} as const satisfies Record<string, RefusalRow>;
