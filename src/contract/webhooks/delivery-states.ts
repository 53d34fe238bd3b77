/** States of the delivery of one event. */
export const DELIVERY_STATES = [
  "WAITING",
  "RETRYING",
  "ACCEPTED",
  "GIVEN_UP",
  "UNDELIVERABLE",
  "DROPPED",
  "FORKED",
] as const;
