import type { Moment, Rule, View } from "../core/draft.ts";
import { platformConfig } from "../core/platform-config.ts";
import { settingsInForce } from "../core/world-settings.ts";

const [FIXED, RANDOM] = ["fixed", "random"] as const;

/** The choice of one-time codes in this world, without its salt (spec/inbox.md#code-choice). */
export const codeChoice = (view: View): string =>
  settingsInForce(view).codes.split(" ")[0] ?? FIXED;

/** Whether the magic code can be a right one: random codes are as in production. */
export const takesMagicCode = (view: View) => codeChoice(view) !== RANDOM;

/** The next one-time code: drawn from the seed, drawn beyond the seed, or the chosen one. */
export const nextCode = (
  view: View,
  { length, alphabet }: { length: number; alphabet: string },
  moment: Moment,
): string => {
  const [choice = FIXED, salt] = settingsInForce(view).codes.split(" ");
  // Every choice draws, so that later codes and ids do not depend on it.
  const drawn = moment.draw(salt === undefined ? "otp" : `otp ${salt}`, length, alphabet);
  return choice === FIXED || choice === RANDOM ? drawn : choice;
};

/** PUT /_sim/inbox/codes: counts for the codes that are sent from now on. */
export const setCodes: Rule<{ setting: string }, { codes: string }> = (draft, { setting }) => {
  draft.put("PlatformConfig", { ...platformConfig(draft), codes: setting });
  return { codes: codeChoice(draft) };
};
