import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CAPSULE_VERSION } from "../../src/capsules/capsule-lines.ts";
import { readCapsule } from "../../src/capsules/read-capsule.ts";
import { Replay } from "../../src/replay/replay.ts";
import { recordedText, recordedVersions } from "../setup/recorded.ts";

/**
 * Capsules as programs of each version wrote them, with
 * `exec --seed 1 --now 2026-01-05T09:00:00Z --clock manual --capsule <file>`. Each has the
 * scenarios wallet, passkey and payout, a call, a clock step, and a call that is refused. A reply
 * that changes on purpose differs here: its lines are encoded again with the new text.
 */
const FOLDER = fileURLToPath(new URL("setup/recorded/", import.meta.url));
const VERSIONS = recordedVersions(FOLDER, /^version-(\d+)\.br$/);

test("every version has a recording", () => {
  expect(VERSIONS).toEqual(Array.from({ length: CAPSULE_VERSION }, (_, index) => index + 1));
});

// spec/capsules.md#reading
describe.each(VERSIONS)("a capsule that was written as version %i", (version) => {
  test("is repeated without a difference", async () => {
    const capsule = readCapsule(recordedText(FOLDER, `version-${version}.br`), "run.capsule");
    expect(capsule.head).toMatchObject({ capsule: version, secrets: "placeholders" });
    const replay = await Replay.open(capsule);
    try {
      expect(await replay.run()).toEqual({ requests: 45 });
    } finally {
      await replay.sim.close();
    }
  });
});
