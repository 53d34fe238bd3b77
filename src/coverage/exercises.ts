import { REVISIONS } from "../contract/core/revision-names.ts";
import { DEFAULT_SETTINGS } from "../domain/core/world-settings.ts";
import type { CoverageGroupName } from "./coverage-counts.ts";
import { coverageItems, statusOfCode } from "./coverage-items.ts";
import { errorExercise, statusExercise } from "./exercises/errors.ts";
import {
  APPROVAL_EXERCISES,
  DUPLICATE_EXERCISES,
  RETRY_EXERCISES,
  replayExercise,
  signedExercise,
  TIMER_EXERCISES,
  WEBHOOK_EXERCISES,
} from "./exercises/events.ts";
import { operationExercise } from "./exercises/operations.ts";
import { outcomeExercise } from "./exercises/outcomes.ts";
import type { Steps } from "./exercises/steps.ts";

/** The first code that is answered with a status. */
const codeOf = (status: number) =>
  coverageItems()
    .find(({ group }) => group === "errors")
    ?.items.find((code) => statusOfCode(code) === status);

const tableOf = (table: Readonly<Record<string, Steps>>) => (name: string) => table[name];

/** Finds the steps of an item, by group. */
const STEPS: Record<CoverageGroupName, (name: string) => Steps | undefined> = {
  operations: operationExercise,
  statuses: (name) => statusExercise(Number(name), codeOf),
  errors: (name) => errorExercise(name, statusOfCode(name) ?? 500),
  outcomes: outcomeExercise,
  webhooks: tableOf(WEBHOOK_EXERCISES),
  retries: tableOf(RETRY_EXERCISES),
  duplicates: tableOf(DUPLICATE_EXERCISES),
  timers: tableOf(TIMER_EXERCISES),
  replays: replayExercise,
  signedRetries: signedExercise,
  approvals: tableOf(APPROVAL_EXERCISES),
};

/** One item as a command names it: `outcomes.quotedPayment.003`. */
export interface ItemName {
  group: CoverageGroupName;
  name: string;
}

/** Text of an item on a command line, without spaces. */
export const itemText = ({ group, name }: ItemName) => `${group}.${name.replaceAll(" ", "-")}`;

/** The item that a text names, if there is one. */
export const itemNamed = (text: string): ItemName | undefined => {
  for (const { group, items } of REVISIONS.flatMap(coverageItems))
    if (text.startsWith(`${group}.`))
      for (const name of items) if (itemText({ group, name }) === text) return { group, name };
  return undefined;
};

/** The calls, clock steps and receivers that meet an item (spec/coverage.md#exercises). */
export const exerciseSteps = ({ group, name }: ItemName): Steps => STEPS[group](name) ?? [];

const MAX_LINE = 160;
const UMA_DOMAIN = "${sandbox.umaDomain}";

/** Facts of a platform that decide about the lines for it. */
export interface LinePlace {
  /** Domain of the sandbox's UMA addresses. */
  umaDomain: string;
  /** Whether calls find a configuration that they can work with. */
  isUsual: boolean;
}

/** A platform without start options. */
export const NEW_PLATFORM: LinePlace = {
  umaDomain: DEFAULT_SETTINGS.sandboxUmaDomains[0],
  isUsual: true,
};

/** A single call that needs nothing before it, as a line; undefined for any other steps. */
const lineOf = (steps: Steps, { umaDomain, isUsual }: LinePlace): string | undefined => {
  const [step, ...others] = steps;
  if (!step || !("request" in step) || others.length > 0) return undefined;
  const { method, path, body, headers, file } = step.request;
  if (file || headers || (!isUsual && method !== "GET")) return undefined;
  const words = [method, path, ...(body ? [JSON.stringify(body)] : [])];
  const line = words.join(" ").replaceAll(UMA_DOMAIN, umaDomain);
  const isWhole = line.length <= MAX_LINE && !line.includes("${");
  return isWhole && !path.startsWith("/_sim") ? line : undefined;
};

/** Quotes a word for a shell where it needs that. */
const shellWord = (word: string) => (/^[\w.:-]+$/.test(word) ? word : `'${word}'`);

/** One line that meets an item: a call, or a command. */
export const exerciseLine = (item: ItemName, place: LinePlace): string =>
  lineOf(exerciseSteps(item), place) ??
  `service-sim coverage --exercise ${shellWord(itemText(item))}`;
