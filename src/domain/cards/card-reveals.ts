import type { CardReveal } from "../../contract/cards/cards.ts";
import { type Draft, HEX, instant, type Rule, type View } from "../core/draft.ts";
import { DURATIONS } from "../core/durations.ts";
import { refuse } from "../core/refusal.ts";
import type { CardRevealRecord, ProvisionedValues } from "../records/card-records.ts";
import { type ByCardPath, cardByPath, shownState } from "./card-view.ts";

/** Path of the pages that show card numbers, below the origin at which the caller came. */
export const REVEAL_PATH = "/pan";

const CODE_LENGTH = 32;

/** Expired pages that each new one removes. */
const SWEPT_AT_ONCE = 8;

const isOver = ({ expiresAtMs }: CardRevealRecord, nowMs: number) => nowMs >= expiresAtMs;

const sweep = (draft: Draft, nowMs: number) => {
  for (const id of draft.ids("CardReveal", "all", "").slice(0, SWEPT_AT_ONCE)) {
    const reveal = draft.get("CardReveal", id);
    if (reveal && isOver(reveal, nowMs)) draft.del("CardReveal", id);
  }
};

const requireNumber = (view: View, input: ByCardPath, moment: Parameters<typeof cardByPath>[2]) => {
  const { id, provisioned, state } = cardByPath(view, input, moment);
  const cardState = shownState(view, state);
  if (!provisioned)
    return refuse(
      "REFERENCE_NOT_FOUND",
      { id, resource: "Card", cardState },
      {
        says: `The card ${id} is ${cardState} and has no number`,
        next: "Reveal it once it is ACTIVE",
      },
    );
  return id;
};

interface Input extends ByCardPath {
  /** Origin at which the caller reached the simulator: scheme, host and port. */
  origin: string;
  /** Name of the world. */
  world: string;
}

/**
 * POST /cards/{id}/reveal: makes a page that shows the number of a card for a while
 * (spec/later-cards.md#reveal). Refuses one that has none yet.
 */
export const revealCard: Rule<Input, CardReveal> = (draft, input, moment) => {
  const cardId = requireNumber(draft, input, moment);
  sweep(draft, moment.atMs);
  const reveal: CardRevealRecord = {
    id: moment.newId("CardReveal"),
    cardId,
    code: moment.draw("card-reveal", CODE_LENGTH, HEX),
    expiresAtMs: moment.atMs + DURATIONS.cardRevealLifetimeMs,
    createdAtMs: moment.atMs,
    updatedAtMs: moment.atMs,
  };
  draft.put("CardReveal", reveal);
  const [, uuid] = reveal.id.split(":");
  const page = [REVEAL_PATH, encodeURIComponent(input.world), uuid, reveal.code].join("/");
  return { panEmbedUrl: `${input.origin}${page}`, expiresAt: instant(reveal.expiresAtMs) };
};

/** The values that the page of a number shows; nothing once it has expired. */
export const revealedBy = (
  view: View,
  { uuid, code }: { uuid: string; code: string },
  nowMs: number,
): Pick<ProvisionedValues, "last4" | "expMonth" | "expYear"> | undefined => {
  const reveal = view.get("CardReveal", `CardReveal:${uuid}`);
  return reveal && reveal.code === code && !isOver(reveal, nowMs)
    ? view.get("Card", reveal.cardId)?.provisioned
    : undefined;
};
