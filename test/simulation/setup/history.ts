import { crc32 } from "node:zlib";
import { turn } from "../../runtime/setup/turns.ts";
import { Breach, must } from "./breach.ts";
import { type Call, isExpected, meet, type Parsed, parsed, type UnderWay } from "./call.ts";
import { type Chance, chanceOf } from "./chance.ts";
import type { Counts } from "./counts.ts";
import { checkEngine } from "./engine-checks.ts";
import type { Turning } from "./going-back.ts";
import { expectedAlarm, fileOf, optionsOf } from "./history-options.ts";
import { keepAnswer } from "./kept-answers.ts";
import { Lives } from "./lives.ts";
import { checkModel, foundIn } from "./model-checks.ts";
import type { Product } from "./product.ts";
import { Receivers } from "./receivers.ts";
import { contentsOf, Replica } from "./replica.ts";
import { type CrashMode, SimulatedDisk } from "./simulated-disk.ts";
import { SimulatedHost } from "./simulated-host.ts";
import { SimulatedProcess, type WatchedWorld } from "./simulated-process.ts";
import { type Swarm, swarmOf } from "./swarm.ts";
import { rememberPoint, type Tracked, trackedFrom } from "./tracked-world.ts";
import { WatchedChanges } from "./watched-changes.ts";
import { emptyModel, type Seen, type WorldModel } from "./world-model.ts";

/** Turns after which whatever waits for nothing outside has ended. */
const MAX_TURNS = 20_000;

/** Everything that a history is, for the steps that move it. */
export class History {
  readonly chance: Chance;
  readonly swarm: Swarm;
  readonly disk = new SimulatedDisk();
  readonly host: SimulatedHost;
  readonly receivers = new Receivers();
  readonly tracked = new Map<string, Tracked>();
  readonly counts: Counts;
  readonly seed: number;
  underWay: UnderWay[] = [];
  /** Calls that a crash cut off: with a key they are sent again. */
  cutOff: Call[] = [];
  process: SimulatedProcess | undefined;
  /** A call that takes a world elsewhere, while it is not answered. */
  turning: Turning | undefined;
  /** Models of worlds that are being made or removed. */
  readonly forks = new Map<string, WorldModel>();
  life = 0;
  /** Checksum of all answers so far: the same seed gives the same. */
  trace = 0;
  keys = 0;
  /** Names of worlds that were ever made. */
  names = 0;
  /** The first rule that was found broken in the middle of a turn. */
  private broken: Error | undefined;
  /** Names of the keys that an issuer of tokens shows; nothing when it does not answer. */
  keySet: readonly string[] | undefined = ["key-a"];
  readonly product: Product;
  private readonly replicas = new Map<WatchedWorld, Replica>();
  readonly lives = new Lives();
  private readonly alarms: string[] = [];
  private hasCrashed = false;
  readonly changes: WatchedChanges;

  constructor(product: Product, seed: number, counts: Counts) {
    this.product = product;
    this.seed = seed;
    this.counts = counts;
    this.chance = chanceOf(seed);
    this.swarm = swarmOf(this.chance);
    this.changes = new WatchedChanges(this.swarm.open);
    this.host = new SimulatedHost(this.chance);
    this.disk.struck = (what, call, path) => {
      const name = what === "crash" ? `crash at ${call} of ${fileOf(path)}` : `disk ${what}`;
      counts.strike(name, this.callsUnderWay());
    };
  }

  private callsUnderWay(): Call[] {
    return this.underWay.filter(({ answer }) => !answer).map(({ call }) => call);
  }

  world(name: string): WatchedWorld {
    const world = this.process?.world(name);
    if (!world) throw new Breach(`the world ${name} is gone`);
    return world;
  }

  replicaOf(name: string, process?: SimulatedProcess): Replica {
    const world = process ? process.world(name) : this.world(name);
    return this.replicas.get(world as WatchedWorld) as Replica;
  }

  of(name: string): Tracked {
    return this.tracked.get(name) as Tracked;
  }

  /** Starts a process on the disk; a start may be cut off too. */
  async open() {
    for (let tries = 0; ; tries += 1) {
      this.life += 1;
      const process = this.begin();
      let failure: unknown;
      let isOver = false;
      const fail = (error: unknown) => {
        failure = error;
      };
      void process
        .open()
        .catch(fail)
        .finally(() => {
          isOver = true;
        });
      await this.turnUntil(() => isOver || this.disk.isKilled, "a start");
      if (this.disk.isKilled || (failure && this.disk.faultsMet > 0 && tries < 3)) {
        this.counts.note("starts cut off");
        this.endLife("kill");
        await this.end("kill");
        continue;
      }
      if (failure) throw failure;
      this.process = process;
      return;
    }
  }

  /** Ends the process without warning. */
  async crash(mode: CrashMode) {
    this.counts.note(mode === "kill" ? "kills" : "power cuts");
    this.hasCrashed = true;
    const cut = this.callsUnderWay();
    if (!this.disk.isKilled) this.counts.strike(`crash between writes`, cut);
    this.cutOff.push(...cut);
    this.underWay = [];
    this.process = undefined;
    this.endLife(mode);
    await this.end(mode);
  }

  /** Lets things happen until something holds. */
  async turnUntil(holds: () => boolean, what: string) {
    for (let turns = 0; !holds(); turns += 1) {
      must(turns < MAX_TURNS, () => `${what} does not end`);
      if (this.host.isQuiet) this.moveOn();
      await this.host.turn();
      if (this.broken) throw this.broken;
    }
  }

  /** Sends a call; its answer comes in a later turn. */
  send(call: Call): UnderWay {
    const model = this.tracked.get(call.world)?.model;
    const one: UnderWay = { call, beside: [...this.cutOff], ...(model && { model }) };
    meet(one, this.underWay);
    this.underWay.push(one);
    this.counts.call(call);
    const process = this.process as SimulatedProcess;
    process.fetch(call).then(
      (seen) => this.guarded(() => this.answered(one, seen, process)),
      (error: Error) => this.guarded(() => this.lost(one, error, process)),
    );
    return one;
  }

  /** Waits for the answers to all calls under way. */
  async settle() {
    await this.turnUntil(
      () => this.disk.isKilled || this.underWay.length === 0,
      `the answer to ${this.underWay.map(({ call }) => call.operation).join(", ")}`,
    );
  }

  /** Sends a call and waits for its answer. */
  async ask(call: Call): Promise<Parsed> {
    const text = await this.askText(call);
    return text === undefined ? undefined : parsed(text);
  }

  /** The answer to a call; nothing when the process was killed meanwhile. */
  async answerTo(call: Call): Promise<UnderWay["answer"]> {
    const one = this.send(call);
    await this.turnUntil(() => this.disk.isKilled || one.answer !== undefined, call.operation);
    return one.answer;
  }

  /** The text of a success; nothing for any other answer. */
  async askText(call: Call): Promise<string | undefined> {
    const answer = await this.answerTo(call);
    return answer && "text" in answer && answer.status < 300 ? answer.text : undefined;
  }

  /** Has something come from outside when nothing continues: an answer of a receiver, or time. */
  moveOn() {
    const { receivers, chance, host } = this;
    if (receivers.underWay.length > 0) receivers.end(chance.pick(receivers.underWay));
    else host.wall.pass(chance.pick([10, 300, 1_100]));
  }

  /** Lets everything happen that waits for nothing from outside. */
  async letBe() {
    // What was just answered continues in promises first.
    await turn();
    await this.turnUntil(() => this.host.isQuiet || this.disk.isKilled, "the work of a step");
  }

  /** Lets time pass until storage takes changes again. */
  async writable() {
    const isWaiting = () =>
      [...this.tracked.keys()].some((name) => {
        const { engine } = this.world(name);
        return engine.readOnlyBecause !== undefined && !engine.stopped;
      });
    for (let tries = 0; isWaiting(); tries += 1) {
      must(tries < 100, () => "storage works again, and a world takes no changes");
      this.host.wall.pass(1_000);
      await this.letBe();
    }
  }

  /** Whether a world waits for a restart. */
  hasStopped() {
    return [...this.tracked.keys()].some((name) => this.world(name).engine.stopped !== undefined);
  }

  /** A process that is looked at alone: its alarms break no rule. */
  beginTrial(onAlarm: (message: string) => void): SimulatedProcess {
    this.life += 1;
    return this.begin(onAlarm);
  }

  async endTrial() {
    await this.end("kill");
    this.changes.broken.length = 0;
  }

  /** Ends the process for good. */
  async abandon() {
    this.process = undefined;
    await this.end("kill");
  }

  /** Takes a world on, as a client knows it. */
  track(name: string, model: WorldModel = emptyModel()) {
    this.tracked.set(name, trackedFrom(model, contentsOf(this.world(name).engine.state)));
  }

  /** Takes on a world that a cut-off call has made. */
  adopt(name: string, model: WorldModel) {
    this.tracked.set(name, trackedFrom(model, new Map()));
  }

  /** Takes the beginning of adopted worlds from the first look at them. */
  trackAdopted() {
    for (const [name, tracked] of this.tracked)
      if (tracked.startContents.size === 0)
        tracked.startContents = this.replicaOf(name).born.contents;
  }

  /** Compares worlds with what is known of them. */
  check() {
    if (this.disk.isKilled || !this.process) return;
    must(this.changes.broken.length === 0, () => this.changes.broken.join("; "));
    must(this.alarms.length === 0, () => `alarm: ${this.alarms.join("; ")}`);
    for (const [name, tracked] of this.tracked) {
      const world = this.process.world(name);
      if (!world || world.engine.stopped) continue;
      checkEngine(world, this.product.DELIVERY_BOUNDS);
      const isKnown = this.underWay.length === 0 && this.cutOff.length === 0;
      if (isKnown && !this.isFaulty(name)) this.checkWorld(tracked, world);
    }
  }

  private endLife(mode: CrashMode) {
    const byName = new Map([...this.replicas].map(([world, replica]) => [world.name, replica]));
    this.lives.end(mode, byName, this.receivers.heard);
  }

  /** Whether every world takes changes, and storage works. */
  isHealthy() {
    const worlds = [...this.tracked.keys()].map((name) => this.world(name).engine);
    return !this.disk.isFaulty && worlds.every((engine) => engine.isWritable);
  }

  isFaulty(name: string) {
    return this.world(name).engine.readOnlyBecause !== undefined || this.disk.isFaulty;
  }

  private checkWorld(tracked: Tracked, world: WatchedWorld) {
    const { engine } = world;
    checkModel(tracked.model, engine);
    if (!this.swarm.goesBack) return;
    const nextAfter = (seq: number) => this.replicas.get(world)?.firstAfter(seq)?.at;
    rememberPoint(tracked, { state: engine.state, atMs: engine.clock.now(), nextAfter });
  }

  private begin(onAlarm = (message: string) => this.alarm(message)): SimulatedProcess {
    const { product, disk, host, chance, receivers, life, swarm } = this;
    return new SimulatedProcess({
      product,
      disk,
      host,
      chance,
      receivers,
      life,
      keys: () => this.keySet,
      options: optionsOf(swarm),
      onAlarm: (message) => {
        // Nobody reads what a killed process says.
        if (!disk.isKilled) onAlarm(message);
      },
      onWorld: (world) => this.watch(world),
    });
  }

  private watch(world: WatchedWorld) {
    this.compareReloaded(world);
    this.replicas.set(world, new Replica(world.engine));
    this.changes.watch(world);
  }

  /** A world that comes back to memory is as it was when it left. */
  private compareReloaded(world: WatchedWorld) {
    const last = [...this.replicas].findLast(([one]) => one.name === world.name)?.[1];
    const isUnloaded = last !== undefined && this.swarm.unloads && world.name !== "sandbox";
    if (!isUnloaded || !this.tracked.has(world.name) || this.turning?.world === world.name) return;
    this.counts.note("worlds loaded again");
    if (this.disk.faultsMet > 0) return;
    const difference = last.differenceFrom(world.engine.state);
    this.guarded(() =>
      must(difference === undefined, () => `${world.name} came back, and ${difference}`),
    );
  }

  private alarm(message: string) {
    const { faultsMet } = this.disk;
    const expected = expectedAlarm(message, { faultsMet, hasCrashed: this.hasCrashed });
    if (expected === undefined) this.alarms.push(message);
    else this.counts.note(expected);
  }

  private async end(mode: CrashMode) {
    this.disk.kill();
    this.host.kill();
    // What the process was about to do when it was killed finds no disk and no loop.
    await turn();
    this.host.kill();
    this.receivers.underWay.length = 0;
    this.replicas.clear();
    this.disk.restart(mode, this.chance);
  }

  /** Keeps what is thrown in the middle of a turn. */
  private guarded(work: () => void) {
    try {
      work();
    } catch (error) {
      this.broken ??= error as Error;
    }
  }

  private answered(one: UnderWay, seen: Seen, process: SimulatedProcess) {
    this.trace = crc32(seen.text, this.trace);
    // The client of a process that was killed meanwhile has no answer.
    if (this.process !== process || this.disk.isKilled) return;
    one.answer = seen;
    this.underWay = this.underWay.filter((other) => other !== one);
    const { call } = one;
    this.counts.answer(call, seen.status);
    const isDown = seen.status === 503 || (seen.status === 500 && this.disk.faultsMet > 0);
    must(
      isExpected(one, seen.status) || isDown,
      () => `${call.operation} of ${call.world} was answered ${seen.status}: ${seen.text}`,
    );
    if (isDown && this.disk.faultsMet === 0) this.counts.strike("switch: 503", [call]);
    if (isDown) return void this.cutOff.push(call);
    const model = this.tracked.get(call.world)?.model;
    if (!model) return;
    const atMs = this.world(call.world).engine.clock.now();
    if (call.key !== undefined && call.surface === "platform")
      keepAnswer(model, call, { ...seen, atMs });
    if (seen.status >= 300) return;
    // Its world went elsewhere meanwhile, before the call or after it.
    const isOvertaken = one.model !== model || this.turning?.world === call.world;
    if (isOvertaken && (call.done || call.look)) return void this.cutOff.push(call);
    const body = call.isStream || call.isText ? {} : parsed(seen.text);
    const objection = call.requires?.(body);
    // Work that continues by itself may wait for a disk that has failed.
    must(objection === undefined || this.disk.faultsMet > 0, () => objection ?? "");
    call.done?.(model, body);
    call.look?.(model, foundIn(this.world(call.world).engine, model));
  }

  private lost(one: UnderWay, error: Error, process: SimulatedProcess) {
    if (this.process !== process || this.disk.isKilled) return;
    one.answer = { lost: error.message };
    this.underWay = this.underWay.filter((other) => other !== one);
    this.counts.note("answers lost");
    this.counts.strike("switch: answer lost", [one.call]);
    this.cutOff.push(one.call);
  }
}
