/** Set by `npm run campaign`, which makes every run of every property. */
export const isCampaign = process.env.CAMPAIGN === "1";

/** Runs of a property: `whole` in a campaign, otherwise `usual`, by default a fifth. */
export const runsOf = (whole: number, usual = Math.ceil(whole / 5)): number =>
  isCampaign ? whole : usual;
