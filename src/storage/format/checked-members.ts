const CRC_DIGITS = 8;
const CRC_POLYNOMIAL = 0xedb88320;

/** CRC-32 (ISO 3309). By hand, since every command needs one and node:zlib takes milliseconds. */
const crc32 = (text: string): number => {
  let crc = ~0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? CRC_POLYNOMIAL : 0);
  }
  return ~crc >>> 0;
};

const checksumOf = (members: object) =>
  crc32(JSON.stringify(members)).toString(16).padStart(CRC_DIGITS, "0");

const SHA_DIGITS = 16;

/** The checksum of files of earlier versions. It loads node:crypto, which takes milliseconds. */
const earlierChecksumOf = (members: object) =>
  process
    .getBuiltinModule("node:crypto")
    .hash("sha256", JSON.stringify(members), "hex")
    .slice(0, SHA_DIGITS);

const fits = (checksum: string | undefined, members: object) =>
  checksum === undefined ||
  checksum === (checksum.length === SHA_DIGITS ? earlierChecksumOf : checksumOf)(members);

/** Adds a checksum over all members, for small files that other programs read as JSON too. */
export const withChecksum = <Members extends object>(
  members: Members,
): Members & { checksum: string } => ({ ...members, checksum: checksumOf(members) });

/**
 * Parses JSON that may have such a checksum, or that of an earlier version, or none.
 * @returns nothing unless it is an object whose checksum, if any, matches
 */
export const checkedMembers = <Members extends object>(text: string): Members | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
    const { checksum, ...members } = parsed as { checksum?: string };
    return fits(checksum, members) ? (members as Members) : undefined;
  } catch {
    return undefined;
  }
};
