import { type Brand, brandOf } from "../../contract/core/brand-words.ts";
import type { BrandSetting } from "../records/platform-records.ts";
import type { View } from "./draft.ts";

const settingIn = (view: View): BrandSetting | undefined => {
  const [id] = view.ids("PlatformConfig", "all", "");
  return id === undefined ? undefined : view.get("PlatformConfig", id)?.brand;
};

/** The brand of a world; nothing where it has none, or is not open yet (spec/brand.md). */
export const brandIn = (view: View): Brand | undefined => {
  const setting = settingIn(view);
  return setting && brandOf(setting.word);
};

/** Further paths that the brand of a world mounts the API at, each with its version. */
export const brandPathsIn = (view: View): [string, string][] =>
  Object.entries(settingIn(view)?.paths ?? {});
