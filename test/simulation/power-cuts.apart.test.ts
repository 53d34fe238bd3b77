import { expect, test } from "vitest";
import { chanceOf } from "./setup/chance.ts";
import { loadProduct, type Product } from "./setup/product.ts";
import { Receivers } from "./setup/receivers.ts";
import { type CrashMode, SimulatedDisk } from "./setup/simulated-disk.ts";
import { SimulatedHost } from "./setup/simulated-host.ts";
import { SimulatedProcess } from "./setup/simulated-process.ts";

/** A power cut after which nothing is there but what was synced; names stay. */
const WORST = { ...chanceOf(1), below: () => 0 };

const START_OPTIONS = {
  storage: "file:/simulated/state",
  fsync: true,
  seed: "cut",
  clock: "manual",
  now: "2026-01-05T09:00:00.000Z",
} as const;

const createCustomer = {
  surface: "platform",
  world: "sandbox",
  operation: "createCustomer",
  method: "POST",
  path: "/customers",
  body: { customerType: "INDIVIDUAL" },
  expects: [201],
} as const;

const listCustomers = { ...createCustomer, method: "GET", body: undefined } as const;

/** A simulator on a disk in memory, which starts again after each crash. */
class CrashingSimulator {
  readonly disk = new SimulatedDisk();
  private readonly host = new SimulatedHost(chanceOf(1));
  private readonly product: Product;
  private process: SimulatedProcess | undefined;
  private life = 0;

  constructor(product: Product) {
    this.product = product;
  }

  async start() {
    this.life += 1;
    const { product, disk, host, life } = this;
    this.process = new SimulatedProcess({
      product,
      disk,
      host,
      life,
      chance: chanceOf(life),
      receivers: new Receivers(),
      options: START_OPTIONS,
      keys: () => [],
      onAlarm: () => {},
      onWorld: () => {},
    });
    await this.done(this.process.open());
  }

  async crash(mode: CrashMode) {
    this.disk.kill();
    this.host.kill();
    await this.host.turn();
    this.host.kill();
    this.disk.restart(mode, WORST);
  }

  /** Begins a call; it is under way until turns pass. */
  send(call: typeof createCustomer | typeof listCustomers) {
    return (this.process as SimulatedProcess).fetch(call);
  }

  async ask(call: typeof createCustomer | typeof listCustomers) {
    const { status, text } = await this.done(this.send(call));
    return { status, body: JSON.parse(text) };
  }

  /** Lets turns pass until something written has not been synced. */
  async untilWritten(bytes: number) {
    while (this.journalBytes() <= bytes) await this.host.turn();
  }

  /** Size of the newest segment. */
  journalBytes() {
    const folder = this.disk.find("/simulated/state/worlds/sandbox/line-0/journal");
    if (folder?.kind !== "folder") return 0;
    const segments = [...folder.entries.keys()].filter((name) => /^[0-9]/.test(name));
    const newest = folder.entries.get(segments.sort().at(-1) ?? "");
    return newest?.kind === "file" ? newest.size : 0;
  }

  private async done<Done>(promise: Promise<Done>): Promise<Done> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    promise.then(end, end);
    while (!isOver) await this.host.turn();
    return promise;
  }
}

test("after a power cut a start finds the lock of the last one and all that was answered", async () => {
  const simulator = new CrashingSimulator(await loadProduct());
  await simulator.start();
  const { body: customer } = await simulator.ask(createCustomer);
  await simulator.crash("power");
  await simulator.start();
  const { body } = await simulator.ask(listCustomers);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([customer.id]);
});

test("what a kill left in the page cache survives a power cut, as what came after it counts on it", async () => {
  const simulator = new CrashingSimulator(await loadProduct());
  await simulator.start();
  void simulator.send(createCustomer);
  await simulator.untilWritten(simulator.journalBytes());
  await simulator.crash("kill");
  await simulator.start();
  expect((await simulator.ask(createCustomer)).status).toBe(201);
  await simulator.crash("power");
  await simulator.start();
  const { body } = await simulator.ask(listCustomers);
  expect(body.data).toHaveLength(2);
});
