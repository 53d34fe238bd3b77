import type { Reading, Rule } from "../../../src/domain/core/draft.ts";
import { openPlatform } from "../../../src/domain/platform/platform.ts";
import { momentAt } from "../../../src/runtime/ids.ts";
import { WorldDraft } from "../../../src/runtime/world-draft.ts";
import { WorldState } from "../../../src/runtime/world-state.ts";

export const START_MS = Date.parse("2026-01-05T09:00:00.000Z");

/** An opened platform for rules alone, without HTTP, clock and journal. */
export class RuleWorld {
  readonly state = new WorldState();
  atMs = START_MS;

  constructor() {
    this.run(openPlatform, { clientId: "client", secretHash: "" });
  }

  /** Runs a rule and applies its change to the world; a refusal changes nothing. */
  run<Input, Reply>(rule: Rule<Input, Reply>, input: Input): Reply {
    const { seed, branch, counter, seq } = this.state;
    const draft = new WorldDraft(this.state);
    const moment = momentAt(this.atMs, { seed, branch, counter });
    const reply = rule(draft, input, moment);
    const change = { v: 5, seq: seq + 1, at: this.atMs, cause: "test", by: "test" };
    this.state.apply({ ...change, ...draft.close(), n: moment.counter() });
    return reply;
  }

  read<Input, Reply>(reading: Reading<Input, Reply>, input: Input): Reply {
    const { seed, branch, counter } = this.state;
    return reading(this.state, input, momentAt(this.atMs, { seed, branch, counter }));
  }
}
