import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RunningCli } from "../../setup/cli.ts";
import { csvOf, formOf, PASSPORT, person } from "../../setup/uploads.ts";
import type { Chance } from "../../simulation/setup/chance.ts";
import { inFirstLine } from "../../storage/setup/places.ts";
import type { Acknowledged } from "./acknowledged.ts";
import { tried } from "./client.ts";
import { callPlatform } from "./keyed-calls.ts";
import type { SideWorld } from "./side-world.ts";

/** Everything that an act may use and change. */
export interface Scene {
  cli: RunningCli;
  chance: Chance;
  acknowledged: Acknowledged;
  side: SideWorld;
  /** The state directory. */
  directory: string;
  /** Number of the kill, for names that occur once. */
  kill: number;
}

/** A moment at which a simulator is killed. */
export interface Moment {
  name: string;
  /** Longest time from the begin of the act to the kill, wall milliseconds. */
  withinMs: number;
  /** Prepares the directory before the start. */
  prepare?: (directory: string) => void;
  /** Prepares the running simulator. */
  ready?: (scene: Scene) => Promise<unknown>;
  /** Begins the act; the kill comes while it runs or shortly after. */
  act?: (scene: Scene) => Promise<unknown>;
  /** Kills before the simulator is ready. */
  isStart?: true;
  /** Sends SIGTERM first. */
  isStop?: true;
}

const ROWS = 40;
const GENERATED = 60;
/** Longest wait for a checkpoint to begin. */
const CHECKPOINT_POLLS = 400;

const bulk = async ({ cli, acknowledged, kill }: Scene) => {
  const body = new FormData();
  const rows = Array.from({ length: ROWS }, (_, at) => person(`${kill}-${at}`));
  body.append("file", new Blob([csvOf(rows)]), "customers.csv");
  const call = { method: "POST", path: "/customers/bulk/csv", body };
  const begun = await tried(callPlatform(cli.ready, call));
  if (begun?.status !== 202) return;
  acknowledged.jobs.push({ jobId: begun.body.jobId, rows: ROWS });
  acknowledged.paths.push(`/customers/bulk/jobs/${begun.body.jobId}`);
};

const upload = async ({ cli, acknowledged, kill, chance }: Scene) => {
  for (let count = 0; count < 5; count += 1) {
    const holder = acknowledged.paths.find((path) => /^\/customers\/Customer:/.test(path));
    if (holder === undefined) return;
    const bytes = `%PDF-${kill}-${count}${"x".repeat(chance.below(20_000))}`;
    const fields = { documentHolder: holder.slice("/customers/".length), ...PASSPORT };
    const body = formOf(fields, { bytes: Uint8Array.from(Buffer.from(bytes)) });
    const call = { method: "POST", path: "/documents", body };
    const kept = await tried(callPlatform(cli.ready, call));
    if (kept?.status !== 201) return;
    acknowledged.paths.push(`/documents/${kept.body.id}`);
    acknowledged.addFile(bytes);
  }
};

const seed = async ({ cli, acknowledged, kill }: Scene) => {
  const steps = Array.from({ length: GENERATED }, (_, at) => ({
    name: `c${at}`,
    request: {
      method: "POST",
      path: "/customers",
      body: { customerType: "INDIVIDUAL", platformCustomerId: `seed-${kill}-${at}` },
    },
  }));
  const [first, last] = [`seed-${kill}-0`, `seed-${kill}-${GENERATED - 1}`];
  acknowledged.fixtures.push({ first, last });
  const fixture = { name: `seed-${kill}`, steps };
  const put = await tried(cli.control("POST", "/seed", { fixture }));
  if (put?.status !== 200) return;
  for (const id of Object.values(put.body.names)) acknowledged.paths.push(`/customers/${id}`);
};

/** Plants an unreadable checkpoint, so that the next change has a new one written. */
const plantCheckpoint = (directory: string) => {
  const folder = inFirstLine(directory, "checkpoint", "0000000000000000-0");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "manifest.json"), "unreadable");
};

/** Waits until a checkpoint is being written. */
const untilCheckpoint = async ({ directory }: Scene) => {
  const folder = inFirstLine(directory, "checkpoint");
  for (let poll = 0; poll < CHECKPOINT_POLLS; poll += 1) {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    if (names.some((name) => !/^0+-0$/.test(name))) return;
    await pause(1);
  }
};

/** Moments of kills, in turn. */
export const MOMENTS: readonly Moment[] = [
  { name: "traffic", withinMs: 500 },
  { name: "start", withinMs: 600, isStart: true },
  { name: "checkpoint", withinMs: 25, prepare: plantCheckpoint, act: untilCheckpoint },
  { name: "seed", withinMs: 600, act: seed },
  {
    name: "reset",
    withinMs: 80,
    ready: ({ side }) => side.fork(),
    act: ({ side }) => side.reset(),
  },
  { name: "fork", withinMs: 80, act: ({ side }) => side.fork() },
  {
    name: "rewind",
    withinMs: 80,
    ready: async ({ side }) => {
      await side.fork();
      await side.add();
    },
    act: ({ side }) => side.rewind(),
  },
  { name: "bulk", withinMs: 400, act: bulk },
  { name: "upload", withinMs: 100, act: upload },
  { name: "stop", withinMs: 150, isStop: true },
];
