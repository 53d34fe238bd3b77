const CHECKSUM_LENGTH = 16;

/** Loads node:crypto at the first checksum: help, which seldom needs one, is printed before. */
const checksumOf = (members: object) =>
  process
    .getBuiltinModule("node:crypto")
    .hash("sha256", JSON.stringify(members), "hex")
    .slice(0, CHECKSUM_LENGTH);

/** Adds a checksum over all members, for small files that other programs read as JSON too. */
export const withChecksum = <Members extends object>(
  members: Members,
): Members & { checksum: string } => ({ ...members, checksum: checksumOf(members) });

/**
 * Parses JSON that may have such a checksum; files of earlier versions have none.
 * @returns nothing unless it is an object whose checksum, if any, matches
 */
export const checkedMembers = <Members extends object>(text: string): Members | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    const { checksum, ...members } = parsed as { checksum?: string };
    const isWhole = checksum === undefined || checksum === checksumOf(members);
    return isWhole ? (members as Members) : undefined;
  } catch {
    return undefined;
  }
};
