import fc from "fast-check";
import { expect } from "vitest";
import { KINDS } from "../../../../src/domain/records/tables.ts";
import type { Change } from "../../../../src/runtime/change.ts";
import type { Engine } from "../../../../src/runtime/engine.ts";
import type { WorldState } from "../../../../src/runtime/world-state.ts";
import { WalletClient } from "../../../api/wallets/setup/wallet-client.ts";
import { imageOf } from "../../../runtime/setup/random-world.ts";
import { createPayer, mxnAccount, type Payer, quoteInput } from "../../../setup/platform.ts";
import { startTestSimulator, type TestSimulator } from "../../../setup/test-simulator.ts";
import { engineOf } from "../../../setup/world-copy.ts";

/** One step of a random history. */
export type Step =
  | { do: "pay"; suffix: string }
  | { do: "link"; key: number }
  | { do: "token" }
  | { do: "sign-in" }
  | { do: "advance"; seconds: number }
  | { do: "seed" }
  | { do: "rewind"; back: number };

export const stepOf: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("pay" as const), suffix: fc.constantFrom("003", "005", "999") }),
  fc.record({ do: fc.constant("link" as const), key: fc.nat(3) }),
  fc.record({ do: fc.constant("token" as const) }),
  fc.record({ do: fc.constant("sign-in" as const) }),
  fc.record({ do: fc.constant("advance" as const), seconds: fc.constantFrom(1, 20, 400) }),
  fc.record({ do: fc.constant("seed" as const) }),
  fc.record({ do: fc.constant("rewind" as const), back: fc.integer({ min: 1, max: 30 }) }),
);

/** The whole world, but for what a rewind gives it again. */
const contentOf = (state: WorldState) => {
  const { meta, ...content } = imageOf(state);
  const { branch: _branch, clock: _clock, ...kept } = meta;
  return JSON.stringify({ ...content, kept }, (_key, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
};

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Follows a world: its content after each change, and the ids that it has given out. */
class Watched {
  readonly engine: Engine;
  private readonly contents = new Map<number, string>();
  private readonly given = new Map<string, string>();
  private before = new Set<string>();
  /** Points at which each request that changed the world began, the oldest first. */
  points: { cause: string; seq: number }[] = [];
  /** Ids that were given out again. */
  readonly twice: string[] = [];
  private outside = 0;
  private isInGroup = false;
  private lines = 0;

  constructor(engine: Engine) {
    this.engine = engine;
    this.note();
    engine.listeners.add({
      loaded: () => {
        this.lines += 1;
      },
      changing: () => {
        this.before = new Set(KINDS.flatMap((kind) => [...engine.state.ids(kind, "all", "")]));
      },
      changed: (change) => this.take(change),
    });
  }

  expectAt(seq: number) {
    expect(this.engine.state.seq).toBe(seq);
    expect(contentOf(this.engine.state)).toBe(this.contents.get(seq));
    this.points = this.points.filter((point) => point.seq < seq);
  }

  private take(change: Change) {
    const ids = [
      ...(change.put ?? []).map(([, { id }]) => id),
      ...(change.emit ?? []).map(({ id }) => id),
    ];
    for (const id of new Set(ids)) {
      if (!UUID.test(id) || id.includes(" ") || this.before.has(id)) continue;
      const where = `${this.lines} ${change.seq}`;
      const first = this.given.get(id);
      if (first !== undefined && first !== where) this.twice.push(id);
      this.given.set(id, where);
    }
    if (!this.isInGroup) this.outside = change.seq - 1;
    this.isInGroup = change.upTo !== undefined && change.upTo > change.seq;
    const { cause } = change;
    if (cause.startsWith("req-") && !this.points.some((point) => point.cause === cause))
      this.points.push({ cause, seq: this.outside });
    if (!this.isInGroup) this.note();
  }

  private note() {
    this.contents.set(this.engine.state.seq, contentOf(this.engine.state));
  }
}

const CUSTOMER = { method: "POST", path: "/customers", body: { customerType: "INDIVIDUAL" } };

/** A group of changes at two instants. */
const SEED = {
  name: "two",
  steps: [{ request: CUSTOMER }, { advance: "1s" }, { request: CUSTOMER }],
};

const pay = async (
  world: TestSimulator,
  payer: Payer,
  { suffix, n }: { suffix: string; n: number },
) => {
  const { body: payee } = await world.call("POST", "/customers/external-accounts", {
    customerId: payer.customerId,
    currency: "MXN",
    accountInfo: mxnAccount(suffix, `64618011040${String(n).padStart(4, "0")}`),
  });
  const { accountId } = payer;
  const { body } = await world.call("POST", "/quotes", quoteInput(accountId, payee.id, 100));
  await world.call("POST", `/quotes/${body.id}/execute`);
};

const linkWith = (world: TestSimulator, { customerId }: Payer, key: number) =>
  world.raw("POST", `/customers/${customerId}/kyc-link`, {
    headers: { "idempotency-key": `key-${key}`, "content-type": "application/json" },
    body: "{}",
  });

/** A session of a wallet. */
const signIn = async (world: TestSimulator, n: number) => {
  const wallet = await WalletClient.create(world);
  await wallet.signIn(await wallet.addEmail(`owner-${n}@example.com`));
};

/** Runs a history; every rewind in it must give the content noted at the point it goes to. */
export const runHistory = async (steps: readonly Step[]) => {
  const world = await startTestSimulator();
  try {
    const watched = new Watched(engineOf(world.sim));
    let payer = await createPayer(world);
    for (const [n, step] of steps.entries()) {
      if (step.do === "pay") await pay(world, payer, { suffix: step.suffix, n });
      else if (step.do === "link") await linkWith(world, payer, step.key);
      else if (step.do === "token")
        await world.call("POST", "/tokens", { name: "t", permissions: ["VIEW"] });
      else if (step.do === "sign-in") await signIn(world, n);
      else if (step.do === "advance") await world.sim.advance(`${step.seconds}s`);
      else if (step.do === "seed")
        expect((await world.control("POST", "/seed", { fixture: SEED })).status).toBe(200);
      else {
        await goBack(world, watched, step.back);
        // The payer may be undone too.
        payer = await createPayer(world);
      }
      expect(watched.twice).toEqual([]);
    }
    expect(world.alarms).toEqual([]);
  } finally {
    await world.sim.close();
  }
};

const goBack = async (world: TestSimulator, watched: Watched, back: number) => {
  const points = watched.points;
  const point = points[Math.max(0, points.length - back)];
  if (!point) return;
  const { status, body } = await world.control("POST", "/clock/rewind", { before: point.cause });
  if (status !== 200) throw new Error(`Expected a rewind but found ${JSON.stringify(body)}`);
  watched.expectAt(point.seq);
  expect(new Date(watched.engine.clock.now()).toISOString()).toBe(body.to);
};
