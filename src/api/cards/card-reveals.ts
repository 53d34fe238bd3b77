import { CardReveal } from "../../contract/cards/cards.ts";
import * as reveals from "../../domain/cards/card-reveals.ts";
import { cardByPath } from "../../domain/cards/card-view.ts";
import { endpoint } from "../../http/door/endpoint.ts";
import type { ServedWorld } from "../../http/door/served-world.ts";

export const revealCard = endpoint("revealCard", {
  summary: "Get the address that shows a card's number",
  replies: [200, CardReveal],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: cardByPath,
  handle: ({ params }, { commit, origin }, world) =>
    commit(reveals.revealCard, { params, origin, world: (world as ServedWorld).name }),
});
