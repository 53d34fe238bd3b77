import type { PlatformConfigRecord } from "../records/records.ts";
import { all, type View } from "./draft.ts";
import { assertInvariant } from "./invariant.ts";

/** The platform's configuration (spec/config.md#fields). */
export const platformConfig = (view: View): PlatformConfigRecord => {
  const [config] = all(view, "PlatformConfig");
  assertInvariant(config !== undefined, "an opened platform");
  return config;
};
