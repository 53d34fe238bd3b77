/** Set by `npm run campaign`, which makes every run of every property. */
export const isCampaign = process.env.CAMPAIGN === "1";

/** Runs of a property: `whole` in a campaign, otherwise `usual`, by default a tenth. */
export const runsOf = (whole: number, usual = Math.ceil(whole / 10)): number =>
  isCampaign ? whole : usual;

/** The whole number in a variable of the environment; undefined where it is not set. */
export const numberGiven = (variable: string): number | undefined => {
  const text = process.env[variable];
  if (text === undefined) return undefined;
  if (/^[0-9]+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Error(`Expected ${variable} to be a whole number but found "${text}"`);
};
