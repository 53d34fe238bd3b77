import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf } from "../../setup/campaign.ts";
import {
  type Choice,
  DELETION,
  PAYMENT_COMMANDS,
  type PaymentCommand,
} from "../setup/payment-commands.ts";
import { checkEnds, checkSequence } from "../setup/sequence-checks.ts";
import { SequenceWorld } from "../setup/sequence-world.ts";
import { UMA_COMMANDS } from "../setup/uma-commands.ts";

/** Further kinds of payment add their commands here. */
const COMMANDS: PaymentCommand[] = [...PAYMENT_COMMANDS, ...UMA_COMMANDS, DELETION];

/**
 * A longer campaign: `PAYMENT_SEQUENCES=500 PAYMENT_SEED=1 npx vitest run <this file>`. It also
 * shrinks a failing sequence, which takes time.
 */
const { PAYMENT_SEQUENCES, PAYMENT_SEED } = process.env;
const RUNS = Number(PAYMENT_SEQUENCES ?? runsOf(500, 6));
const SEED = Number(PAYMENT_SEED ?? 20_260_105);
const MINUTES_MS = 60_000;

/** A command, and the numbers by which it chooses. */
interface Step {
  command: string;
  numbers: number[];
}

const stepOf: fc.Arbitrary<Step> = fc.record({
  command: fc.oneof(
    ...COMMANDS.map((command) => ({
      arbitrary: fc.constant(command.name),
      weight: Math.round(command.weight * 10),
    })),
  ),
  numbers: fc.array(fc.nat({ max: 1000 }), { minLength: 16, maxLength: 16 }),
});

const choiceOf = (numbers: readonly number[]): Choice => {
  let at = 0;
  const next = () => numbers[at++ % numbers.length] ?? 0;
  const maybe = <T>(items: readonly T[]) => items[next() % Math.max(1, items.length)];
  return { maybe, one: (items) => maybe(items) as (typeof items)[number] };
};

const shown = (steps: readonly Step[]) =>
  steps.map(({ command, numbers }) => `${command} ${numbers.join(",")}`).join("\n");

const run = (world: SequenceWorld, { command, numbers }: Step) =>
  COMMANDS.find(({ name }) => name === command)?.run(world, choiceOf(numbers));

const play = async (steps: readonly Step[]) => {
  const world = await new SequenceWorld().open();
  try {
    for (const [at, step] of steps.entries())
      try {
        await run(world, step);
        await checkSequence(world);
      } catch (error) {
        throw new Error(`${(error as Error).message}\nafter:\n${shown(steps.slice(0, at + 1))}`, {
          cause: error,
        });
      }
    return await checkEnds(world);
  } finally {
    await world.close();
  }
};

test(
  "after any sequence of commands the books balance and the events match the payments",
  async () => {
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(stepOf, { minLength: 15, maxLength: 45, size: "max" }),
        async (steps) => {
          for (const { type, status, refund, destination } of await play(steps)) {
            const domain = destination.umaAddress?.replace(/.*@/, " at ") ?? "";
            ends.add(`${type} ${status} ${refund?.status ?? ""}`.trim() + domain);
          }
        },
      ),
      { seed: SEED, numRuns: RUNS, endOnFailure: PAYMENT_SEQUENCES === undefined },
    );
    // The runs must have covered these ends.
    expect([...ends].sort()).toEqual(
      expect.arrayContaining([
        "INCOMING COMPLETED",
        "INCOMING COMPLETED at pay.sandbox.test",
        "INCOMING FAILED",
        "INCOMING FAILED at pay.sandbox.test",
        "INCOMING REFUNDED at pay.sandbox.test",
        "INCOMING REJECTED at pay.sandbox.test",
        "OUTGOING COMPLETED",
        "OUTGOING COMPLETED COMPLETED",
        "OUTGOING COMPLETED at pay.sandbox.test",
        "OUTGOING COMPLETED at sandbox.uma.test",
        "OUTGOING EXPIRED",
        "OUTGOING FAILED",
        "OUTGOING FAILED COMPLETED",
        "OUTGOING FAILED COMPLETED at sandbox.uma.test",
      ]),
    );
  },
  60 * MINUTES_MS,
);
