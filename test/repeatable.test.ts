import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** Parts that print for people, on one machine; nothing that they make is in a reply or a record. */
const FOR_PEOPLE = /^src\/(cli|text|tui|rows|console)\//;

const SOURCES = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => `src/${name.replaceAll("\\", "/")}`)
  .filter((file) => /\.tsx?$/.test(file) && !FOR_PEOPLE.test(file));

interface Rule {
  /** A thing that may differ from run to run, or from one Node.js to the next (spec/clock.md#determinism). */
  what: string;
  pattern: RegExp;
  /** The places that may have it, each with the reason. */
  allowed: Readonly<Record<string, string>>;
}

const RULES: readonly Rule[] = [
  {
    what: "words and orders of a language",
    pattern: /\bIntl\.|\.localeCompare\(|\.toLocale\w*\(/g,
    allowed: {
      "src/crypto/signature-mistakes.ts": "a diagnosis, read by a person",
      "src/crypto/signature-diagnosis.ts": "a diagnosis, read by a person",
    },
  },
  {
    what: "characters by the tables of this Node.js",
    pattern: /\\p\{(?!Cc\}|Cs\}|Zl\}|Zp\})\^?\w+/gi,
    allowed: {
      "src/contract/wallets/credentials.ts": "the pattern that the OpenAPI document shows",
    },
  },
  {
    what: "instants that are not written as ISO 8601 in UTC",
    pattern: /\.to(?:Date|Time|UTC|GMT)String\(/g,
    allowed: { "src/http/message/reply.ts": "the Date header, whose form HTTP decides" },
  },
  {
    what: "the system clock read outside its port",
    pattern: /\bDate\.now\(|new Date\(\)|hostTime\.nowMs\b|\bperformance\.now\(/g,
    allowed: { "src/runtime/ports.ts": "the port" },
  },
  {
    what: "randomness",
    pattern:
      /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|FillSync|Fill)\(|\bgetRandomValues\(|\bgenerateKey\w*\(/g,
    allowed: {
      "src/running-simulator.ts": "the control token",
      "src/capsules/redactions.ts": "placeholders of secrets",
      "src/capsules/placeholders.ts": "signing keys in place of others",
      "src/coverage/coverage-file.ts": "the name of a file",
      "src/coverage/exercise-run.ts": "proofs of a client",
      "src/scripts/filled-call.ts": "the name of a world",
      "src/scripts/client-proofs.ts": "proofs of a client",
      "src/crypto/code-setting.ts": "codes of --codes random",
      "src/crypto/software-authenticator.ts": "a passkey that a command makes",
      "src/storage/engine/engine-session.ts": "the id of a process",
      "src/storage/postgres/schema.ts": "the key of a store",
      "src/storage/world/identity.ts": "secret, keys and seed where none is given",
      "src/storage/file/timeline/checkpoint-manifest.ts": "the name of a folder",
      "src/storage/file/timeline/timeline-folders.ts": "the name of a folder",
      "src/storage/file/lock/state-lock.ts": "the name of a lock's holder",
    },
  },
  {
    what: "the words of foreign errors",
    pattern:
      /\(error as (?:Error|NodeJS\.ErrnoException)[^)]*\)\.message|\b(?:catch|catch \(error)\b[^\n]*error\.message/g,
    allowed: {
      "src/control/webhooks/webhook-keys.ts": "storage failed",
      "src/coverage/coverage-file.ts": "a file of another process",
      "src/storage/file/timeline/folder-placing.ts": "storage failed",
      "src/storage/file/doctor/folder-check.ts": "storage failed",
      "src/storage/world/file-store.ts": "storage failed",
      "src/storage/world/durable-world.ts": "storage failed",
      "src/storage/world/kept-requests.ts": "storage failed",
    },
  },
];

const hitsOf = ({ pattern }: Pick<Rule, "pattern">, text: string) =>
  [...text.matchAll(pattern)].map(([hit]) => hit);

describe("sources whose replies and records repeat have no", () => {
  test.each(RULES)("$what", ({ pattern, allowed }) => {
    const found = SOURCES.filter((file) => !(file in allowed)).flatMap((file) =>
      hitsOf({ pattern }, readFileSync(file, "utf8")).map((hit) => `${file}: ${hit}`),
    );
    expect(found).toEqual([]);
  });

  test.each(RULES)("$what but in the places that still have it", ({ pattern, allowed }) => {
    const unused = Object.keys(allowed).filter(
      (file) => hitsOf({ pattern }, readFileSync(file, "utf8")).length === 0,
    );
    expect(unused).toEqual([]);
  });
});

test.each([
  { text: "a.localeCompare(b)", says: "words and orders of a language" },
  { text: "/\\p{L}/u", says: "characters by the tables of this Node.js" },
  { text: "at.toDateString()", says: "instants that are not written as ISO 8601 in UTC" },
  { text: "new Date()", says: "the system clock read outside its port" },
  { text: "crypto.randomUUID()", says: "randomness" },
  { text: "(error as Error).message", says: "the words of foreign errors" },
])("$text is seen as $says", ({ text, says }) => {
  const seen = RULES.filter((rule) => hitsOf(rule, text).length > 0).map(({ what }) => what);
  expect(seen).toEqual([says]);
});
