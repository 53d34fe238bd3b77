/** A positive decimal of at most 12 digits on either side, or a fraction of whole numbers. */
const RATE_TEXT =
  /^(?!0+(\.0+)?$)[0-9]{1,12}(\.[0-9]{1,12})?$|^[1-9][0-9]{0,11}\/[1-9][0-9]{0,11}$/;

/** Tells whether a text is a rate (spec/exchange-rates.md#operator-rates). */
export const isRateText = (text: string) => RATE_TEXT.test(text);
