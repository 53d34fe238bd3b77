/** Troubles that the world's own webhooks may have (spec/webhooks.md#troubles). */
export const TROUBLES = {
  hold: { did: "held", what: "held until it is released" },
  duplicate: { did: "duplicated", what: "sent again once it is accepted: same id, same bytes" },
  reorder: { did: "reordered", what: "sent in the opposite order" },
  delay: { did: "delayed", what: "sent later on the simulated clock" },
  drop: { did: "dropped", what: "never sent" },
} as const;

export type Trouble = keyof typeof TROUBLES;

export const TROUBLE_NAMES = Object.keys(TROUBLES) as [Trouble, ...Trouble[]];
