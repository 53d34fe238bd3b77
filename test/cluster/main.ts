import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { campaignOptions, index, wholeNumber, wrongUsage } from "../setup/campaign-options.ts";
import { plainEnvironment, SERVICE_SIM } from "../setup/cli.ts";
import { hasPostgres, PostgresServer } from "../storage/setup/postgres-server.ts";
import type { FaultCounts } from "./setup/faults.ts";
import { playRound } from "./setup/round.ts";
import { shareBelow } from "./setup/takeovers.ts";

/** Kills of one round; its other faults are shared out alike. */
const KILLS_A_ROUND = 10;
const LEASE_MS = 1_000;
/** The lease of a program that takes no other. */
const USUAL_LEASE_MS = 5_000;
/** Exit code of an interrupted run, as shells have it. */
const INTERRUPTED = 130;
/** Findings of a rule that are shown; more of them tell nothing new. */
const SHOWN = 5;
const CONNECTIONS = "24";

const values = campaignOptions<FaultCounts & { seed: number; processes: "1" | "3" }>({
  script: "cluster",
  does: "Runs processes on one PostgreSQL, breaks all of it, and checks every answer.",
  options: [
    { flags: "--kills <n>", summary: "kill -9 of processes", read: wholeNumber, preset: 10 },
    { flags: "--pauses <n>", summary: "halts of processes", read: index, preset: 4 },
    { flags: "--restarts <n>", summary: "troubles of the database", read: index, preset: 3 },
    { flags: "--cuts <n>", summary: "faults of a link to it", read: index, preset: 3 },
    { flags: "--seed <n>", summary: "seed of the first round", read: wholeNumber, preset: 1 },
    {
      flags: "--processes <n>",
      summary: "processes on the database",
      choices: ["1", "3"],
      preset: "1",
    },
  ],
  examples: ["--kills 500 --pauses 200 --restarts 100 --cuts 100 --processes 3", "--seed 7"],
});

const say = (text: string) => process.stdout.write(`${text}\n`);

if (!hasPostgres()) wrongUsage("cluster", "no PostgreSQL server: apt-get install postgresql");

const help = execFileSync(process.execPath, [SERVICE_SIM, "start", "--help"], {
  env: plainEnvironment(),
  encoding: "utf8",
});
const processes = Number(values.processes);
const takesLease = help.includes("--lease");
if (processes > 1 && !help.includes("--peer"))
  wrongUsage("cluster", "this build takes no --peer: --processes 1, or npm run build");
const options = [
  ...(takesLease ? ["--lease", `${LEASE_MS / 1000}s`] : []),
  ...(processes > 1 ? ["--peer", "127.0.0.1:0"] : []),
];
const leaseMs = takesLease ? LEASE_MS : USUAL_LEASE_MS;

const KINDS = ["kills", "pauses", "restarts", "cuts"] as const;
const rounds = Math.max(1, Math.round(values.kills / KILLS_A_ROUND));
/** The share of a round: those before it have had theirs. */
const shareOf = (round: number): FaultCounts => {
  const upTo = (kind: (typeof KINDS)[number], end: number) =>
    Math.floor((values[kind] * end) / rounds);
  const of = (kind: (typeof KINDS)[number]) => upTo(kind, round + 1) - upTo(kind, round);
  return { kills: of("kills"), pauses: of("pauses"), restarts: of("restarts"), cuts: of("cuts") };
};

const figures = new Map<string, number>();
const count = (figure: string, by = 1) => figures.set(figure, (figures.get(figure) ?? 0) + by);
const takeovers: number[] = [];
let broken = 0;

const print = () => {
  for (const [figure, value] of figures) say(`${String(value).padStart(10)}  ${figure}`);
  const late = takeovers.filter((ms) => ms > 2 * leaseMs).length;
  say(
    `from a kill to the first good answer of a world: ${takeovers.length} times, ` +
      `half in ${shareBelow(takeovers, 0.5).toFixed(0)} ms, 99 % in ${shareBelow(takeovers, 0.99).toFixed(0)} ms, ` +
      `the longest ${Math.max(0, ...takeovers).toFixed(0)} ms; ${late} over two leases of ${leaseMs} ms`,
  );
  say(`${broken} of ${rounds} rounds broken`);
};

process.setMaxListeners(0);
const server = await PostgresServer.start({ max_connections: CONNECTIONS });
await server.run("create role sim login");
const folder = mkdtempSync(join(tmpdir(), "service-sim-cluster-"));
const close = async () => {
  print();
  rmSync(folder, { recursive: true, force: true });
  await server.delete();
};
process.once("SIGINT", async () => {
  await close();
  process.exit(INTERRUPTED);
});
const startedMs = performance.now();
for (let round = 0; round < rounds; round += 1) {
  const seed = values.seed + round;
  const counts = shareOf(round);
  const { breaches, takeoversMs } = await playRound(server, {
    ...{ seed, processes, counts, leaseMs, options, folder: join(folder, `round-${round}`) },
    count,
  });
  takeovers.push(...takeoversMs);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  process.stderr.write(
    `round ${round + 1} of ${rounds}, ${breaches.length} rules broken (${seconds} s)\n`,
  );
  if (breaches.length === 0) continue;
  broken += 1;
  for (const { rule, found } of breaches) {
    say(`FAILED ${rule}: ${found.length} times`);
    for (const one of found.slice(0, SHOWN)) say(`  ${one}`);
  }
  const again = KINDS.map((kind) => `--${kind} ${counts[kind]}`).join(" ");
  say(`  again: npm run cluster -- --seed ${seed} ${again} --processes ${processes}`);
}
await close();
process.exit(broken === 0 ? 0 : 1);
