import type { Engine } from "../../../src/runtime/engine.ts";
import { createSimulator, type LocalSimulator } from "../../../src/simulator.ts";
import { MACHINE, withBoundary } from "../../../src/worlds/boundary.ts";

/** Payments of one change: a change of all would be one line of the journal. */
const OF_A_CHANGE = 2_000;

const CAUSE = { cause: "test", by: "test" };

/** A simulator in this process with the engine of its default world. */
export interface FilledSimulator {
  sim: LocalSimulator;
  /** Adds payments like the newest one, each a quote of its own with another amount. */
  addPayments(count: number): void;
}

/** Starts a simulator that takes records without calls: a call for each would take minutes. */
export const startFilled = async (fixture: string): Promise<FilledSimulator> => {
  let engine: Engine | undefined;
  const watch = (world: { name: string; engine: Engine }) => {
    engine ??= world.engine;
  };
  const options = {
    seed: "test",
    clock: "manual" as const,
    now: "2026-01-05T09:00:00.000Z",
    fixture,
  };
  const sim = await createSimulator(withBoundary(options, { ...MACHINE, watch }));
  const add = (from: number, to: number) =>
    engine?.commit(
      (draft, _input: undefined, moment) => {
        const newest = draft.ids("Quote", "all", "").at(-1) ?? "";
        const quote = draft.get("Quote", newest);
        const payment = draft.get("Transaction", quote?.transactionId ?? "");
        if (!quote || payment?.type !== "OUTGOING") throw new Error("Expected a quote to copy");
        for (let at = from; at < to; at += 1) {
          const [id, transactionId] = [moment.newId("Quote"), moment.newId("Transaction")];
          const born = { createdAtMs: moment.atMs, updatedAtMs: moment.atMs };
          draft.put("Quote", {
            ...quote,
            ...born,
            id,
            transactionId,
            totalSendingMinor: 100_000 + at,
          });
          draft.put("Transaction", { ...payment, ...born, id: transactionId, quoteId: id });
        }
      },
      undefined,
      CAUSE,
    );
  return {
    sim,
    addPayments: (count) => {
      for (let made = 0; made < count; made += OF_A_CHANGE)
        add(made, Math.min(count, made + OF_A_CHANGE));
    },
  };
};
