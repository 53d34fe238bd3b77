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

/** Members that printers read beside the address. Each stays what its type says. */
const MEMBERS = ["world", "now"];

/**
 * Makes every printer of values show a summary in the place of an object's own fields. Those of
 * test runners read enumerable properties, and some ask no method of the object first.
 */
export const showOnly = (it: object, summary: () => SimulatorSummary) => {
  for (const name of Object.keys(it)) Object.defineProperty(it, name, { enumerable: false });
  Object.defineProperty(it, "address", { enumerable: true, get: () => summary().address });
  for (const name of MEMBERS) showMember(it, name);
  const shown = (_depth: number, options: InspectOptions) =>
    `${it.constructor.name} ${inspect(summary(), options)}`;
  Object.defineProperty(it, inspect.custom, { value: shown });
};

/** Makes a member enumerable: a field as it is, a getter of the class by reading it. */
const showMember = (it: object, name: string) => {
  if (!(name in it)) return;
  const isField = Object.hasOwn(it, name);
  const read = { get: () => Reflect.get(Object.getPrototypeOf(it), name, it) };
  Object.defineProperty(it, name, { enumerable: true, ...(!isField && read) });
};
