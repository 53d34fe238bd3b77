import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { Workbench } from "../cli/setup/workbench.ts";
import { documentOf } from "../setup/cli.ts";

const opened = async (options: string) => {
  const place = new Workbench();
  onTestFinished(() => place.close());
  const simulator = await place.start(`--clock manual --seed 7 ${options}`);
  return { place, simulator };
};

test("what is recorded in a branded world has the words as stored, and runs in any world", async () => {
  const { place, simulator } = await opened("--brand acme");
  const { body: customer } = await simulator.call("POST", "/customers", {
    customerType: "INDIVIDUAL",
    fullName: "acmeApiFixedFee",
  });
  expect(customer.fullName).toBe("acmeApiFixedFee");
  const file = place.file("mine.json");
  expect((await place.run(`scenario record ${file}`)).code).toBe(0);
  expect(readFileSync(file, "utf8")).toContain("serviceApiFixedFee");
  expect(readFileSync(file, "utf8")).not.toContain("acme");
  expect(documentOf(await place.run(`run ${file} --json`))).toMatchObject({ ok: true });
  const own = await opened("");
  expect(documentOf(await own.place.run(`run ${file} --json`))).toMatchObject({ ok: true });
});
