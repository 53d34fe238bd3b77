/** Set by `npm run campaign`, which makes every run of every property. */
export const isCampaign = process.env.CAMPAIGN === "1";

/** How many times to do what a campaign does `whole` times: a fifth of them, unless told. */
export const runsOf = (whole: number, usual = Math.ceil(whole / 5)): number =>
  isCampaign ? whole : usual;
