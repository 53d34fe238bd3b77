import { FIRST_REVISION } from "../../contract/core/revision-names.ts";
import type { RevisionChange } from "../../contract/core/revisions.ts";
import type { InitialSettings, WorldSettings } from "../records/initial-settings.ts";
import type { PlatformConfigRecord } from "../records/records.ts";
import type { View } from "./draft.ts";
import { platformConfig } from "./platform-config.ts";
import { rowsIn } from "./revision.ts";

/** The settings of a world without start options. */
export const DEFAULT_SETTINGS = {
  cryptoMode: "both",
  walletCredential: "none",
  approvals: "ask",
  cardEvents: "lower",
  revision: FIRST_REVISION,
  endUserTerms: "off",
  codes: "fixed",
  webhookSignature: "base64",
  oidcIssuers: [],
  sandboxUmaDomains: ["sandbox.uma.test"],
  rateLimit: "none",
} as const satisfies Required<WorldSettings>;

/** Defaults that changes replaced by others. */
const LATER_DEFAULTS: readonly { since: RevisionChange; defaults: WorldSettings }[] = [
  { since: "walletsBornWithEmail", defaults: { walletCredential: "email" } },
  { since: "upperCardEvents", defaults: { cardEvents: "upper" } },
];

/**
 * The defaults of a world, which depend on its revision (spec/later-wallets.md#wallets-born-with-e-mail,
 * spec/later-cards.md#spelling).
 */
export const defaultSettings = ({
  revision = FIRST_REVISION,
}: WorldSettings): Required<WorldSettings> =>
  Object.assign(
    { ...DEFAULT_SETTINGS },
    ...rowsIn(revision, LATER_DEFAULTS).map(({ defaults }) => defaults),
  );

const NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof WorldSettings)[];

/** The settings contained in a platform's configuration. */
const settingsAmong = (config: PlatformConfigRecord): WorldSettings =>
  Object.fromEntries(
    NAMES.filter((name) => config[name] !== undefined).map((name) => [name, config[name]]),
  );

/** Every setting of a world with its effective value. */
export const settingsInForce = (view: View): Required<WorldSettings> => {
  const set = settingsAmong(platformConfig(view));
  return { ...defaultSettings(set), ...set };
};

/**
 * The values of all starts of a world. State of older versions has the settings only, since its
 * endpoint may come from an operation.
 */
export const openingOf = (config: PlatformConfigRecord): InitialSettings =>
  config.opening ?? { settings: settingsAmong(config) };
