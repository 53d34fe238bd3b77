import { closestTo } from "../../contract/core/closest.ts";
import {
  GENERATED_KINDS,
  GENERATED_STATES,
  type Generate,
  type GeneratedKind,
  MOST_GENERATED,
} from "../../contract/platform/generate.ts";
import { type CommandError, usageError } from "../frame/command.ts";

/** A command that generates records. */
export const GENERATE_EXAMPLE = "service-sim seed --generate customers=5000,quotes=20000";

const NEXT = [
  GENERATE_EXAMPLE,
  "service-sim seed --generate customers=50,quotes=200:COMPLETED=70,EXPIRED=20,FAILED=10",
] as const;

const PART = /^([A-Za-z]+)=([0-9]+)(?::([A-Za-z]+)=([0-9]+))?$/;
const MOST_WEIGHT = 1000;

const isKind = (name: string): name is GeneratedKind => Object.hasOwn(GENERATED_STATES, name);

const refusal = (expected: string, found: string): CommandError =>
  usageError(`Expected ${expected} in --generate but found "${found}"`, ...NEXT);

const unknown = (name: string, names: readonly string[]) => {
  const closest = closestTo(name, names);
  const hint = closest === undefined ? "" : `; the closest one is ${closest}`;
  return usageError(
    `Expected one of ${names.join(", ")} in --generate but found "${name}"${hint}`,
    ...NEXT,
  );
};

interface Amount {
  count: number;
  states?: Record<string, number>;
}

const weigh = (
  { kind, amount }: { kind: GeneratedKind; amount: Amount },
  name: string,
  weight: number,
) => {
  const state = name.toUpperCase();
  const states: readonly string[] = GENERATED_STATES[kind];
  if (!states.includes(state)) throw unknown(state, states);
  if (weight > MOST_WEIGHT) throw refusal(`a weight up to ${MOST_WEIGHT}`, `${name}=${weight}`);
  if (amount.states && Object.hasOwn(amount.states, state)) throw refusal("each state once", name);
  amount.states = { ...amount.states, [state]: weight };
};

/**
 * Reads `customers=5000,quotes=20000:COMPLETED=70,EXPIRED=20`: kinds are in lower case, the states
 * after a colon belong to the kind before it.
 * @throws CommandError that names what cannot be read
 */
export const generateOf = (text: string): Generate => {
  const wanted: Partial<Record<GeneratedKind, Amount>> = {};
  let last: { kind: GeneratedKind; amount: Amount } | undefined;
  for (const part of text.split(",").map((one) => one.trim())) {
    const [, name = "", number, state, weight] = PART.exec(part) ?? [];
    if (number === undefined) throw refusal("kind=count, or STATE=weight after a colon,", part);
    if (!isKind(name)) {
      if (!last?.amount.states) throw unknown(name, GENERATED_KINDS);
      weigh(last, name, Number(number));
      continue;
    }
    if (wanted[name]) throw refusal("each kind once", name);
    const count = Number(number);
    if (count > MOST_GENERATED[name])
      throw refusal(`at most ${MOST_GENERATED[name]} ${name}`, part);
    last = { kind: name, amount: { count } };
    wanted[name] = last.amount;
    if (state !== undefined) weigh(last, state, Number(weight));
  }
  for (const [kind, { states }] of Object.entries(wanted))
    if (states && Object.values(states).every((weight) => weight === 0))
      throw refusal(`a weight above 0 for ${kind}`, text);
  return wanted as Generate;
};
