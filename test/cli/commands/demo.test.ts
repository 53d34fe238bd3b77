import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { documentOf } from "../../setup/cli.ts";
import { benchPerTest } from "../setup/place-per-test.ts";

const place = benchPerTest();

test("the demo ends with the money arrived and every webhook verified", async () => {
  const { code, stdout, stderr } = await place().run("demo");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(
    /^✓ 229\.11 EUR arrived: 6m of simulated time in [0-9]+ ms; 6 webhooks, all verified$/,
  );
  expect(readdirSync(place().path)).toEqual([]);
});

test("demo --json is one document, and every step in it was as expected", async () => {
  const ended = await place().run("demo --json");
  const report = documentOf(ended);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(report).toMatchObject({
    ok: true,
    arrived: "229.11 EUR",
    simulatedMs: 360_000,
    webhooks: { received: 6, verified: 6 },
  });
  for (const step of report.steps) expect(step).toMatchObject({ ok: true });
});

test("the lines of demo --curl do the same by hand, against a running simulator", async () => {
  const { call } = await place().start();
  const { code, stdout } = await place().run("demo --curl");
  expect(code).toBe(0);
  const played = await place().shell(`set -e\n${stdout}`);
  expect(played).toMatchObject({ code: 0 });
  const { body } = await call("GET", "/transactions");
  expect(body.data).toMatchObject([{ status: "COMPLETED", type: "OUTGOING" }]);
});
