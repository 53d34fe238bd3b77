import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { isCampaign } from "../setup/campaign.ts";
import { nodeOf } from "../setup/nodes.ts";

const run = promisify(execFile);

/** The outcome of one history: how much, and the hashes of what has to repeat. */
interface History {
  calls: number;
  changed: number;
  sent: [number, number];
  statuses: Record<string, number>;
  replies: string;
  changes: string;
  webhooks: string;
}

/** Plays the history in a process of its own. */
const play = async (program: string, times: number, env = {}): Promise<History[]> => {
  const script = "test/simulation/setup/repetition.mjs";
  const { stdout } = await run(program, [script, "dist/simulator.cjs", String(times)], {
    env: { ...process.env, ...env },
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
};

let first: History;
let second: History;

beforeAll(async () => {
  [first, second] = (await play(process.execPath, 2)) as [History, History];
});

test("the history has calls of every kind, refused ones too, and two receivers", () => {
  expect(first).toMatchObject({ calls: 173, changed: 144, sent: [49, 34] });
  expect(first.statuses).toMatchObject({ 200: 104, 201: 29, 202: 6, 400: 15, 403: 2, 409: 10 });
});

test("two runs in one process have the same replies, changes and webhooks", () => {
  expect(second).toEqual(first);
});

test("so has a run in another process", async () => {
  expect(await play(process.execPath, 1)).toEqual([first]);
});

// spec/clock.md#repeatable-signatures
test("with --deterministic-signatures the signatures of webhooks and tokens repeat too", async () => {
  const env = { DETERMINISTIC_SIGNATURES: "1" };
  const [one, other] = await play(process.execPath, 2, env);
  expect(one).toMatchObject({
    ...first,
    replies: expect.any(String),
    signatures: expect.any(String),
  });
  expect(other).toEqual(one);
});

/** `npm run campaign` plays it on all of them, `npm test` on the newest. */
const VERSIONS = isCampaign ? [20, 22, 24, 26] : [26];

// spec/clock.md#determinism
test.for(VERSIONS.map((major) => ({ major })))(
  "so has a run on Node.js $major",
  async ({ major }, context) => {
    const node = await nodeOf(major);
    if ("why" in node) {
      process.stderr.write(`NOT TESTED on Node.js ${major}: ${node.why}\n`);
      return context.skip(node.why);
    }
    const { stdout: version } = await run(node.program, ["-v"]);
    expect(version).toMatch(new RegExp(`^v${major}\\.`));
    expect(await play(node.program, 1)).toEqual([first]);
  },
);
