import { inGroups } from "./digit-groups.ts";

/** Bytes of a receiver's answer that are kept of one attempt. */
export const REPLY_BYTES = 2_048;

/**
 * Says that a receiver's answer is cut where it is shown.
 * @param cut.reply bytes of the whole, as far as they were read
 */
export const cutReplyNote = (cut: { reply: number } | undefined): string | undefined =>
  cut && `cut: the first ${inGroups(REPLY_BYTES)} of ${inGroups(cut.reply)} bytes that were read`;

/**
 * Says that a body is cut where it is shown.
 * @param characters of the whole; nothing for a body that is not cut
 */
export const cutNote = (body: string, characters: number | undefined): string | undefined => {
  if (characters === undefined) return undefined;
  // The ellipsis at its end is not the body's.
  return `cut: the first ${inGroups(body.length - 1)} of ${inGroups(characters)} characters`;
};
