import { must } from "./breach.ts";
import { type Call, keyedAnswer } from "./call.ts";
import type { Seen, WorldModel } from "./world-model.ts";

/** Time for which a key has its answer, simulated (spec/idempotency.md#retention). */
const KEPT_MS = 86_400_000;

/** Requires that two keys have made two things. */
const requireOwn = (call: Call, seen: Seen, { keyed }: WorldModel) => {
  if (seen.status !== 201 && seen.status !== 200) return;
  const same = keyed.find(
    ({ text, operation }) => text === seen.text && operation === call.operation,
  );
  must(
    !same,
    () => `${call.key} and ${same?.key} of ${call.operation} have one answer ${seen.text}`,
  );
};

/** Keeps the first answer of a key, and compares later ones with it. */
export const keepAnswer = (model: WorldModel, call: Call, seen: Seen & { atMs: number }) => {
  const { as = "", key, path } = call;
  const { atMs, status, text } = seen;
  // Who calls is asked before the key is, and no answer to that is kept.
  if (status === 401 || text.includes('"WORLD_CONFLICT"')) return;
  const first = model.keyed.find((one) => one.key === key && one.path === path && one.as === as);
  if (!first) {
    requireOwn(call, seen, model);
    model.keyed.push(keyedAnswer(call, { status, text }, { as, atMs }));
    return;
  }
  if (atMs >= first.atMs + KEPT_MS) return;
  must(
    first.status === status && first.text === text,
    () => `the key ${key} of ${call.operation} answered ${first.text} and then ${text}`,
  );
};
