import { type InspectOptions, inspect } from "node:util";

/** The summary that stands for a simulator in logs and failed assertions: no keys, no secrets. */
export interface SimulatorSummary {
  /** Its URL or `in this process`, and whether it is closed. */
  address: string;
  /** Name of the world. */
  world: string;
  /** Simulated instant and mode; a world over HTTP does not know it. */
  clock?: string;
}

/** Names of the properties that printers read: `clock` is a member of a simulator. */
const SHOWN = { address: "address", world: "world", clock: "now" } as const;

/**
 * Makes every printer of values show a summary in the place of an object's own fields. Those of
 * test runners read enumerable properties, and some ask no method of the object first.
 */
export const showOnly = (it: object, summary: () => SimulatorSummary) => {
  for (const name of Object.keys(it)) Object.defineProperty(it, name, { enumerable: false });
  for (const [part, name] of Object.entries(SHOWN) as [keyof SimulatorSummary, string][])
    if (summary()[part] !== undefined)
      Object.defineProperty(it, name, { enumerable: true, get: () => summary()[part] });
  const shown = (_depth: number, options: InspectOptions) =>
    `${it.constructor.name} ${inspect(summary(), options)}`;
  Object.defineProperty(it, inspect.custom, { value: shown });
};
