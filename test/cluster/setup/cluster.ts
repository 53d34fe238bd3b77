import type { Chance } from "../../simulation/setup/chance.ts";
import type { Told } from "../checker/history.ts";
import { type Answer, httpCall } from "./call.ts";
import type { SimProcess } from "./sim-process.ts";

/** A call of the platform before it is made. */
export interface Wanted {
  world: string;
  method: string;
  path: string;
  body?: object;
  key?: string;
  mark?: string;
}

/** Attempts with one key: each process and its restart, and more. */
const MOST_ATTEMPTS = 40;
const AGAIN_AFTER_MS = 100;

/** Everything that clients and faults of one round share. */
export class Cluster {
  readonly processes: readonly SimProcess[];
  readonly chance: Chance;
  readonly calls: Told[] = [];
  /** Worlds by name, each with the one that it was forked from. */
  readonly origins = new Map<string, string>();
  readonly worlds: string[] = ["sandbox"];
  private numbers = 0;
  isOver = false;

  constructor(processes: readonly SimProcess[], chance: Chance) {
    this.processes = processes;
    this.chance = chance;
  }

  /** A number that no other call of the round has. */
  number(): number {
    this.numbers += 1;
    return this.numbers;
  }

  /** A process that is up, if there is one. */
  private someProcess(): SimProcess | undefined {
    const up = this.processes.filter(({ ready }) => ready);
    return up.length > 0 ? this.chance.pick(up) : undefined;
  }

  /** Makes one call of the platform, and notes it. Nothing where no process is up. */
  async call(wanted: Wanted, attempt = 1): Promise<Told | undefined> {
    const process = this.someProcess();
    if (!process?.ready) return undefined;
    const { apiUrl, clientId, clientSecret } = process.ready;
    const { world, method, path, body, key, mark } = wanted;
    const user = world === "sandbox" ? clientId : `${clientId}+${world}`;
    const beginMs = performance.now();
    const answer = await httpCall(apiUrl + path, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${user}:${clientSecret}`)}`,
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body,
    }).catch(() => undefined);
    const told: Told = {
      ...{ world, method, path, process: process.number, attempt, beginMs },
      endMs: performance.now(),
      ...(key !== undefined && { key }),
      ...(mark !== undefined && { mark }),
      ...(answer && { status: answer.status, ...seqOf(answer), body: jsonOf(answer) }),
    };
    this.calls.push(told);
    return told;
  }

  /** Makes a call with a key until it is answered. */
  async keyed(wanted: Wanted): Promise<Told | undefined> {
    const key = `key-${this.number()}`;
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; ) {
      const told = await this.call({ ...wanted, key }, attempt);
      if (told?.status !== undefined && told.status < 500) return told;
      // Only what was sent counts: its answer may be a stored one from then on.
      if (told) attempt += 1;
      else if (this.isOver) return undefined;
      await rest(AGAIN_AFTER_MS);
    }
    return undefined;
  }

  /** Calls the control surface of some process. */
  async control(method: string, path: string, body?: object): Promise<Answer | undefined> {
    const process = this.someProcess();
    if (!process?.ready) return undefined;
    return httpCall(process.ready.controlUrl + path, { method, body }).catch(() => undefined);
  }
}

const seqOf = ({ headers }: Answer) => {
  const seq = headers["x-sim-seq"];
  return seq === undefined ? {} : { seq: Number(seq) };
};

/** The JSON of an answer; nothing for another text. */
export const jsonOf = ({ text }: Answer) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Waits some wall milliseconds. */
export const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
