import fc from "fast-check";
import { expect } from "vitest";
import { runsOf } from "../../../setup/campaign.ts";
import { Audit } from "./adversary-audit.ts";
import { Chance } from "./adversary-chance.ts";
import { COMMANDS } from "./adversary-commands.ts";
import { randomPolicy } from "./adversary-policies.ts";
import { publishedUsage } from "./adversary-policy.ts";
import { type AdversaryWorld, Arena, CUSTOMER_OF_AGENT } from "./adversary-world.ts";

/** Days before the end of a day, month or year, and an ordinary one. */
const STARTS = [
  "01-10T12:00:00.000Z",
  "01-31T23:55:00.000Z",
  "04-30T23:59:30.000Z",
  "08-30T10:00:00.000Z",
  "12-31T23:50:00.000Z",
] as const;

/** The plan of a run; its numbers choose policies, accounts and amounts. */
interface Plan {
  start: string;
  policies: number;
  steps: { command: string; number: number }[];
}

const numberOf = fc.noShrink(fc.nat());

const planOf: fc.Arbitrary<Plan> = fc.record({
  start: fc.constantFrom(...STARTS),
  policies: numberOf,
  steps: fc.array(
    fc.record({
      command: fc.oneof(
        ...COMMANDS.map(({ name, weight }) => ({ arbitrary: fc.constant(name), weight })),
      ),
      number: numberOf,
    }),
    { minLength: 8, maxLength: 16, size: "max" },
  ),
});

/** Counts of the ends of actions, which show that runs reach many outcomes. */
type Ends = Map<string, number>;

const count = (ends: Ends, end: string) => ends.set(end, (ends.get(end) ?? 0) + 1);

const checkActions = async (world: AdversaryWorld) => {
  const { actions, agents } = world.state;
  for (const [at, { id, isDeleted }] of agents.entries()) {
    if (isDeleted) continue;
    const { body } = await world.agents[at]!.call("GET", "/agents/me/actions?limit=100");
    const found = body.data.map((one: (typeof body)["data"][number]) =>
      [one.id, one.status, one.transaction !== undefined, one.agentId].join(" "),
    );
    const known = actions
      .filter(({ agent }) => agent === at)
      .map((one) => [one.id, one.status, one.hasTransaction, id].join(" "));
    expect(found.sort(), world.named("actions\n") + world.story.join("\n")).toEqual(known.sort());
  }
  for (const [customer, customerId] of world.customers.entries()) {
    const { body } = await world.sim.call(
      "GET",
      `/agents/approvals?customerId=${customerId}&limit=100`,
    );
    const found = body.data.map(({ id }: { id: string }) => id);
    const waiting = actions.filter(
      ({ status, agent }) => status === "PENDING_APPROVAL" && CUSTOMER_OF_AGENT[agent] === customer,
    );
    expect(found.sort(), world.story.join("\n")).toEqual(waiting.map(({ id }) => id).sort());
  }
};

/** Compares everything that can be read of agents, transactions and the ledger at the end. */
const checkEnd = async (world: AdversaryWorld) => {
  await world.advance(world.state.nowMs + 60_000);
  const { agents, nowMs } = world.state;
  const shown = await Promise.all(agents.map(({ id }) => world.sim.call("GET", `/agents/${id}`)));
  const problem = world.agentProblem(world.state, shown);
  if (problem) throw world.failure(problem);
  await checkActions(world);
  const audited = await Audit.of(world);
  for (const [at, { usage }] of audited.entries())
    expect(publishedUsage(usage, nowMs), world.story.join("\n")).toEqual(
      publishedUsage(agents[at]!.usage, nowMs),
    );
  expect(world.sim.alarms).toEqual([]);
};

const play = async (arena: Arena, { start, policies, steps }: Plan, ends: Ends) => {
  const world = await arena.world(start);
  const chance = new Chance(policies);
  for (const [agent, customer] of CUSTOMER_OF_AGENT.entries())
    await world.hire(agent, await randomPolicy(world, chance, customer));
  for (const { command, number } of steps) {
    await COMMANDS.find(({ name }) => name === command)?.run(world, new Chance(number));
    await world.advance(world.state.nowMs + 1);
  }
  await checkEnd(world);
  for (const { job, status } of world.state.actions) count(ends, `${job.type} ${status}`);
  for (const { answer } of world.facts)
    if (answer.status === 403) count(ends, `403 ${answer.body.reason}`);
};

/**
 * Environment of a longer campaign: `ADVERSARY_RUNS=20000 npx vitest run
 * test/api/agents/adversary`. A failure reports the seed and the path that repeat it.
 */
const { ADVERSARY_RUNS, ADVERSARY_SEED, ADVERSARY_PATH } = process.env;
const RUNS = Number(ADVERSARY_RUNS ?? runsOf(20_000, 60));
const SEED = Number(ADVERSARY_SEED ?? 20_260_105);

/** The parts of the runs, one per file, so that two workers share them. */
const PARTS = { a: 0, b: 1 } as const;

/** Plays half of the runs and counts their outcomes. */
export const attack = async (part: keyof typeof PARTS) => {
  const ends: Ends = new Map();
  const arena = new Arena();
  const runs = fc.asyncProperty(planOf, async (plan) => {
    try {
      await play(arena, plan, ends);
    } catch (error) {
      // The world of a broken run must not disturb the search for a shorter one.
      await arena.close();
      throw error;
    }
  });
  const found = await fc.check(runs, {
    seed: SEED + PARTS[part],
    numRuns: Math.ceil(RUNS / 2),
    ...(ADVERSARY_PATH !== undefined && { path: ADVERSARY_PATH, endOnFailure: true }),
  });
  await arena.close();
  if (!found.failed) return ends;
  const { numRuns, counterexamplePath, errorInstance } = found;
  const again = [
    `ADVERSARY_SEED=${SEED} ADVERSARY_PATH=${counterexamplePath}`,
    `npx vitest run test/api/agents/adversary-${part}.test.ts`,
  ].join(" ");
  const { message } = errorInstance as Error;
  throw new Error(`${message}\nRun ${numRuns} of the adversary failed. Again: ${again}\n`, {
    cause: errorInstance,
  });
};

const MINUTES_MS = 60_000;
/** Time limit, at about 60 ms of a shared processor for each run. */
export const PATIENCE_MS = Math.max(15 * MINUTES_MS, RUNS * 500);

/** True if there are too few runs to reach every outcome. */
const isShort = RUNS < 1000 || ADVERSARY_PATH !== undefined;

/** Outcomes that a full number of runs must reach. */
const ALL_ENDS = [
  ...["EXECUTE_QUOTE", "TRANSFER_IN", "TRANSFER_OUT"].flatMap((type) =>
    ["APPROVED", "FAILED", "PENDING_APPROVAL", "REJECTED"].map((status) => `${type} ${status}`),
  ),
  "403 AGENT_PAUSED",
  "403 PERMISSION_DENIED",
  "403 ACCOUNT_NOT_ALLOWED",
  "403 PER_TRANSACTION_LIMIT_EXCEEDED",
  "403 DAILY_TRANSACTION_LIMIT_EXCEEDED",
  "403 DAILY_LIMIT_EXCEEDED",
  "403 MONTHLY_LIMIT_EXCEEDED",
];

export const ENDS = isShort ? [] : ALL_ENDS;
