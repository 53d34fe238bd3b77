import * as z from "zod";
import { Inbox } from "../contract/control/inbox.ts";
import { refuse } from "../domain/core/refusal.ts";
import { listMails } from "../domain/wallets/mails.ts";
import { endpoint } from "./core/control-endpoint.ts";
import { LONGEST_WAIT_MS, waitUntil } from "./core/wait-until.ts";

const DEFAULT_WAIT_MS = 5000;

const WaitMs = z.coerce.number().int().min(0).max(LONGEST_WAIT_MS).optional();

/** The mails that a real service would have sent. */
export const inboxEndpoints = [
  endpoint({
    operationId: "inbox",
    summary: "Emails with their codes, newest first",
    method: "GET",
    path: "/inbox",
    query: { to: z.string().optional(), account: z.string().optional() },
    replies: [200, Inbox],
    refuses: [],
    handle: ({ query }, { read }) => read((view) => ({ data: listMails(view, query) }), undefined),
  }),
  endpoint({
    operationId: "waitForMail",
    summary: "The inbox, once it holds an email",
    method: "GET",
    path: "/inbox/wait",
    query: { to: z.string().optional(), timeoutMs: WaitMs },
    replies: [200, Inbox],
    refuses: ["MAIL_DID_NOT_COME"],
    outlivesReset: true,
    handle: async ({ query: { to, timeoutMs = DEFAULT_WAIT_MS } }, call, world) => {
      const inbox = () => listMails(world.engine.state, { to });
      await waitUntil(world, {
        holds: () => inbox().length > 0,
        touches: ({ put = [], opens }) =>
          opens !== undefined || put.some(([kind]) => kind === "Mail"),
        timeoutMs,
        skips: true,
      });
      if (world.closing.aborted) return refuse("UNAVAILABLE", { why: "it is closed" });
      if (inbox().length === 0)
        refuse("MAIL_DID_NOT_COME", { to: to ?? "anybody", timeoutMs: String(timeoutMs) });
      return call.read((view) => ({ data: listMails(view, { to }) }), undefined);
    },
  }),
];
