import { CONTROL_ENDPOINTS, isOpenOperation } from "../../../src/control/control-surface.ts";
import { CALLERS, type Caller, filledIn, LINK, type Verdict } from "./callers.ts";
import type { Product } from "./product.ts";
import { eachOf, Wire } from "./wire.ts";

/** An operation of the control surface, reached by a caller at a place. */
export interface Door {
  operationId: string;
  method: string;
  path: string;
  caller: Caller;
  isNear: boolean;
  expects: Verdict;
}

const GUARD_CODES: ReadonlySet<string> = new Set([
  "HOST_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "CONTROL_TOKEN_NEEDED",
]);

const STATUS: Readonly<Record<string, number>> = {
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  CONTROL_TOKEN_NEEDED: 401,
  WORLD_NOT_FOUND: 404,
};

type Operation = (typeof CONTROL_ENDPOINTS)[number];

/** The rule of spec/worlds.md#choice and decisions/host-guard.md, written out once more. */
const expected = (operation: Operation, caller: Caller, isNear: boolean): Verdict => {
  const { operationId, isWorldless = false } = operation;
  const isOpen = isOpenOperation(operation) && (isWorldless || !caller.isNaming);
  if (isOpen) return "enters";
  const verdict = isNear ? caller.near : caller.far;
  if (caller === LINK && operationId === "docs") return isNear ? "enters" : "CONTROL_TOKEN_NEEDED";
  return verdict === "WORLD_NOT_FOUND" && isWorldless ? "enters" : verdict;
};

/** Each operation, also by its other path. */
const ROUTES = CONTROL_ENDPOINTS.flatMap((operation) =>
  [`/_sim${operation.path}`, ...(operation.alsoAt === undefined ? [] : [operation.alsoAt])].map(
    (path) => ({ operation, path: path.replace(/\{\w+\}/g, "x") }),
  ),
);

/** Every route, every caller, near and far. */
export const DOORS: readonly Door[] = ROUTES.flatMap(({ operation, path }) =>
  CALLERS.flatMap((caller) =>
    [true, false].map((isNear) => ({
      operationId: operation.operationId,
      method: operation.method,
      path,
      caller,
      isNear,
      expects: expected(operation, caller, isNear),
    })),
  ),
);

export const ROUTE_COUNT = ROUTES.length;

const codeIn = (text: string): string | undefined => {
  try {
    return JSON.parse(text).error?.code;
  } catch {
    return undefined;
  }
};

const findingAt = (door: Door, answer: { status: number; text: string; headers: object }) => {
  const { operationId, method, path, caller, isNear, expects } = door;
  const code = codeIn(answer.text) ?? "";
  const isWorlds = code === "WORLD_NOT_FOUND" && caller.isNaming && operationId !== "removeWorld";
  const isGuards = GUARD_CODES.has(code) || isWorlds;
  const found = isGuards ? code : "enters";
  const shared = Object.keys(answer.headers).filter((name) => name.startsWith("access-control"));
  const fits = found === expects && (found === "enters" || STATUS[found] === answer.status);
  if (fits && shared.length === 0 && answer.status !== 500) return [];
  const where = isNear ? "on loopback" : "beyond loopback";
  return [
    `${method} ${path} ${where}, ${caller.says}: ${expects} expected, ${found} found (${answer.status})`,
  ];
};

/** Serves a simulator while something is done with it. */
export const served = async <Done>(
  { createSimulator }: Pick<Product, "createSimulator">,
  isNear: boolean,
  work: (wire: Wire, values: Record<string, string>) => Promise<Done>,
): Promise<Done> => {
  // Beyond loopback is what the option says: the socket stays on this machine.
  const sim = await createSimulator({
    clock: "manual",
    allowHosts: ["sim.internal"],
    tunnel: !isNear,
    onAlarm: () => {},
  });
  const { port } = await sim.listen({ host: "127.0.0.1", port: 0 });
  const wire = new Wire(port);
  const values = {
    PORT: `${port}`,
    TOKEN: sim.controlToken,
    OTHER: sim.controlToken.replace(/./g, (one) => (one === "a" ? "b" : "a")),
    PLATFORM: btoa(`${sim.clientId}:${sim.clientSecret}`),
    SECRET: sim.clientSecret,
  };
  try {
    return await work(wire, values);
  } finally {
    wire.close();
    await sim.close();
  }
};

/** Doors that open or stay shut against the rule. */
export const wrongDoors = async (product: Product, doors: readonly Door[]): Promise<string[]> => {
  const findings: string[] = [];
  for (const isNear of [true, false])
    await served(product, isNear, (wire, values) =>
      eachOf(
        doors.filter((door) => door.isNear === isNear),
        async (door) => {
          const { method, path, caller } = door;
          const headers = filledIn(caller.headers, values);
          findings.push(...findingAt(door, await wire.call({ method, path, headers })));
        },
      ),
    );
  return findings;
};
