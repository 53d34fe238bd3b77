import type { H3 } from "h3";
import { isName } from "../../contract/control/name-form.ts";
import { REVEAL_PATH, revealedBy } from "../../domain/cards/card-reveals.ts";
import { ServedElsewhere } from "../../runtime/served-elsewhere.ts";
import { andThen, type MaybePromise, settle } from "../message/maybe-promise.ts";
import { wholeReply } from "../message/reply.ts";
import { methodsOf } from "./request-line.ts";
import { route } from "./routes.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";

const GONE = `This page shows nothing any more: it had expired, or it never was.
POST /cards/{cardId}/reveal makes a new one.
`;

const shown = (last4: string, expiry: string) => `In production, this frame shows a card's number.
Here: **** **** **** ${last4}, valid until ${expiry}
`;

const HEADERS = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };

const pageOf = (world: ServedWorld | undefined, named: { uuid: string; code: string }) => {
  const found = world && revealedBy(world.engine.state, named, world.engine.clock.now());
  if (!found) return { status: 410, text: GONE };
  const expiry = `${String(found.expMonth).padStart(2, "0")}/${found.expYear}`;
  return { status: 200, text: shown(found.last4, expiry) };
};

/** The world of a page, wherever it is served; one that cannot be read has no pages. */
const worldOf = (
  name: string,
  worlds: WorldSet<ServedWorld>,
): MaybePromise<ServedWorld | ServedElsewhere | undefined> =>
  settle<ServedWorld | undefined, ServedWorld | ServedElsewhere | undefined>(
    () => (isName(name) ? worlds.present(name) : undefined),
    (world) => world,
    (error) => (error instanceof ServedElsewhere ? error : undefined),
  );

/** Serves the pages that show card numbers; an expired one is gone (spec/later-cards.md#reveal). */
export const mountCardNumberPage = (app: H3, worlds: WorldSet<ServedWorld>) => {
  for (const method of methodsOf({ method: "GET" }))
    route(app, { method, path: `${REVEAL_PATH}/:world/:uuid/:code` }, ({ req, url }) => {
      const [name = "", uuid = "", code = ""] = url.pathname
        .slice(REVEAL_PATH.length + 1)
        .split("/")
        .map(decodeURIComponent);
      const reply = (world?: ServedWorld) =>
        wholeReply(
          { ...pageOf(world, { uuid, code }), headers: HEADERS },
          (world ?? worlds.starting).engine.clock.now(),
        );
      const answerHere = () =>
        andThen(worldOf(name, worlds), (found) =>
          found instanceof ServedElsewhere ? found : reply(found),
        );
      return andThen(answerHere(), (made) => {
        if (!(made instanceof ServedElsewhere)) return made;
        const elsewhere = worlds.others?.answer(req, made, {
          isRepeatable: true,
          again: answerHere,
        });
        return elsewhere?.catch(() => reply()) ?? reply();
      });
    });
};
