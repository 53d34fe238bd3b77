import * as z from "zod";
import { CODE_CHOICES_WORDS, isCodeChoice } from "../core/code-choices.ts";
import { named } from "../core/named-shape.ts";
import { Mail } from "../wallets/mails.ts";

/** Reply of GET /_sim/inbox and /_sim/inbox/wait. */
export const Inbox = named("MailList", () => z.object({ data: z.array(Mail) }));

export type Inbox = z.infer<typeof Inbox>;

/** Body and reply of PUT /_sim/inbox/codes. */
export const CodeChoice = named("CodeChoice", () =>
  z.object({
    codes: z.string().refine(isCodeChoice, `Expected ${CODE_CHOICES_WORDS}`),
  }),
);

export type CodeChoice = z.infer<typeof CodeChoice>;
