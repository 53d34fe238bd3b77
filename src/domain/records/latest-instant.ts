/** Latest instant of a clock and of a stamp: the end of the years with four digits. */
export const LATEST_INSTANT_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Latest instant that a clock goes to, so that what expires later has a date of four digits too. */
export const LATEST_NOW_MS = Date.parse("9999-01-01T00:00:00Z");
