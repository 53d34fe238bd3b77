import { CardReveal } from "../../contract/cards/cards.ts";
import * as cards from "../../domain/cards/cards.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const revealCard = endpoint("revealCard", {
  summary: "Get the address that shows a card's number",
  replies: [200, CardReveal],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(cards.revealCard, input),
});
