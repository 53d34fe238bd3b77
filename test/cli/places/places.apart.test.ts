import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isCampaign } from "../../setup/campaign.ts";
import { SERVICE_SIM, Workplace, waitUntil } from "../../setup/cli.ts";
import { canChangeUser, FOR_ROOT, KINDS, type Place, together } from "./setup/places.ts";

const LIBRARY = fileURLToPath(new URL("../../../dist/simulator.mjs", import.meta.url));

/** Past the two seconds after which a process leaves what it has compiled. */
const SETTLED_MS = 2500;

/** A program with a simulator of its own. */
const IN_PROCESS = `
import { createSimulator } from ${JSON.stringify(LIBRARY)};
const sim = await createSimulator({ clock: "manual" });
await sim.advance("6m");
await sim.close();
`;

/** A folder that every user may read. */
let shared: string;

beforeAll(() => {
  shared = mkdtempSync(join(tmpdir(), "service-sim-places-"));
  chmodSync(shared, 0o755);
  writeFileSync(join(shared, "library.mjs"), IN_PROCESS);
});

afterAll(() => rmSync(shared, { recursive: true }));

/** Commands, and what each has to end with wherever it runs. */
const COMMANDS = [
  { command: "--version", exits: 0 },
  { command: "exec -- true", exits: 0 },
  { command: "exec -- sh -c 'exit 7'", exits: 7 },
  { command: "status", exits: 3 },
  { command: "run payout", exits: 3 },
  { command: "outcomes", exits: 0 },
  { command: "library", exits: 0 },
  { command: "start", exits: 0 },
] as const;

type Row = Place & (typeof COMMANDS)[number];

/** Each command at each place in a campaign; otherwise each place has its turn with one of them. */
const rowsOf = (places: readonly Place[]): Row[] =>
  places.flatMap((one, at) =>
    (isCampaign ? COMMANDS : [COMMANDS[at % COMMANDS.length]]).flatMap((command) =>
      command ? [{ ...one, ...command }] : [],
    ),
  );

/** One after the other in a campaign; otherwise one of each kind at a time. */
const PLACES = isCampaign ? KINDS.flat() : together(KINDS);

const wordsOf = ({ command }: Row) => {
  const node = `"${process.execPath}"`;
  if (command === "library") return `${node} "${join(shared, "library.mjs")}"`;
  const options = command === "start" ? " --port 0 --storage memory: --json" : "";
  return `${node} "${SERVICE_SIM}" ${command}${options}`;
};

/** A script of the row; its output goes to files, unless the row closes the streams. */
const scriptOf = (place: Workplace, row: Row) => {
  const { before = "", as = "", streams = "", env = {} } = row;
  const sets = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`);
  const errors = place.file("errors");
  const told = streams.includes("2>") ? "" : `2>>"${errors}"`;
  return [
    `: > "${errors}"; chmod 666 "${errors}"`,
    before,
    ...sets,
    `${as === "" ? "exec" : `exec ${as}`} ${wordsOf(row)} ${told} ${streams}`,
  ].join("\n");
};

const requireWords = (place: Workplace) => {
  const errors = readFileSync(place.file("errors"), "utf8");
  expect(errors).not.toMatch(/^ {4}at |node:internal|triggerUncaught|Error: /m);
  expect(Math.max(...errors.split("\n").map((line) => line.length))).toBeLessThan(400);
};

const liveAt = async (url: string) => (await fetch(`${url}/live`)).status;

/** Has a simulator run on until it has left its code, or has failed to, and stops it. */
const runStart = async (place: Workplace, script: string, hasOutput: boolean) => {
  const started = place.spawn(["sh", "-c", script]);
  const line = hasOutput ? await started.firstLine() : undefined;
  if (!hasOutput)
    await waitUntil("its address", () => existsSync(place.file(".service-sim", "instance.json")));
  const beganMs = performance.now();
  const url = line === undefined ? undefined : JSON.parse(line).controlUrl;
  await waitUntil("the time after which code is left", async () => {
    if (url !== undefined) expect(await liveAt(url)).toBe(200);
    return performance.now() - beganMs > SETTLED_MS;
  });
  return started.kill("SIGTERM");
};

const tryIn = async (place: Workplace, row: Row) => {
  const script = scriptOf(place, row);
  const hasOutput = !row.streams?.includes(">&-") || row.streams === "2>&-";
  const { code, signal } =
    row.command === "start"
      ? await runStart(place, script, hasOutput)
      : await place.spawn(["sh", "-c", script]).ended;
  expect({ code, signal }).toEqual({ code: row.exits, signal: null });
  requireWords(place);
};

/** Rows wait side by side: most of their time they do nothing. */
const tryRow = async (row: Row) => {
  const place = new Workplace();
  try {
    await tryIn(place, row);
  } finally {
    await place.close();
  }
};

describe.skipIf(process.platform === "win32")("wherever it runs", () => {
  test.concurrent.each(rowsOf(PLACES))("$command ends as it should with $place", tryRow);
});

const mayChange = canChangeUser();
if (!mayChange) process.emitWarning("places that need root, and a checkout for all, are skipped");

describe.skipIf(!mayChange)("as another user (skipped without root)", () => {
  test.concurrent.each(rowsOf(FOR_ROOT))("$command ends as it should with $place", tryRow);
});
