/** Latest instant of a clock and of a stamp: the end of the years with four digits. */
export const LATEST_INSTANT_MS = Date.parse("9999-12-31T23:59:59.999Z");
