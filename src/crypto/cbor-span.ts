const MAJOR = { bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;

/** Number of items that follow an item's head, by its major type and argument. */
const itemsWithin = (major: number, argument: number) => {
  if (major === MAJOR.array) return argument;
  if (major === MAJOR.map) return 2 * argument;
  return major === MAJOR.tag ? 1 : 0;
};

const bigEndian = (bytes: Uint8Array) => bytes.reduce((value, byte) => value * 256 + byte, 0);

/**
 * Finds the end of the CBOR item that starts here (RFC 8949, section 3). Decoders stop there
 * silently, whatever follows, and some accept an item that is cut short.
 * @returns an offset; nothing for an item that is cut short or has no announced length
 */
export const endOfItem = (bytes: Uint8Array, start = 0): number | undefined => {
  const head = bytes[start];
  if (head === undefined) return undefined;
  const major = head >> 5;
  const info = head & 0x1f;
  if (info > 27) return undefined;
  const size = info < 24 ? 0 : 2 ** (info - 24);
  const argument = size === 0 ? info : bigEndian(bytes.subarray(start + 1, start + 1 + size));
  let end: number | undefined = start + 1 + size;
  if (major === MAJOR.bytes || major === MAJOR.text) end += argument;
  for (let left = itemsWithin(major, argument); left > 0 && end !== undefined; left -= 1)
    end = endOfItem(bytes, end);
  return end !== undefined && end <= bytes.length ? end : undefined;
};
