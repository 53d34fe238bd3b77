import { describe, expect, test } from "vitest";
import { type CapsuleLine, encodeLine } from "../../src/capsules/capsule-lines.ts";
import {
  DamagedCapsule,
  EmptyCut,
  readCapsule,
  UnreadableCapsule,
} from "../../src/capsules/read-capsule.ts";
import { isCampaign } from "../setup/campaign.ts";

const HEAD = {
  capsule: 2,
  program: "0.1.0",
  contract: "0123456789abcdef",
  w: 1_767_603_600_000,
  options: { seed: "7", clock: "manual" },
  beginning: { openedAtMs: 1_767_603_600_000, forkCounts: [["sandbox", 2]] },
  secrets: "placeholders",
};

const CALL = {
  ...{ w: 1_767_603_600_000, e: 1_767_603_600_000, headers: [["host", "127.0.0.1:4747"]] },
  ...{ world: "sandbox", method: "POST", reply: { status: 201, headers: {}, body: '{"á":1}' } },
};

const IMAGE = {
  ...{ name: "sandbox", clientId: "sandbox", clientSecret: "sk_sim_replayed" },
  ...{ webhookKeyPem: "PEM", start: 1, requests: 0, latestMs: 1_767_603_600_000 },
  ...{ counts: { counts: [], calls: [] }, state: "{}\n", earlier: { points: [] } },
};

/** One line of every kind, by its kind. */
const LINES: { [Type in CapsuleLine["t"]]: object } = {
  world: { t: "world", image: IMAGE },
  origin: { t: "origin", url: "http://127.0.0.1:4747" },
  request: {
    ...{ t: "request", id: "req-1-1", url: "http://127.0.0.1:4747/2025-10-13/customers" },
    ...{ caller: { basic: "sandbox" }, body: "e30=", facts: [{ of: "one-time code", is: true }] },
    ...CALL,
  },
  control: { t: "control", url: "http://127.0.0.1:4747/_sim/clock/advance", ...CALL },
  advance: { t: "advance", w: 1, e: 2, span: "6m" },
  attempt: { t: "attempt", w: 3, event: "Webhook:1", answer: { status: 200, tookMs: 4 } },
  keys: { t: "keys", issuer: "https://id.example", configured: true, found: { keys: [] } },
  change: { t: "change", world: "sandbox", by: "createCustomer", digest: "0123456789ab" },
  drawn: { t: "drawn", what: "codes", value: "random:1" },
};

const numbered = Object.values(LINES).map((line, index) => ({ n: index + 1, at: index, ...line }));
const TEXTS = [HEAD, ...numbered, { end: numbered.length, requests: 2 }].map(encodeLine);
const WHOLE = Buffer.from(TEXTS.join(""));

const outcomeOf = (file: Buffer | string) => {
  try {
    const { cutAfter } = readCapsule(file, "run.capsule");
    return cutAfter === undefined ? "whole" : `cut off after ${cutAfter}`;
  } catch (error) {
    if (error instanceof DamagedCapsule) return `damaged in ${error.line}`;
    if (error instanceof EmptyCut) return "cut off in 1";
    if (error instanceof UnreadableCapsule) return "no capsule";
    throw error;
  }
};

/** Lines of the whole file that end before a byte. */
const linesBefore = (at: number) => WHOLE.subarray(0, at).toString("latin1").split("\n").length - 1;

/** Bits to flip: all of them with CAMPAIGN=1. */
const BITS = isCampaign ? [1, 2, 4, 8, 16, 32, 64, 128] : [1, 32];

// spec/capsules.md#reading
describe("a capsule with one line of every kind", () => {
  test("is read as a whole", () => {
    expect(readCapsule(WHOLE, "run.capsule").lines).toEqual(numbered);
    expect(outcomeOf(WHOLE)).toBe("whole");
  });

  test("is damaged in its line wherever a bit of it is another", () => {
    const wrong: string[] = [];
    for (let at = 0; at < WHOLE.length; at += 1)
      for (const bit of BITS) {
        const file = Buffer.from(WHOLE);
        file[at] = (file[at] as number) ^ bit;
        const outcome = outcomeOf(file);
        const line = linesBefore(at) + 1;
        // Without its checksum a first line is anything; without its end a last one continues.
        const isMissed = line === 1 && at < 13 && outcome === "no capsule";
        const isEnd = at === WHOLE.length - 1;
        if (outcome !== `damaged in ${line}` && !isMissed && !isEnd)
          wrong.push(`${at}: ${outcome}`);
        if (isEnd && !/^damaged/.test(outcome)) wrong.push(`last newline: ${outcome}`);
      }
    expect(wrong).toEqual([]);
  });

  test("is cut off wherever it ends, and whole without its last newline alone", () => {
    const wrong: string[] = [];
    for (let length = 0; length < WHOLE.length - 1; length += 1) {
      const outcome = outcomeOf(WHOLE.subarray(0, length));
      const before = linesBefore(length);
      const isLineWhole = WHOLE[length] === 0x0a;
      const last = before + (isLineWhole ? 1 : 0);
      const wanted = last === 0 ? "cut off in 1" : `cut off after ${last}`;
      if (outcome !== wanted && !(length < 13 && outcome === "no capsule"))
        wrong.push(`${length}: ${outcome}, not ${wanted}`);
    }
    expect(wrong).toEqual([]);
    expect(outcomeOf(WHOLE.subarray(0, WHOLE.length - 1))).toBe("whole");
  });

  test.each(TEXTS.slice(1).map((text, index) => ({ line: index + 2, text })))(
    "is damaged where line $line is missing, there twice, or in another place",
    ({ line, text }) => {
      const without = TEXTS.toSpliced(line - 1, 1);
      const isLast = line === TEXTS.length;
      expect(outcomeOf(without.join(""))).toBe(
        isLast ? `cut off after ${line - 1}` : `damaged in ${line}`,
      );
      expect(outcomeOf(TEXTS.toSpliced(line, 0, text).join(""))).toBe(`damaged in ${line + 1}`);
      if (!isLast) expect(outcomeOf([...without, text].join(""))).toMatch(/^damaged in \d+$/);
    },
  );

  test("is read behind a byte order mark, and with the line ends of another system", () => {
    expect(outcomeOf(`\ufeff${TEXTS.join("")}`)).toBe("whole");
    expect(outcomeOf(TEXTS.join("").replaceAll("\n", "\r\n"))).toBe("whole");
  });
});

/** The file with one line in place of another, and a right checksum. */
const withLine = (at: number, line: unknown) =>
  TEXTS.with(at - 1, encodeLine(line as object)).join("");

// spec/capsules.md#reading
describe("a line with a right checksum and wrong members is damaged", () => {
  test.each(Object.keys(LINES).map((kind, index) => ({ kind, at: index + 2 })))(
    "of the kind $kind",
    ({ at }) => {
      const line = numbered[at - 2] as unknown as Record<string, unknown>;
      const others = Object.keys(line).flatMap((member) => {
        const { [member]: _gone, ...left } = line;
        return [
          { ...line, [member]: null },
          { ...line, [member]: [[]] },
          ...[left].filter(isNeeded),
        ];
      });
      expect(others.map((other) => outcomeOf(withLine(at, other)))).toEqual(
        others.map(() => `damaged in ${at}`),
      );
    },
  );

  const isNeeded = (line: object) => "n" in line === false;

  test.each<{ says: string; line: unknown }>([
    { says: "null", line: null },
    { says: "a number", line: 7 },
    { says: "a list", line: [] },
    { says: "an unknown kind", line: { n: 1, at: 0, t: "other" } },
    { says: "an address of no server", line: { ...numbered[2], n: 1, url: "file:///etc/passwd" } },
    {
      says: "members of the prototype",
      line: JSON.parse('{"n":1,"at":0,"__proto__":{"t":"drawn"}}'),
    },
  ])("$says", ({ line }) => {
    expect(outcomeOf(withLine(2, line))).toBe("damaged in 2");
  });

  test("in the first line", () => {
    expect(outcomeOf(withLine(1, { ...HEAD, options: [] }))).toBe("damaged in 1");
    expect(outcomeOf(withLine(1, { ...HEAD, fixture: "/etc/passwd" }))).toBe("damaged in 1");
  });
});

test("the damage is said with file, line and what was found", () => {
  const text = TEXTS.join("").replace("createCustomer", "createcustomer");
  expect(() => readCapsule(text, "run.capsule")).toThrow(
    /^line 9 of the capsule run\.capsule is damaged: expected the checksum [0-9a-f]{8} but found [0-9a-f]{8}$/,
  );
});
