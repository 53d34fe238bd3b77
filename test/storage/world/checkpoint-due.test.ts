import { expect, test } from "vitest";
import { checkpointDue, type SinceCheckpoint } from "../../../src/storage/world/checkpoint-due.ts";

const MIB = 1024 * 1024;

const NONE = { journalBytes: 0, checkpointBytes: 0, segments: 0, hasDamage: false };

test.each<[since: Partial<SinceCheckpoint>, due: string | undefined]>([
  [{}, undefined],
  [{ journalBytes: 8 * MIB }, undefined],
  [{ journalBytes: 8 * MIB + 1 }, "when quiet"],
  [{ journalBytes: 128 * MIB }, "when quiet"],
  [{ journalBytes: 128 * MIB + 1 }, "now"],
  [{ journalBytes: 32 * MIB + 1, checkpointBytes: 40 * MIB }, undefined],
  [{ journalBytes: 40 * MIB + 1, checkpointBytes: 40 * MIB }, "when quiet"],
  [{ journalBytes: 160 * MIB + 1, checkpointBytes: 40 * MIB }, "now"],
  [{ segments: 64 }, undefined],
  [{ segments: 65 }, "now"],
  [{ hasDamage: true }, "now"],
  [{ journalBytes: 101, afterBytes: 100 }, "when quiet"],
  [{ journalBytes: 401, afterBytes: 100 }, "now"],
])("after %j a checkpoint is due %s", (since, due) => {
  expect(checkpointDue({ ...NONE, ...since })).toBe(due);
});
