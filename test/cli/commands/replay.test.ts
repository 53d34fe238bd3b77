import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

const SCRIPT = `
  const { SERVICE_SIM_API_URL: apiUrl } = process.env;
  const { SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } = process.env;
  const headers = {
    authorization: "Basic " + btoa(id + ":" + secret), "content-type": "application/json",
  };
  const body = JSON.stringify({ customerType: "INDIVIDUAL" });
  for (let count = 0; count < 3; count += 1)
    await fetch(apiUrl + "/customers", { method: "POST", headers, body });
`;

const exec = (code: string, ...options: string[]) =>
  place().run(["exec", ...options, "--", process.execPath, "-e", code]);

test("a command that fails leaves a capsule, and the line that repeats it", async () => {
  const { code, stderr } = await exec(`${SCRIPT} process.exit(7);`);
  expect(code).toBe(7);
  const [, file = ""] = /note {3}.* replay (\S+\.capsule) {4}repeats this run\n/.exec(stderr) ?? [];
  const replayed = await place().run(["replay", file]);
  expect(replayed).toMatchObject({ code: 0, stdout: "3 requests repeated, no difference\n" });
});

test("one that succeeds leaves none, unless a file is named", async () => {
  const { stderr } = await exec(SCRIPT);
  expect(stderr).not.toContain("repeats this run");
  expect((await exec(SCRIPT, "--capsule", "run.capsule")).code).toBe(0);
  const replayed = await place().run(["replay", "run.capsule", "--json"]);
  expect(documentOf(replayed)).toEqual({ requests: 3 });
});

test("a difference is told with its request, and the exit code is 1", async () => {
  await exec(
    SCRIPT,
    "--capsule",
    "run.capsule",
    "--now",
    "2026-01-05T09:00:00Z",
    "--clock",
    "manual",
  );
  const text = readFileSync(place().file("run.capsule"), "utf8");
  const { encodeLine } = await import("../../../src/capsules/capsule-lines.ts");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))));
  const other = lines.map((line) =>
    line.id === "req-1-2" ? { ...line, reply: { ...line.reply, status: 409 } } : line,
  );
  writeFileSync(place().file("run.capsule"), other.map(encodeLine).join(""));
  const { code, stdout } = await place().run(["replay", "run.capsule"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^first difference: status\n {2}at {8}req-1-2 \(entry \d+\), POST /);
  expect(stdout).toContain(
    "  instant   2026-01-05T09:00:00.000Z\n  recorded  409\n  found     201\n",
  );
});

test.each([
  {
    says: "no file",
    file: "none.capsule",
    text: undefined,
    error: "cannot read the capsule none.capsule: no such file",
  },
  {
    says: "another file",
    file: "a.txt",
    text: "hello\n",
    error: "Expected a capsule but found none in a.txt",
  },
])("$says is refused with 2", async ({ file, text, error }) => {
  if (text !== undefined) writeFileSync(place().file(file), text);
  const { code, stderr } = await place().run(["replay", file]);
  expect(code).toBe(2);
  expect(stderr).toContain(error);
});

/** Changes one letter within a line that has a text. */
const spoilt = (text: string, having: string) => {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(having));
  const line = lines[at] as string;
  const middle = Math.floor(line.length / 2);
  const other = line[middle] === "a" ? "b" : "a";
  lines[at] = line.slice(0, middle) + other + line.slice(middle + 1);
  return { line: at + 1, text: lines.join("\n") };
};

// spec/capsules.md#reading
describe("a file that is not as it was written", () => {
  let kept: string | undefined;

  const recorded = async () => {
    if (kept === undefined) {
      await exec(SCRIPT, "--capsule", "run.capsule");
      kept = readFileSync(place().file("run.capsule"), "utf8");
    }
    return kept;
  };

  test.each(['"capsule":', '"t":"origin"', '"t":"request"', '"t":"change"', '"end":'])(
    "one changed letter in the line with %s exits 4 with the line",
    async (having) => {
      const { line, text } = spoilt(await recorded(), having);
      writeFileSync(place().file("run.capsule"), text);
      const { code, stdout, stderr } = await place().run(["replay", "run.capsule"]);
      expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
      expect(stderr).toMatch(`line ${line} of the capsule run.capsule is damaged: expected the ch`);
      const asked = await place().run(["replay", "run.capsule", "--json"]);
      expect(documentOf(asked)).toMatchObject({ error: { code: "CAPSULE_DAMAGED" } });
    },
  );

  test("one that is cut off exits 1, and is repeated with --partial", async () => {
    const text = await recorded();
    const lines = text.split("\n");
    for (const cut of [text.slice(0, -40), `${lines.slice(0, -2).join("\n")}\n`]) {
      writeFileSync(place().file("run.capsule"), cut);
      const after = cut.split("\n").length - 1;
      const { code, stdout, stderr } = await place().run(["replay", "run.capsule"]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain(`the capsule run.capsule is cut off after line ${after}`);
      expect(stderr).toContain("service-sim replay --partial run.capsule");
      const partly = await place().run(["replay", "--partial", "run.capsule"]);
      expect(partly.code).toBe(0);
      expect(partly.stdout).toMatch(/^[23] requests repeated, no difference\n$/);
      expect(partly.stderr).toContain(`cut off after line ${after}; it is repeated up to there`);
    }
  });

  test("a call that no client can make is a sentence", async () => {
    const { encodeLine } = await import("../../../src/capsules/capsule-lines.ts");
    const lines = (await recorded())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line.slice(line.indexOf("{"))))
      .map((line) => (line.id === "req-1-2" ? { ...line, method: "CONNECT" } : line));
    writeFileSync(place().file("run.capsule"), lines.map(encodeLine).join(""));
    const { code, stderr } = await place().run(["replay", "run.capsule"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/the capsule has no repeatable call in line \d+: .*CONNECT/);
  });
});
