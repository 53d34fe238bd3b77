import { expect, test } from "vitest";
import { runInProcess } from "../setup/in-process.ts";

test("outcomes with the value of x-sim-rule prints that row alone", async () => {
  const { code, stdout } = await runInProcess(["outcomes", "quotedPayment.003", "--json"]);
  expect(code).toBe(0);
  const { data } = JSON.parse(stdout);
  expect(data).toHaveLength(1);
  expect(data[0].rows).toMatchObject([
    { match: "003", rule: "quotedPayment.003", says: "completes after about 6 minutes" },
  ]);
});

test("outcomes with a table prints its rows", async () => {
  const { stdout } = await runInProcess(["outcomes", "transferIn", "--json"]);
  const [group] = JSON.parse(stdout).data;
  expect(group.rows.map(({ rule }: { rule: string }) => rule)).toEqual([
    "transferIn.002",
    "transferIn.003",
    "transferIn.004",
    "transferIn.005",
    "transferIn.otherwise",
  ]);
});

test("outcomes names what to type when no rule has the name", async () => {
  const { code, stderr } = await runInProcess(["outcomes", "quotedPayment.999"]);
  expect(code).toBe(2);
  expect(stderr).toContain("no test rule quotedPayment.999");
  expect(stderr).toContain("service-sim outcomes quotedPayment");
});
