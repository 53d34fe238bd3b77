import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_FOLDER_BYTES } from "../../src/cli/frame/code-cache-file.ts";
import { MAX_LOG_BYTES } from "../../src/cli/frame/log-file.ts";
import { MAX_KEPT_BYTES } from "../../src/cli/tasks/capsule-file.ts";
import { MAX_ROWS } from "../../src/contract/control/feed-rows.ts";
import { MOST_CHARACTERS } from "../../src/contract/control/rows.ts";
import { PAGE_LIMIT } from "../../src/contract/core/lists.ts";
import { MAX_CSV_BYTES, MAX_CSV_ROWS } from "../../src/contract/customers/bulk-customers.ts";
import { MAX_DOCUMENT_BYTES } from "../../src/contract/customers/documents.ts";
import { CALL_LIMIT_BYTES } from "../../src/control/call.ts";
import { MAX_KEPT_ANSWERS } from "../../src/domain/core/idempotency.ts";
import { MAX_KEPT_LOOKUPS } from "../../src/domain/payments/lookups.ts";
import { MOST_MADE } from "../../src/domain/state-facts.ts";
import { MAX_KEPT_MAILS } from "../../src/domain/wallets/mails.ts";
import { MAX_KEPT_REGISTRATIONS } from "../../src/domain/wallets/registration-challenges.ts";
import { MAX_KEPT_SESSIONS } from "../../src/domain/wallets/sessions.ts";
import { MAX_KEPT_CHALLENGES } from "../../src/domain/wallets/signed-retry.ts";
import { DELIVERY_BOUNDS } from "../../src/domain/webhooks/deliveries.ts";
import { BODY_LIMIT_BYTES } from "../../src/http/body/request-body.ts";
import { MAX_COUNTED_TOKENS } from "../../src/http/door/rate-limit.ts";
import { MAX_CALLERS } from "../../src/http/door/verified-callers.ts";
import { REQUEST_LOG } from "../../src/http/log/log-entry.ts";
import { MAX_HEAD_BYTES, MAX_HEADERS } from "../../src/http/sockets/http-server.ts";
import { MOST_FAILURES } from "../../src/runners/failure-files.ts";
import { HISTORY_DEPTH } from "../../src/runtime/history.ts";
import { TIMER_CHAIN_LIMIT } from "../../src/runtime/timer-chain.ts";
import { UNDO_POINTS } from "../../src/runtime/undo-points.ts";
import { MAX_POSTINGS } from "../../src/storage/format/checkpoint.ts";
import { MAX_KEPT_LOG_BYTES } from "../../src/storage/world/kept-requests.ts";
import { ATTEMPT_LIMITS } from "../../src/webhooks/attempt-limiter.ts";
import { ANSWER_HEAD_LIMIT_BYTES, ANSWER_LIMIT_BYTES } from "../../src/webhooks/receiver-answer.ts";
import { CONNECTION_BOUNDS } from "../../src/webhooks/receiver-connections.ts";
import { MOST_TOLD } from "../../src/worlds/last-webhooks.ts";
import { MAX_REMOVED_NAMES } from "../../src/worlds/removed-worlds.ts";
import { FORK_LOG_ENTRIES } from "../../src/worlds/request-log-of.ts";
import { DEFAULT_MAX_WORLDS } from "../../src/worlds/world-bounds.ts";
import { TAPE } from "../../src/worlds/world-tape.ts";

const page = readFileSync("src/docs/spec/promises.md", "utf8");

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};

/** Numbers of the program behind the rows of the page, in its order. */
const BOUNDS = {
  "worlds, unless `--max-worlds` says otherwise": DEFAULT_MAX_WORLDS,
  "names of removed worlds that are remembered": MAX_REMOVED_NAMES,
  "open deliveries of a world": DELIVERY_BOUNDS.open,
  "ended deliveries of a world that are kept": DELIVERY_BOUNDS.ended,
  "attempts kept of a delivery": DELIVERY_BOUNDS.attemptsShown,
  "bytes of a receiver's answer that are read": ANSWER_LIMIT_BYTES,
  "bytes of the head of a receiver's answer": ANSWER_HEAD_LIMIT_BYTES,
  "bytes of a receiver's answer that are shown": DELIVERY_BOUNDS.replyBytes,
  "quick attempts of one world under way": ATTEMPT_LIMITS.perWorld,
  "quick attempts of all worlds under way": ATTEMPT_LIMITS.inAll,
  "slow attempts of all worlds under way": ATTEMPT_LIMITS.slowInAll,
  "slow lanes that are remembered": ATTEMPT_LIMITS.slowLanes,
  "attempts over one kept connection": CONNECTION_BOUNDS.attempts,
  "timers that timers set for one instant": TIMER_CHAIN_LIMIT,
  "changes of a world": MOST_MADE.changes,
  "ids of a world": MOST_MADE.ids,
  "changes that a rewind reaches back": UNDO_POINTS.changes,
  "bytes of those changes": UNDO_POINTS.bytes,
  "changes remembered of a record": HISTORY_DEPTH,
  "postings kept one by one in a checkpoint": MAX_POSTINGS,
  "answers kept for idempotency keys": MAX_KEPT_ANSWERS,
  "logged requests of a world": REQUEST_LOG.entries,
  "logged requests of a fork": FORK_LOG_ENTRIES,
  "logged requests of all worlds": REQUEST_LOG.inAll,
  "characters of logged bodies that are shown": REQUEST_LOG.bodyCharacters,
  "characters of longer bodies that are kept whole, of all worlds": REQUEST_LOG.wholeCharacters,
  "bytes of the recording of a world, and of one with its forks": TAPE.maxBytes,
  "bytes of the recordings of all worlds": TAPE.inAll,
  "bytes that the beginning of a recording counts for": TAPE.maxBaseBytes,
  "refused calls, and webhooks, that a recording tells": MOST_TOLD,
  "capsules of failed tests in a workspace": MOST_FAILURES,
  "bytes of logged requests that a restart keeps": MAX_KEPT_LOG_BYTES,
  lookups: MAX_KEPT_LOOKUPS,
  "rows of a list that the feed's snapshot event has": MAX_ROWS,
  "characters of a search for rows": MOST_CHARACTERS,
  mails: MAX_KEPT_MAILS,
  "sessions of wallets, unless all are active": MAX_KEPT_SESSIONS,
  "challenges of signed retries, unless all wait": MAX_KEPT_CHALLENGES,
  "used challenges of registrations": MAX_KEPT_REGISTRATIONS,
  "headers of a request": MAX_HEADERS,
  "bytes of a request's headers": MAX_HEAD_BYTES,
  "bytes of a request's body": BODY_LIMIT_BYTES,
  "bytes of an uploaded document": MAX_DOCUMENT_BYTES,
  "bytes of a call through the control surface": CALL_LIMIT_BYTES,
  "bytes of a bulk file": MAX_CSV_BYTES,
  "rows of a bulk file": MAX_CSV_ROWS,
  "rows of a page of a list": PAGE_LIMIT.max,
  "bytes of the log of a detached simulator, and of the older one beside it": MAX_LOG_BYTES,
  "bytes of compiled code in the user's cache folder": MAX_FOLDER_BYTES,
  "bytes of a run that `exec` keeps in memory": MAX_KEPT_BYTES,
  "tokens whose calls a rate limit counts": MAX_COUNTED_TOKENS,
  "callers whose credentials are remembered as checked": MAX_CALLERS,
};

// spec/promises.md#bounds
test("each bound has its number, and no other is named", () => {
  const rows = [...page.matchAll(/^\| ([^|]+) \| ([\d,]+) \| \[/gm)].map(
    ([, bound, number = ""]) => [bound, Number(number.replaceAll(",", ""))],
  );
  expect(rows).toEqual(Object.entries(BOUNDS));
});

test("every command that the page names is a script", () => {
  const named = [...page.matchAll(/`npm run ([a-z:]+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name = "") => !(name in scripts))).toEqual([]);
});

test("every promise says what the last full run did, in figures that stand with the campaigns", () => {
  const performance = readFileSync("src/docs/performance.md", "utf8");
  const campaigns = performance.split("### Last runs")[1]?.split("\n## ")[0] ?? "";
  const runs = [...page.matchAll(/^Last full run: [^\n]+(?:\n[^\n]+)*/gm)].map(([text]) => text);
  expect(runs).toHaveLength(8);
  const large = runs.flatMap((text) => text.match(/\d{1,3}(?:,\d{3})+/g) ?? []);
  expect(large.length).toBeGreaterThan(10);
  expect(large.filter((figure) => !campaigns.includes(figure))).toEqual([]);
});

test("every promise says how it is tried", () => {
  const promises = page
    .split(/^## /m)
    .slice(1)
    .filter((part) => !part.startsWith("Bounds"));
  expect(promises).toHaveLength(8);
  for (const promise of promises) expect(promise).toMatch(/^Tried by /m);
});
