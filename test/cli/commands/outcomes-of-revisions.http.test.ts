import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { runInProcess } from "../setup/in-process.ts";

const opened: TestSimulator[] = [];
const folder = mkdtempSync(join(tmpdir(), "outcomes-"));

afterEach(async () => {
  for (const { sim } of opened.splice(0)) await sim.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const urlOf = async (revision: "2025-10" | "2026-08") => {
  const world = await startTestSimulator({ revision });
  opened.push(world);
  return (await world.sim.listen()).url;
};

const FIRST = ["verification"];
const LATER = ["newPerson", "personVerification", "businessVerification"];

/** Tables about verifications, in the order in which they are listed. */
const listed = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout)
    .data.map(({ group }: { group: string }) => group)
    .filter((group: string) => [...FIRST, ...LATER].includes(group));

// spec/sandbox.md
describe("outcomes lists the tables", () => {
  test.each([
    { where: "without a simulator", words: [], tables: FIRST },
    {
      where: "of a revision that is named",
      words: ["--revision", "2026-08"],
      tables: LATER,
    },
    {
      where: "of the first revision when it is named",
      words: ["--revision", "2025-10"],
      tables: FIRST,
    },
  ])("$where", async ({ words, tables }) => {
    const env = { ...process.env, SERVICE_SIM_STORAGE: join(folder, "none") };
    const ended = await runInProcess(["outcomes", "--json", ...words], { env });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(listed(ended)).toEqual(tables);
  });

  test.each([
    { revision: "2025-10", tables: FIRST },
    { revision: "2026-08", tables: LATER },
  ] as const)("of a world in $revision", async ({ revision, tables }) => {
    const url = await urlOf(revision);
    expect(listed(await runInProcess(["outcomes", "--json", "--url", url]))).toEqual(tables);
  });

  test("of the revision that is named, although the world has another one", async () => {
    const url = await urlOf("2026-08");
    const words = ["outcomes", "--json", "--url", url, "--revision", "2025-10"];
    expect(listed(await runInProcess(words))).toEqual(FIRST);
  });

  test("of no world where the one that is named does not answer", async () => {
    const words = ["outcomes", "--url", "http://127.0.0.1:1"];
    const { code, stderr } = await runInProcess(words);
    expect({ code, says: stderr.includes("no simulator is running") }).toEqual({
      code: 3,
      says: true,
    });
  });
});

describe("a row of another revision", () => {
  test("is named with it by outcomes", async () => {
    const url = await urlOf("2026-08");
    const words = ["outcomes", "verification.individual", "--url", url];
    const { code, stderr } = await runInProcess(words);
    expect(code).toBe(2);
    expect(stderr).toContain("verification.individual is a test rule of revision 2025-10");
    expect(stderr).toContain("service-sim outcomes verification.individual --revision 2025-10");
  });

  test.each([
    { revision: "2026-08", rule: "personVerification.003", status: 201 },
    { revision: "2025-10", rule: "verification.individual", status: 201 },
    { revision: "2025-10", rule: "personVerification.003", status: 404 },
    { revision: "2026-08", rule: "verification.individual", status: 404 },
  ] as const)("$rule is answered with $status in $revision", async ({ revision, rule, status }) => {
    await urlOf(revision);
    const answer = await opened[0]?.control("POST", "/outcomes/next", { rule });
    expect(answer?.status).toBe(status);
    const says = answer?.body.error?.message ?? "";
    expect(says.startsWith(`No outcome ${rule} in revision ${revision}`)).toBe(status === 404);
  });
});
