import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningCli, Workplace } from "../../setup/cli.ts";
import type { Chance } from "../../simulation/setup/chance.ts";
import { filesOf } from "./small-state.ts";

/** Result of damaging files of a state that the command line made. */
export interface CliReport {
  samples: number;
  outcomes: { refused: number; served: number };
  wrong: string[];
}

/** Sentences of a start that read an end which may not be the last one. */
const TELLS = /the last change read is number [0-9]+, of |removed an unfinished change/;

const START = "--storage file:state --clock manual --seed bits";

/** Ways to damage a file. */
const DAMAGES: Record<string, (bytes: Buffer, chance: Chance) => Buffer> = {
  "a flipped bit": (bytes, chance) => {
    const flipped = Buffer.from(bytes);
    const at = chance.below(bytes.length);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << chance.below(8));
    return flipped;
  },
  "a cut": (bytes, chance) => bytes.subarray(0, 1 + chance.below(bytes.length - 1)),
  emptied: () => Buffer.alloc(0),
};

const customersOf = async ({ call }: RunningCli) => {
  const { body } = await call("GET", "/customers?limit=100");
  return body.data.map(({ id }: { id: string }) => id) as string[];
};

/** Ends of the last run of a state. */
const ENDS = ["stopped", "killed"] as const;

type End = (typeof ENDS)[number];

/** Makes a state with a snapshot, a rewind and a second start, which ends in a way. */
const make = async (place: Workplace, end: End) => {
  let cli = await place.start(START);
  const add = () => cli.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  await add();
  await cli.control("PUT", "/snapshots/a");
  const { body: last } = await add();
  await cli.control("POST", "/clock/rewind", { before: last.id });
  await add();
  await cli.stop();
  cli = await place.start(START);
  await add();
  const customers = await customersOf(cli);
  await cli.stop(end === "stopped" ? "SIGTERM" : "SIGKILL");
  return customers;
};

/** Damages files of a state through the command line, a sample of each kind. */
class CliDamage {
  readonly report: CliReport = { samples: 0, outcomes: { refused: 0, served: 0 }, wrong: [] };
  private readonly place: Workplace;
  private readonly chance: Chance;
  private customers: string[] = [];
  private end: End = "stopped";

  constructor(place: Workplace, chance: Chance) {
    this.place = place;
    this.chance = chance;
  }

  async run(samples: number, end: End) {
    const { place } = this;
    this.customers = await make(place, end);
    this.end = end;
    renameSync(place.file("state"), place.file("whole"));
    const all = filesOf(place.file("whole")).flatMap((file) =>
      Object.keys(DAMAGES).map((how) => ({ file, how })),
    );
    for (let left = Math.min(samples, all.length); left > 0; left -= 1) {
      const [one] = all.splice(this.chance.below(all.length), 1);
      if (one) await this.sample(one);
    }
    return this.report;
  }

  private async sample({ file, how }: { file: string; how: string }) {
    const { place, chance, report } = this;
    rmSync(place.file("state"), { recursive: true, force: true });
    cpSync(place.file("whole"), place.file("state"), { recursive: true });
    const path = join(place.file("state"), file);
    const whole = readFileSync(path);
    writeFileSync(path, DAMAGES[how]?.(whole, chance) ?? whole);
    report.samples += 1;
    const what = `${how} of ${file}`;
    const started = place.command(`start --port 0 --json ${START}`);
    const line = await started.firstLine();
    const isReady = line?.includes('"ready"');
    if (isReady) await this.served(what, started, line as string);
    const { code, stdout, stderr } = await (isReady ? started.kill() : started.ended);
    if (!isReady) {
      report.outcomes.refused += 1;
      if (code !== 4) report.wrong.push(`${what} ends start with ${code}: ${stderr}`);
      const isLock = /^lock\./.test(file);
      if (!isLock && !`${stdout}${stderr}`.includes(join("state", file)))
        report.wrong.push(`${what} is not named: ${stderr}`);
      if (isLock) await this.restart(what, "--force");
      else await this.repair(what);
    }
  }

  /** A state that is served is whole; after a kill it may lack its last records, and says so. */
  private async served(what: string, started: { errors: string }, line: string) {
    const { report, place, customers } = this;
    report.outcomes.served += 1;
    const ready = JSON.parse(line);
    const query = `${ready.apiUrl}/customers?limit=100`;
    const authorization = `Basic ${btoa(`${ready.clientId}:${ready.clientSecret}`)}`;
    const response = await fetch(query, { headers: { authorization, connection: "close" } });
    const body = await response.json();
    const found: string[] = body.data.map(({ id }: { id: string }) => id);
    const isEarlier = found.every((id) => customers.includes(id));
    const isWhole = found.length === customers.length && isEarlier;
    const isTold = this.end === "killed" && TELLS.test(started.errors);
    if (!isWhole && !(isTold && isEarlier))
      report.wrong.push(`${what} serves ${found} in ${place.path}, told: ${started.errors}`);
  }

  private async repair(what: string) {
    const { place, report } = this;
    const { code, stderr } = await place.run("doctor --repair --storage file:state");
    if (code !== 0) report.wrong.push(`${what}: doctor --repair ends with ${code}: ${stderr}`);
    await this.restart(what);
  }

  /** Starts once more; a directory whose owner is unreadable is taken over by force. */
  private async restart(what: string, options = "") {
    const { place, report } = this;
    const started = place.command(`start --port 0 --json ${START} ${options}`);
    const line = await started.firstLine();
    await started.kill();
    if (!line?.includes('"ready"'))
      report.wrong.push(`${what}: no start afterwards: ${started.errors}`);
  }
}

/** Damages a sample of files of real states and starts the command line on each. */
export const damageThroughCli = async (samples: number, chance: Chance): Promise<CliReport> => {
  const all: CliReport = { samples: 0, outcomes: { refused: 0, served: 0 }, wrong: [] };
  for (const end of ENDS) {
    const place = new Workplace();
    try {
      const report = await new CliDamage(place, chance).run(samples / ENDS.length, end);
      all.samples += report.samples;
      all.outcomes.refused += report.outcomes.refused;
      all.outcomes.served += report.outcomes.served;
      all.wrong.push(...report.wrong.map((one) => `${end}: ${one}`));
    } finally {
      await place.close();
    }
  }
  return all;
};
