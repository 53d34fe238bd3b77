import { type InspectOptions, inspect } from "node:util";

/** The summary that stands for a simulator in logs and failed assertions: no keys, no secrets. */
export interface SimulatorSummary {
  /** Its URL or `in this process`, and whether it is closed. */
  address: string;
  /** Name of the world. */
  world: string;
  /** Simulated instant and mode. */
  clock: string;
}

const SHOWN = ["address", "world", "clock"] as const;

/**
 * Makes every printer of values show a summary in the place of an object's own fields. Those of
 * test runners read enumerable properties, and some ask no method of the object first.
 */
export const showOnly = (it: object, summary: () => SimulatorSummary) => {
  for (const name of Object.keys(it)) Object.defineProperty(it, name, { enumerable: false });
  for (const name of SHOWN)
    Object.defineProperty(it, name, { enumerable: true, get: () => summary()[name] });
  const shown = (_depth: number, options: InspectOptions) =>
    `${it.constructor.name} ${inspect(summary(), options)}`;
  Object.defineProperty(it, inspect.custom, { value: shown });
};
