import { productionPrefixOf } from "../contract/core/production-credentials.ts";
import { refuse } from "../domain/core/refusal.ts";
import { credentialsOf } from "./basic-credentials.ts";

const credentialsIn = (authorization: string): readonly string[] => {
  const basic = credentialsOf(authorization);
  if (basic) return [basic.user, basic.secret];
  const [, credential = authorization] = /^[\w-]+ +(.*)$/s.exec(authorization) ?? [];
  return [credential.trim()];
};

/**
 * Refuses a caller whose user name, secret or token looks like one of production, before anything
 * is compared with it (spec/errors.md#production-credentials).
 * @param further beginnings beside the usual ones
 */
export const refuseProduction = (authorization: string, further: readonly string[]) => {
  if (authorization === "") return;
  for (const credential of credentialsIn(authorization)) {
    const prefix = productionPrefixOf(credential, further);
    if (prefix !== undefined) refuse("PRODUCTION_CREDENTIALS", { prefix });
  }
};
