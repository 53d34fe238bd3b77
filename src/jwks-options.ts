import type { CryptoMode } from "./contract/core/crypto-modes.ts";
import { type JwksSource, jwksProblem, jwksSourceOf } from "./control/id-token-keys.ts";
import { cryptoMode } from "./domain/wallets/crypto-mode.ts";
import type { OpenWorld } from "./runtime/storage/open-world.ts";
import { OptionError, type SimulatorOptions } from "./simulator-options.ts";

/** The JWKS sources of a start, in their parsed form; none is loaded here. */
export const jwksSourcesOf = ({ oidcJwks = [] }: SimulatorOptions) =>
  [oidcJwks].flat().map(jwksSourceOf);

/**
 * Refuses JWKS that a crypto mode cannot use (spec/id-tokens.md#jwks-option).
 * @throws OptionError
 */
export const requireJwks = (sources: readonly JwksSource[], mode: CryptoMode = "both") => {
  const problem = jwksProblem(sources, mode);
  if (problem !== undefined) throw new OptionError(problem);
};

/**
 * Checks the JWKS again for an existing state, whose crypto mode may be strict without an option.
 * @throws OptionError; the world is closed then
 */
export const requireJwksOfState = async (
  sources: readonly JwksSource[],
  { crypto }: SimulatorOptions,
  world: OpenWorld,
) => {
  if (world.isNew) return;
  try {
    requireJwks(sources, crypto ?? cryptoMode(world.engine.state));
  } catch (error) {
    await world.close();
    throw error;
  }
};
