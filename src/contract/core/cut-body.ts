import { inGroups } from "./digit-groups.ts";

/**
 * Says that a body is cut where it is shown.
 * @param characters of the whole; nothing for a body that is not cut
 */
export const cutNote = (body: string, characters: number | undefined): string | undefined => {
  if (characters === undefined) return undefined;
  // The ellipsis at its end is not the body's.
  return `cut: the first ${inGroups(body.length - 1)} of ${inGroups(characters)} characters`;
};
