import type { AnsweringWorld } from "../../scripts/in-process-send.ts";
import { controlPath, type ScriptCall } from "../../scripts/script-call.ts";
import { approvalModeEndpoints } from "../core/approval-mode.ts";
import { codeHooks } from "../core/code-hooks.ts";
import { faultHooks } from "../core/fault-hooks.ts";
import { nextOutcomeHooks } from "../core/next-outcome-hooks.ts";
import { operatorEndpoints } from "../core/operator.ts";
import { rateLimitEndpoints } from "../core/rate-limit.ts";
import { troubleHooks } from "../core/trouble-hooks.ts";
import { providerEndpoints } from "./seed-provider.ts";

/** A simulator, as a client of both its surfaces needs it. */
export interface SeedTarget extends AnsweringWorld {
  readonly controlToken: string;
  close(): Promise<void>;
}

const isBelow = (path: string, prefix: string) => path.startsWith(`${prefix}/`);

const HOOKS = [
  ...operatorEndpoints,
  ...providerEndpoints,
  ...approvalModeEndpoints,
  ...faultHooks,
  ...nextOutcomeHooks,
  ...codeHooks,
  ...rateLimitEndpoints,
  ...troubleHooks,
];

/** Whether a call is one of the operator's hooks, which change records of the world alone. */
const isHook = ({ method }: ScriptCall, path: string) =>
  HOOKS.some((hook) => {
    const template = hook.path.split("/");
    const parts = path.split("/");
    const fits = (part: string, at: number) => part.startsWith("{") || part === parts[at];
    return hook.method === method && template.length === parts.length && template.every(fits);
  });

/**
 * Tests if a fixture may make a call: it stays within its surface, and below `/_sim` it is a hook.
 * Control operations that act on more than records, like reset, clock and seed, are none.
 */
export const isSeedable = (target: SeedTarget, call: ScriptCall): boolean => {
  const below = controlPath(call);
  const base = below === undefined ? target.apiUrl : target.controlUrl;
  const { pathname } = new URL(base + (below ?? call.path));
  const { pathname: basePath } = new URL(base);
  if (!isBelow(pathname, basePath)) return false;
  return below === undefined || isHook(call, pathname.slice(basePath.length));
};
