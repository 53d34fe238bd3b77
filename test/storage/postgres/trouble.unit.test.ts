import { expect, test } from "vitest";
import { troubleOf } from "../../../src/storage/postgres/trouble.ts";
import { everyRow } from "../../setup/every-row.ts";

/** An answer of the server, as the client shows it. */
const answer = (code: string, severity = "ERROR") =>
  Object.assign(new Error("said by the server"), { code, severity });

const socket = (code: string) => Object.assign(new Error(`read ${code}`), { code });

/** Failures of a change that was sent: whether it may be done, and the sentence without its end. */
const SENT: [what: string, error: unknown, mayBeDone: boolean, says: string][] = [
  ["read-only", answer("25006"), false, "The store takes no writes (PostgreSQL, 25006)"],
  ["full", answer("53100"), false, "The disk of the store is full (PostgreSQL, 53100)"],
  [
    "full at its log, which ends the server",
    answer("53100", "PANIC"),
    true,
    "The disk of the store is full (PostgreSQL, 53100)",
  ],
  ["memory", answer("53200"), false, "The store has no memory left (PostgreSQL, 53200)"],
  [
    "ended behind a commit",
    answer("57P01", "FATAL"),
    true,
    "The store ended the connection (PostgreSQL, 57P01)",
  ],
  [
    "crash of another session",
    answer("57P02", "FATAL"),
    true,
    "The store crashed (PostgreSQL, 57P02)",
  ],
  [
    "a pooler lost the server",
    answer("08P01", "ERROR"),
    true,
    "The store refused the act, said by the server (PostgreSQL, 08P01)",
  ],
  ["a deadlock", answer("40P01"), false, "The store was changed meanwhile (PostgreSQL, 40P01)"],
  [
    "read-only, in German",
    answer("25006", "FEHLER"),
    false,
    "The store takes no writes (PostgreSQL, 25006)",
  ],
  [
    "full, in German",
    answer("53100", "FEHLER"),
    true,
    "The disk of the store is full (PostgreSQL, 53100)",
  ],
  [
    "rights",
    answer("42501"),
    false,
    "The store refused the act, said by the server (PostgreSQL, 42501)",
  ],
  ["a lost connection", socket("ECONNRESET"), true, "The store is not reachable (PostgreSQL)"],
  [
    "a pipe, whose name has five letters",
    socket("EPIPE"),
    true,
    "The store is not reachable (PostgreSQL)",
  ],
  [
    "an end without a word",
    new Error("Connection terminated unexpectedly"),
    true,
    "The store is not reachable (PostgreSQL)",
  ],
  [
    "no answer",
    new Error("Query read timeout"),
    true,
    "The store did not answer in time (PostgreSQL)",
  ],
];

test("a change that was sent may be done, unless the server says that it was not", () =>
  everyRow(SENT, ([what, error, mayBeDone, says]) => {
    const trouble = troubleOf(error, true);
    expect(trouble.mayBeDone, what).toBe(mayBeDone);
    expect(trouble.message).toBe(
      `${says}: ${mayBeDone ? "it may have been done: repeat it with the same Idempotency-Key" : "this call was not made"}`,
    );
  }));

test("nothing is done before it was sent, whatever failed", () =>
  everyRow(SENT, ([what, error, , says]) => {
    const trouble = troubleOf(error, false);
    expect(trouble.mayBeDone, what).toBe(false);
    expect(trouble.message).toBe(`${says}: this call was not made`);
  }));

test("the code is the server's own, and no socket's", () => {
  expect(troubleOf(answer("53300", "FATAL"), false).code).toBe("53300");
  expect(troubleOf(socket("EPIPE"), true).code).toBeUndefined();
});
