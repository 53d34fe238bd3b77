import { type Brand, OWN } from "../contract/core/brand-words.ts";
import type { WholeReply } from "../http/message/reply.ts";

/** Headers of a request without the brand of its world: a capsule never carries one. */
export const canonicalHeaders = (
  { headers }: { headers: Iterable<[string, string]> },
  brand: Brand = OWN,
): readonly [string, string][] =>
  [...headers].map(([name, value]): [string, string] => [brand.inward(name), value]);

/** Bytes of a body without it. Each byte is one character meanwhile: a body need not be text. */
export const canonicalBytes = (bytes: Buffer, brand: Brand | undefined): Buffer =>
  brand ? Buffer.from(brand.inward(bytes.toString("latin1")), "latin1") : bytes;

/** The text of a reply without it. */
export const canonicalText = ({
  text,
  brand,
}: Pick<WholeReply, "text" | "brand">): string | undefined =>
  text === undefined ? undefined : (brand?.inward(text) ?? text);
