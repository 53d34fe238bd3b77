import { endpointAddress } from "../../../src/contract/core/endpoint-address.ts";
import { signingKey } from "../../../src/crypto/ecdsa.ts";
import { derivedKeyPem } from "../../../src/crypto/seeded-credentials.ts";
import type { Rule } from "../../../src/domain/core/draft.ts";
import { emit } from "../../../src/domain/core/events.ts";
import { platformConfig } from "../../../src/domain/core/platform-config.ts";
import { openPlatform } from "../../../src/domain/platform/platform.ts";
import type { DeliveryRecord, DeliveryState } from "../../../src/domain/records/records.ts";
import { isOpen } from "../../../src/domain/records/tables.ts";
import { DELIVERY_BOUNDS } from "../../../src/domain/webhooks/deliveries.ts";
import { Advance, type AdvanceReport } from "../../../src/runtime/advance.ts";
import type { Change } from "../../../src/runtime/change.ts";
import { Engine } from "../../../src/runtime/engine.ts";
import { WorldState } from "../../../src/runtime/world-state.ts";
import { ATTEMPT_LIMITS } from "../../../src/webhooks/attempt-limiter.ts";
import { Dispatcher } from "../../../src/webhooks/dispatcher.ts";
import { RecordingJournal, START_MS } from "../../runtime/setup/test-engine.ts";
import { turn } from "../../runtime/setup/turns.ts";
import { type Chance, chanceOf } from "./chance.ts";
import { type Mood, Receivers } from "./receivers.ts";
import { SimulatedWall } from "./simulated-wall.ts";

const key = signingKey(derivedKeyPem("test", "any"));
const ENDPOINT = "http://receiver.test/hooks";
const LANES = ["Transaction:a", "Transaction:b", "Transaction:c", "Transaction:d", "Transaction:e"];
const DAY_MS = 86_400_000;
const CAUSE = { cause: "history", by: "history" };
/** Turns after which all automatic work is done. */
const SETTLING_TURNS = 6;
/** Most steps an advance may take once every receiver answers. */
const MAX_LAST_STEPS = 200_000;

/** Raised when a history breaks a rule that all histories must keep. */
export class Breach extends Error {
  override readonly name = "Breach";
}

const emitIn: Rule<string, void> = (draft, id, moment) => {
  emit(draft, moment, { type: "OUTGOING_PAYMENT.COMPLETED", data: { id } });
};

const setEndpoint: Rule<string | undefined, void> = (draft, webhookEndpoint) => {
  const { webhookEndpoint: _before, ...config } = platformConfig(draft);
  draft.put("PlatformConfig", {
    ...config,
    ...(webhookEndpoint && { webhookEndpoint: endpointAddress(webhookEndpoint) }),
  });
};

/** Lowers the bounds so far that they are always reached. */
const tighten = () => {
  const before = [{ ...DELIVERY_BOUNDS }, { ...ATTEMPT_LIMITS }];
  Object.assign(DELIVERY_BOUNDS, { open: 24, ended: 3 });
  Object.assign(ATTEMPT_LIMITS, { perWorld: 2, slow: 2, retriesPerLane: 1, slowInAll: 4 });
  return () => {
    Object.assign(DELIVERY_BOUNDS, before[0]);
    Object.assign(ATTEMPT_LIMITS, before[1]);
  };
};

/**
 * One history of deliveries with the real engine, dispatcher and advance. Receivers fail, hang and
 * recover; now and then the simulator restarts. Only the history moves the clocks.
 */
class DeliveryHistory {
  private readonly chance: Chance;
  private readonly wall = new SimulatedWall();
  private readonly journal = new RecordingJournal();
  private readonly engine: Engine;
  private readonly receivers = new Receivers();
  private readonly dispatcher: Dispatcher;
  private readonly advances: Advance;
  private readonly asked: Promise<AdvanceReport>[] = [];
  private openAdvances = 0;
  private resends = 0;
  /** Last known state of every delivery, forgotten ones included. */
  private readonly known = new Map<string, DeliveryState>();
  private alarms: string[] = [];

  constructor(seed: number) {
    this.chance = chanceOf(seed);
    const clock = { mode: "manual", offsetMs: 0, instantMs: START_MS } as const;
    this.engine = new Engine({ wall: this.wall, journal: this.journal, clock });
    const { engine, wall } = this;
    engine.listeners.add({
      changed: (change) => this.note(change),
      alarm: (message) => this.alarms.push(message),
    });
    this.dispatcher = new Dispatcher({
      engine,
      wall,
      keys: () => ({ current: key, retired: [], form: "base64" }),
      onAttempt: (report) => this.advances.noteAttempt(report),
      send: this.receivers.send,
    });
    this.advances = new Advance(engine, this.dispatcher, wall);
    engine.join(this.dispatcher);
    const opening = { clientId: "sandbox", secretHash: "", webhookEndpoint: ENDPOINT };
    engine.open(
      (draft, _input, moment) => openPlatform(draft, opening, moment),
      { world: "sandbox", seed: String(seed), branch: 1 },
      clock,
    );
  }

  async run(steps: number) {
    for (let step = 0; step < steps; step += 1) {
      this.step();
      await this.settle();
      this.check();
    }
    await this.recover();
    this.engine.close();
  }

  private step() {
    const { chance, receivers } = this;
    const draw = chance.below(100);
    if (draw < 40) this.happen();
    else if (draw < 62) this.answerOne();
    else if (draw < 74) receivers.moods.set(chance.pick(LANES), this.drawMood());
    else if (draw < 84) this.ask(chance.pick([1, 1_000, 60_000, 3_600_000, DAY_MS]));
    else if (draw < 91) this.wall.pass(chance.pick([10, 1_000, 5_000, 30_000]));
    else if (draw < 94) this.resendAny();
    else if (draw < 97) this.toggleEndpoint();
    else this.restart();
  }

  private drawMood(): Mood {
    return this.chance.pick(["healthy", "failing", "hanging"]);
  }

  private happen() {
    const lane = this.chance.pick(LANES);
    for (let count = 1 + this.chance.below(4); count > 0; count -= 1)
      this.engine.commit(emitIn, lane, CAUSE);
  }

  private answerOne() {
    const { underWay } = this.receivers;
    if (underWay.length > 0) this.receivers.end(this.chance.pick(underWay));
  }

  private ask(byMs: number) {
    this.openAdvances += 1;
    const report = this.advances.to({ target: { byMs }, budgetMs: 10 * 60_000 });
    this.asked.push(report);
    void report.then(() => {
      this.openAdvances -= 1;
    });
  }

  private resendAny() {
    const ids = [...this.engine.state.ids("Delivery", "all", "")];
    if (ids.length === 0) return;
    this.resends += 1;
    void this.dispatcher.resend(this.chance.pick(ids));
  }

  private toggleEndpoint() {
    const isSet = platformConfig(this.engine.state).webhookEndpoint !== undefined;
    this.engine.commit(setEndpoint, isSet ? undefined : ENDPOINT, CAUSE);
  }

  /** Restarts from the journal, as after a kill; attempts under way are lost with the process. */
  private restart() {
    const state = new WorldState();
    for (const change of this.journal.changes()) state.apply(change);
    this.advances.abandon();
    this.receivers.underWay.length = 0;
    this.engine.load(state, this.journal);
  }

  private note({ put = [], emit: emitted = [] }: Change) {
    for (const { id, deliverable } of emitted)
      this.known.set(id, deliverable ? "WAITING" : "UNDELIVERABLE");
    for (const [kind, record] of put)
      if (kind === "Delivery") this.known.set(record.id, (record as DeliveryRecord).state);
  }

  /**
   * Checks that each lane has at most one first attempt under way, for its oldest waiting event.
   */
  private checkOrder() {
    const { state } = this.engine;
    for (const name of this.dispatcher.inFlight()) {
      const delivery = state.get("Delivery", name.split(" ")[0] ?? "");
      if (delivery?.state !== "WAITING") continue;
      const [head] = state.ids("Delivery", "byLane", delivery.lane);
      if (head !== delivery.id) throw new Breach(`${delivery.id} is sent before ${head}`);
    }
  }

  private async settle() {
    for (let turns = 0; turns < SETTLING_TURNS; turns += 1) await turn();
  }

  private check() {
    const stranded = this.dispatcher.stranded();
    if (stranded.length > 0) throw new Breach(`nothing would send ${stranded.join(", ")}`);
    this.checkOrder();
    if (this.alarms.length > 0) throw new Breach(this.alarms.join("; "));
    const { state } = this.engine;
    if (state.ids("Delivery", "byProgress", "open").length > DELIVERY_BOUNDS.open)
      throw new Breach("more deliveries are open than the bound allows");
    if (state.ids("Delivery", "byProgress", "ended").length > DELIVERY_BOUNDS.ended)
      throw new Breach("more ended deliveries are kept than the bound allows");
    const slowest =
      ATTEMPT_LIMITS.slowInAll + ATTEMPT_LIMITS.slow + ATTEMPT_LIMITS.perWorld + this.resends;
    if (this.receivers.underWay.length > slowest)
      throw new Breach("more attempts are under way than the room has");
  }

  /** Makes every receiver work: once the clock has moved, every event must have ended. */
  private async recover() {
    this.receivers.moods.clear();
    this.engine.commit(setEndpoint, ENDPOINT, CAUSE);
    await this.arrive();
    this.ask(8 * DAY_MS);
    await this.arrive();
    const last = await (this.asked.at(-1) as Promise<AdvanceReport>);
    this.check();
    const open = this.engine.state.ids("Delivery", "byProgress", "open").length;
    if (!last.complete) throw new Breach(`the last advance is not complete, ${open} are open`);
    if (open > 0) throw new Breach(`the last advance is complete, and ${open} are open`);
    for (const [id, state] of this.known) {
      if (isOpen({ state })) throw new Breach(`${id} is ${state} for ever`);
      const isTold = this.receivers.told.has(id);
      if (state === "ACCEPTED" && !isTold) throw new Breach(`${id} was accepted by nobody`);
    }
  }

  private async arrive() {
    for (let step = 0; this.openAdvances > 0 || this.receivers.underWay.length > 0; step += 1) {
      if (step > MAX_LAST_STEPS) throw new Breach("an advance does not arrive");
      for (const one of [...this.receivers.underWay]) this.receivers.end(one);
      await turn();
    }
    await this.settle();
  }
}

/**
 * Plays one history.
 * @throws Breach naming the broken rule
 */
export const playDeliveries = async (seed: number, steps = 60) => {
  const restore = tighten();
  try {
    await new DeliveryHistory(seed).run(steps);
  } catch (error) {
    if (error instanceof Breach) throw new Breach(`seed ${seed}: ${error.message}`);
    throw error;
  } finally {
    restore();
  }
};
