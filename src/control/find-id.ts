import type { View } from "../domain/draft.ts";
import type { Kind } from "../domain/records.ts";
import { refuse } from "../domain/refusal.ts";

/** Kinds whose ids people see. */
const SHOWN_KINDS: readonly Kind[] = [
  "Quote",
  "Transaction",
  "Customer",
  "InternalAccount",
  "ExternalAccount",
  "Delivery",
  "ApiToken",
  "PlatformConfig",
];

/** `Quote:…8e4b17`, `…8e4b17` and `8e4b17` name what ends so; at least this many characters. */
const SHORTEST_TAIL = 4;
const TAIL = /^(?:([A-Za-z]+):)?(?:…|\.\.\.?)?([0-9a-f]+)$/;

const endingIn = (view: View, kind: string | undefined, tail: string) =>
  SHOWN_KINDS.flatMap((one) => view.ids(one, "all", "")).filter(
    (id) => id.endsWith(tail) && (kind === undefined || id.startsWith(`${kind}:`)),
  );

/**
 * The one id that a text means: the id itself, or what any screen prints of it.
 * Refuses a text that means nothing, or more than one thing.
 */
export const findId = (view: View, text: string): string => {
  if (SHOWN_KINDS.some((kind) => view.get(kind, text))) return text;
  const [, kind, tail = ""] = TAIL.exec(text) ?? [];
  const found = tail.length < SHORTEST_TAIL ? [] : endingIn(view, kind, tail);
  const [only, ...others] = found;
  if (others.length > 0) return refuse("ID_AMBIGUOUS", { id: text, matches: found.join(" and ") });
  return only ?? refuse("ID_NOT_FOUND", { id: text });
};
