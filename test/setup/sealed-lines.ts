import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

type Body = ReturnType<typeof JSON.parse>;

/** A line of a snapshot or a capsule: checksum, length, text. */
export const sealedLine = (json: string) =>
  `${crc32(json).toString(16).padStart(8, "0")} ${Buffer.byteLength(json)} ${json}\n`;

/** Bodies of the lines of a snapshot, without the one that ends it. */
export const bodiesOf = (file: string): Body[] =>
  file
    .split("\n")
    .slice(0, -2)
    .map((line) => JSON.parse(line.slice(line.indexOf("{"))));

/** A snapshot of texts, whose checksums, lengths and end are right. */
export const sealedTexts = (texts: readonly string[]): string => {
  const content = texts.map(sealedLine).join("");
  const end = { end: texts.length, sha256: hash("sha256", content, "hex") };
  return content + sealedLine(JSON.stringify(end));
};

/** A snapshot whose bodies were edited. */
export const edited = (file: string, edit: (bodies: Body[]) => Body[] | undefined): string => {
  const bodies = bodiesOf(file);
  const after = edit(bodies) ?? bodies;
  return sealedTexts(after.map((body) => JSON.stringify(body)));
};
