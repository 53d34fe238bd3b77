import { afterAll, expect, test, vi } from "vitest";
import type { HandedOver } from "./setup/counter.ts";
import { playFile } from "./setup/file-campaign.ts";

afterAll(() => {
  vi.doUnmock("../../src/domain/state-invariants.ts");
  vi.resetModules();
});

const GOOD = Buffer.from('{"word":"acme","paths":{"/v1":"1"}}');

const kind = (take: (text: string) => string): HandedOver => ({
  name: "planted",
  good: GOOD,
  form: "json",
  isText: true,
  codes: [0, 2],
  take: async (bytes) => ({ code: 0, says: take(bytes.toString()) }),
});

/** A reader that keeps to every rule. */
const whole = (text: string) => {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ""));
    return "taken";
  } catch {
    return "Expected JSON but found something else";
  }
};

const PLANTED = [
  {
    what: "throws at what is no JSON",
    take: (text: string) => `${JSON.parse(text.replace(/^\uFEFF/, "")).word}`,
  },
  {
    what: "throws where a member has another type",
    take: (text: string) =>
      whole(text) === "taken" ? JSON.parse(text.replace(/^\uFEFF/, "")).word.toUpperCase() : "no",
  },
  {
    what: "prints the words of the machine",
    take: (text: string) => {
      try {
        return String(JSON.parse(text.replace(/^\uFEFF/, "")).word);
      } catch (error) {
        return String(error);
      }
    },
  },
] as const;

test("a reader that keeps to the rules has no finding", async () => {
  expect(await playFile(kind(whole), { from: 1, runs: 26 })).toEqual([]);
});

test.each(PLANTED)("a reader that $what is found", async ({ take }) => {
  const findings = await playFile(kind(take), { from: 1, runs: 26 });
  expect(findings.length).toBeGreaterThan(0);
});

test("a reader that does not read behind a byte order mark is found", async () => {
  const file = kind(whole);
  const take: HandedOver["take"] = async (bytes) =>
    bytes[0] === 0xef ? { code: 2, says: "Expected JSON but found a mark" } : file.take(bytes);
  const findings = await playFile({ ...file, take }, { from: 1, runs: 0 });
  expect(findings.map(({ change }) => change)).toEqual(["a byte order mark", "both of these"]);
});

test("an import that believes the file is found", { timeout: 600_000 }, async () => {
  vi.resetModules();
  vi.doMock("../../src/domain/state-invariants.ts", () => ({ stateProblem: () => undefined }));
  const { Counter } = await import("./setup/counter.ts");
  const { handedOver } = await import("./setup/handed-over.ts");
  const { playFile: play } = await import("./setup/file-campaign.ts");
  const counter = await Counter.open();
  const [snapshot] = await handedOver(counter);
  const findings = await play(snapshot as HandedOver, { from: 1, runs: 104 });
  const { alarms } = counter.world;
  await counter.close();
  expect(findings.length + alarms.length).toBeGreaterThan(0);
});
