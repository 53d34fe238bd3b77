import type { Batch, StoreEngine, WorldRow } from "../../../../src/storage/engine/store-engine.ts";
import type { EngineCode } from "./engine-code.ts";

/** An act of the engine under way; the test says what becomes of it. */
export interface Call {
  act: "append" | "find" | "renew";
  batches: readonly Batch[];
  /** World or process that it is about. */
  about: string;
  /** Does the act in the engine, without an answer. */
  apply(): void;
  /** Does it, unless it is done, and answers. */
  answer(): void;
  /** Loses the answer. */
  lose(): void;
  /** Answers that it was not done. */
  refuse(code?: string): void;
}

interface Head {
  owner: string | undefined;
  fence: number;
  timeline: number;
  seq: number;
}

type Acts = Pick<StoreEngine, "append" | "find" | "renew" | "join" | "leave">;

/** An engine in which each act waits until the test decides about it. */
export class ScriptedEngine implements Acts {
  readonly heads = new Map<string, Head>();
  /** Batches that are in, in their order. */
  readonly log: Batch[] = [];
  /** Processes whose lease has ended. */
  readonly ended = new Set<string>();
  readonly left: string[] = [];
  /** Appends without a look at the expected `seq`, as an engine with a bug would. */
  ignoresSeq = false;
  /** All acts that were asked for. */
  readonly asked: string[] = [];
  private open: Call[] = [];
  private readonly code: EngineCode;

  constructor(code: EngineCode) {
    this.code = code;
  }

  append(owner: string, batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    const about = batches.map(({ name, first, last }) => `${name} ${first}-${last}`).join(", ");
    return this.call({ act: "append", about, batches }, () => {
      const written = batches.filter((batch) => this.fits(owner, batch));
      for (const batch of written) {
        this.log.push(batch);
        (this.heads.get(batch.name) as Head).seq = batch.last;
      }
      return new Set(written.map(({ name }) => name));
    });
  }

  find(name: string): Promise<WorldRow | undefined> {
    return this.call({ act: "find", about: name }, () => {
      const head = this.heads.get(name);
      return head && ({ name, order: 1, ...head } as WorldRow);
    });
  }

  renew(id: string): Promise<boolean> {
    return this.call({ act: "renew", about: id }, () => !this.ended.has(id));
  }

  async join() {}

  async leave(id: string) {
    this.left.push(id);
  }

  /** Gives a world to another process. */
  take(name: string, owner: string) {
    const head = this.heads.get(name) as Head;
    this.heads.set(name, { ...head, owner, fence: head.fence + 1 });
  }

  /** The only act under way. */
  only(act: Call["act"]): Call {
    const [call, ...others] = this.open;
    if (call?.act !== act || others.length > 0)
      throw new Error(`Expected one ${act} but found ${JSON.stringify(this.underWay())}`);
    return call;
  }

  /** The oldest of some acts under way. */
  oldest(act: Call["act"]): Call {
    return this.found(
      act,
      this.open.find((one) => one.act === act),
    );
  }

  /** The newest of some acts under way. */
  newest(act: Call["act"]): Call {
    return this.found(
      act,
      this.open.findLast((one) => one.act === act),
    );
  }

  private found(act: Call["act"], call: Call | undefined): Call {
    if (!call) throw new Error(`Expected ${act} but found ${JSON.stringify(this.underWay())}`);
    return call;
  }

  /** Refuses all acts under way, as an engine does that takes no writes. */
  refuseAll() {
    for (const call of [...this.open]) call.refuse();
  }

  /** Acts that were asked for and not answered. */
  underWay(): string[] {
    return this.open.map(({ act, about }) => `${act} ${about}`);
  }

  private fits(owner: string, { name, fence, timeline, first }: Batch) {
    const head = this.heads.get(name);
    if (head?.owner !== owner || head.fence !== fence) return false;
    if (head.timeline !== timeline) return false;
    return this.ignoresSeq || head.seq === first - 1;
  }

  private call<Answer>(
    { batches = [], ...what }: Pick<Call, "act" | "about"> & Partial<Pick<Call, "batches">>,
    act: () => Answer,
  ): Promise<Answer> {
    this.asked.push(`${what.act} ${what.about}`);
    return new Promise((resolve, reject) => {
      let done: { answer: Answer } | undefined;
      const over = () => {
        this.open = this.open.filter((one) => one !== call);
      };
      const fail = (why: string, how: { mayBeDone: boolean; code?: string }) => {
        over();
        reject(new this.code.StoreTrouble(why, how));
      };
      const call: Call = {
        ...what,
        batches,
        apply: () => {
          done ??= { answer: act() };
        },
        answer: () => {
          over();
          call.apply();
          resolve((done as { answer: Answer }).answer);
        },
        lose: () => fail("the connection to the store broke", { mayBeDone: true }),
        refuse: (code = "25006") =>
          fail(`the store takes no writes (PostgreSQL, ${code})`, { mayBeDone: false, code }),
      };
      this.open.push(call);
    });
  }
}
