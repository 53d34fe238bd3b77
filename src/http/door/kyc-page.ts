import type { H3 } from "h3";
import { KYC_PATH } from "../../domain/customers/kyc-links.ts";
import { wholeReply } from "../message/reply.ts";
import { methodsOf } from "./request-line.ts";
import { route } from "./routes.ts";
import type { ServedWorld, WorldSet } from "./served-world.ts";

const TEXT = `In production, this page asks a customer for proofs of identity. Here it does nothing.
To decide, PATCH /_sim/customers/{customerId} with kycStatus or kybStatus.
`;

/** Serves the page behind KYC links; opening it changes nothing (spec/kyc-links.md#page). */
export const mountKycPage = (app: H3, worlds: WorldSet<ServedWorld>) => {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  for (const method of methodsOf({ method: "GET" }))
    route(app, { method, path: `${KYC_PATH}/:code` }, () =>
      wholeReply({ status: 200, text: TEXT, headers }, worlds.starting.engine.clock.now()),
    );
};
