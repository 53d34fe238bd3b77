import {
  createSimulator,
  type LocalSimulator,
  type SimulatorOptions,
} from "../../../src/simulator.ts";
import type { Parsed, TestSimulator } from "../../setup/test-simulator.ts";
import { basic } from "../../setup/tokens.ts";
import type { PostgresServer } from "../../storage/setup/postgres-server.ts";

export interface Got {
  status: number;
  headers: Headers;
  body: Parsed;
}

/** A request without its place; a body that is no form is sent as JSON. */
export interface Asked {
  method?: string;
  body?: object | FormData;
  headers?: Record<string, string>;
}

/** The time after which the worlds of a process that is gone are free. */
export const LEASE_MS = 10_000;

/** A simulator that shares its store with others, and calls over its own port. */
export class SharedProcess {
  readonly sim: LocalSimulator;
  readonly url: string;
  readonly alarms: readonly string[];

  private constructor(sim: LocalSimulator, url: string, alarms: readonly string[]) {
    this.sim = sim;
    this.url = url;
    this.alarms = alarms;
  }

  static async open(storage: string, options: SimulatorOptions = {}): Promise<SharedProcess> {
    const alarms: string[] = [];
    const sim = await createSimulator({
      storage,
      peer: "127.0.0.1:0",
      leaseMs: LEASE_MS,
      worlds: "open",
      clock: "manual",
      onAlarm: (message) => alarms.push(message),
      ...options,
    });
    const { url } = await sim.listen();
    return new SharedProcess(sim, url, alarms);
  }

  /** Sends a request to any path of its port. */
  async send(path: string, { method = "GET", body, headers }: Asked = {}): Promise<Got> {
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(isJson && { "content-type": "application/json" }), ...headers },
      ...(body && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    const isParsed = /^application\/(problem\+)?json/.test(type) && text !== "";
    const parsed: Parsed = isParsed ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: parsed };
  }

  get base(): string {
    return new URL(this.sim.apiUrl).pathname;
  }

  /** Calls the platform, with the start's credentials in a world unless headers name others. */
  call(world: string | undefined, path: string, { headers, ...asked }: Asked = {}): Promise<Got> {
    const { clientId, clientSecret } = this.sim;
    const user = world === undefined ? clientId : `${clientId}+${world}`;
    const authorization = basic(user, clientSecret);
    return this.send(this.base + path, { ...asked, headers: { authorization, ...headers } });
  }

  /** Calls the control surface, about a world or the default one. */
  control(world: string | undefined, path: string, asked: Asked = {}): Promise<Got> {
    const query = world === undefined ? "" : `${path.includes("?") ? "&" : "?"}world=${world}`;
    return this.send(`/_sim${path}${query}`, asked);
  }

  /** Id of this process in the store. */
  async id(): Promise<string> {
    return (await this.send("/_sim/cluster")).body.process;
  }
}

/** Makes a customer of a world, known by its own id of the platform. */
export const makeCustomer = async (
  process: SharedProcess,
  world: string | undefined,
  platformCustomerId: string,
): Promise<string> => {
  const body = { customerType: "INDIVIDUAL", platformCustomerId };
  const made = await process.call(world, "/customers", { method: "POST", body });
  if (made.status !== 201) throw new Error(`Expected a customer but found ${made.status}`);
  return made.body.id;
};

/** Own ids of the customers in the answer to a list. */
export const customersIn = ({ body }: Got): string[] =>
  body.data.map((one: { platformCustomerId: string }) => one.platformCustomerId);

export const customersOf = async (process: SharedProcess, world: string | undefined) =>
  customersIn(await process.call(world, "/customers"));

/** A world as tests of one simulator call it, through one process. */
export const asTestSimulator = (process: SharedProcess, world: string): TestSimulator => {
  const asked = (method: string, body?: object): Asked => ({ method, ...(body && { body }) });
  const calls = {
    sim: process.sim,
    call: (method: string, path: string, body?: object) =>
      process.call(world, path, asked(method, body)),
    control: (method: string, path: string, body?: object) =>
      process.control(world, path, asked(method, body)),
  };
  return calls as unknown as TestSimulator;
};

/** A feed as its bytes come. */
export class FeedReader {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private read = "";

  private constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.reader = reader;
  }

  static async open(url: string): Promise<FeedReader> {
    const { body } = await fetch(url);
    return new FeedReader((body as ReadableStream<Uint8Array>).getReader());
  }

  /** Reads until it has told a text. */
  async until(text: string): Promise<void> {
    while (!this.read.includes(text)) {
      const { done, value } = await this.reader.read();
      if (done) throw new Error(`The feed ended before ${text}: ${this.read}`);
      this.read += Buffer.from(value).toString();
    }
  }

  close(): Promise<void> {
    return this.reader.cancel();
  }
}

/** Id of the process that owns a world, as the store has it. */
export const ownerOf = async (server: PostgresServer, storage: string, world: string) => {
  const text = `select owner from service_sim.world where name = '${world}'`;
  return (await server.run(text, storage.split("/").at(-1)))[0]?.owner;
};
