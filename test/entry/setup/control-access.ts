import { CONTROL_ENDPOINTS, isOpenOperation } from "../../../src/control/control-surface.ts";
import { CALLERS, type Caller, filledIn, type Verdict } from "./callers.ts";
import type { Product } from "./product.ts";
import { eachOf, Wire } from "./wire.ts";

/** An operation of the control surface, reached by a caller at a place. */
export interface Access {
  operationId: string;
  method: string;
  path: string;
  caller: Caller;
  onLoopback: boolean;
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
const expected = (operation: Operation, caller: Caller, onLoopback: boolean): Verdict => {
  const { isWorldless = false } = operation;
  const isOpen = isOpenOperation(operation) && (isWorldless || !caller.isNaming);
  if (isOpen) return "enters";
  const verdict = onLoopback ? caller.onLoopback : caller.beyondLoopback;
  return verdict === "WORLD_NOT_FOUND" && isWorldless ? "enters" : verdict;
};

/** Each operation, also by its other path. */
const ROUTES = CONTROL_ENDPOINTS.flatMap((operation) =>
  [`/_sim${operation.path}`, ...(operation.alsoAt === undefined ? [] : [operation.alsoAt])].map(
    (path) => ({ operation, path: path.replace(/\{\w+\}/g, "x") }),
  ),
);

/** Every route, every caller, on loopback and beyond. */
export const ACCESSES: readonly Access[] = ROUTES.flatMap(({ operation, path }) =>
  CALLERS.flatMap((caller) =>
    [true, false].map((onLoopback) => ({
      operationId: operation.operationId,
      method: operation.method,
      path,
      caller,
      onLoopback,
      expects: expected(operation, caller, onLoopback),
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

const findingAt = (access: Access, answer: { status: number; text: string; headers: object }) => {
  const { operationId, method, path, caller, onLoopback, expects } = access;
  const code = codeIn(answer.text) ?? "";
  const isOfPath = operationId === "removeWorld" || operationId === "worldRecording";
  const isWorlds = code === "WORLD_NOT_FOUND" && caller.isNaming && !isOfPath;
  const isGuards = GUARD_CODES.has(code) || isWorlds;
  const found = isGuards ? code : "enters";
  const shared = Object.keys(answer.headers).filter((name) => name.startsWith("access-control"));
  const fits = found === expects && (found === "enters" || STATUS[found] === answer.status);
  if (fits && shared.length === 0 && answer.status !== 500) return [];
  const where = onLoopback ? "on loopback" : "beyond loopback";
  return [
    `${method} ${path} ${where}, ${caller.says}: ${expects} expected, ${found} found (${answer.status})`,
  ];
};

/** Serves a simulator while something is done with it. */
export const served = async <Done>(
  { createSimulator }: Pick<Product, "createSimulator">,
  onLoopback: boolean,
  work: (wire: Wire, values: Record<string, string>) => Promise<Done>,
): Promise<Done> => {
  // Beyond loopback is what the option says: the socket stays on this machine.
  const sim = await createSimulator({
    clock: "manual",
    allowHosts: ["sim.internal"],
    tunnel: !onLoopback,
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

/** Accesses that are let in or refused against the rule. */
export const wrongAccesses = async (
  product: Product,
  accesses: readonly Access[],
): Promise<string[]> => {
  const findings: string[] = [];
  for (const onLoopback of [true, false])
    await served(product, onLoopback, (wire, values) =>
      eachOf(
        accesses.filter((access) => access.onLoopback === onLoopback),
        async (access) => {
          const { method, path, caller } = access;
          const headers = filledIn(caller.headers, values);
          findings.push(...findingAt(access, await wire.call({ method, path, headers })));
        },
      ),
    );
  return findings;
};
