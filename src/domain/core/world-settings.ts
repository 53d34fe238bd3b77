import type { Opening, PlatformConfigRecord, WorldSettings } from "../records/records.ts";
import type { View } from "./draft.ts";
import { platformConfig } from "./platform-config.ts";

/** The settings of a world of which no start has said anything. */
export const DEFAULT_SETTINGS = {
  cryptoMode: "both",
  walletCredential: "none",
  approvals: "ask",
  cardEvents: "lower",
  webhookSignature: "base64",
  oidcIssuers: [],
  sandboxUmaDomains: ["sandbox.uma.test"],
} as const satisfies Required<WorldSettings>;

const NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof WorldSettings)[];

/** The settings among the members of a platform's configuration. */
const settingsAmong = (config: PlatformConfigRecord): WorldSettings =>
  Object.fromEntries(
    NAMES.filter((name) => config[name] !== undefined).map((name) => [name, config[name]]),
  );

/** Every setting of a world as it is in force. */
export const settingsInForce = (view: View): Required<WorldSettings> => ({
  ...DEFAULT_SETTINGS,
  ...settingsAmong(platformConfig(view)),
});

/**
 * Everything that the starts of a world have said. State from before that was kept tells its
 * settings alone: an endpoint may be one that an operation has set.
 */
export const openingOf = (config: PlatformConfigRecord): Opening =>
  config.opening ?? { settings: settingsAmong(config) };
