import * as z from "zod";
import { named } from "../core/named-shape.ts";
import { Mail } from "../wallets/mails.ts";

/** Reply of GET /_sim/inbox and /_sim/inbox/wait. */
export const Inbox = named("MailList", () => z.object({ data: z.array(Mail) }));

export type Inbox = z.infer<typeof Inbox>;
