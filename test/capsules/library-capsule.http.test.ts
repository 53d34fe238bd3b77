import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createSimulator, OptionError } from "../../src/simulator.ts";
import { replayed } from "./setup/live-run.ts";

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "service-sim-capsule-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

// spec/capsules.md#recording
test("createSimulator writes the run into the file that capsule names, until close", async () => {
  const capsule = join(folder(), "run.capsule");
  const sim = await createSimulator({ seed: "7", clock: "manual", capsule });
  await sim.call.createCustomer({ body: { customerType: "INDIVIDUAL" } });
  await sim.advance("6m");
  await sim.close();
  const text = readFileSync(capsule, "utf8");
  expect(text).not.toContain(capsule);
  expect(await replayed(text)).toEqual({ requests: 1 });
});

test("a capsule that cannot be written ends the start with a sentence", async () => {
  const capsule = join(folder(), "none", "run.capsule");
  const failed = createSimulator({ seed: "7", capsule });
  await expect(failed).rejects.toThrow(
    new OptionError(`cannot write the capsule ${capsule}: ENOENT`, "capsule"),
  );
});
