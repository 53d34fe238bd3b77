import type { CryptoMode } from "./contract/core/crypto-modes.ts";
import { jwksProblem, jwksSourceOf } from "./control/id-token-keys.ts";
import { cryptoMode } from "./domain/wallets/crypto-mode.ts";
import type { OpenWorld } from "./runtime/storage/open-world.ts";
import { OptionError, type SimulatorOptions } from "./simulator-options.ts";

/** The JWKS that tokens are verified with; none of them is read here. */
export const jwksSourcesOf = ({ oidcJwks = [] }: SimulatorOptions) =>
  [oidcJwks].flat().map(jwksSourceOf);

/**
 * Refuses JWKS that cannot be used in a crypto mode.
 * @throws OptionError
 */
export const requireJwks = (options: SimulatorOptions, mode: CryptoMode = "both") => {
  const problem = jwksProblem(jwksSourcesOf(options), options.crypto ?? mode);
  if (problem !== undefined) throw new OptionError(problem);
};

/**
 * Asks again for a state that goes on, which may be strict without an option that says so.
 * @throws OptionError; the world is closed then
 */
export const requireJwksOfState = async (options: SimulatorOptions, world: OpenWorld) => {
  if (world.isNew) return;
  try {
    requireJwks(options, cryptoMode(world.engine.state));
  } catch (error) {
    await world.close();
    throw error;
  }
};
