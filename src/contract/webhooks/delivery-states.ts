/** States of the delivery of one event. */
export const DELIVERY_STATES = [
  "WAITING",
  "HELD",
  "RETRYING",
  "ACCEPTED",
  "GIVEN_UP",
  "UNDELIVERABLE",
  "DROPPED",
  "FORKED",
] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
