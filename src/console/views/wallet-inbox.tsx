import type { Mail } from "../../contract/wallets/mails.ts";
import { Refused } from "../control.ts";
import { Pane } from "../parts/pane.tsx";
import { useAction, useConsole, useIsLive, useRead } from "../use-console.ts";
import { Mails } from "./inbox.tsx";
import { callPlatform } from "./make-payout.ts";

interface Credential {
  id: string;
  type: string;
}

const NO_EMAIL = {
  error: {
    code: "NO_EMAIL_CREDENTIAL",
    message: "This wallet has no email credential, so no code can be mailed",
    next: ["POST /auth/credentials with type EMAIL_OTP makes one: Reference, auth"],
  },
};

/** The mails of a wallet's credentials, and a button that has a fresh code sent. */
export const WalletInbox = ({ wallet }: { wallet: string }) => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const { body } = useRead<{ data: readonly Mail[] }>(
    `/inbox?account=${encodeURIComponent(wallet)}`,
  );
  const issue = () =>
    void run(async () => {
      const { data } = await callPlatform<{ data: readonly Credential[] }>(control, {
        operationId: "listCredentials",
        query: { accountId: wallet },
      });
      const email = data.find(({ type }) => type === "EMAIL_OTP");
      if (!email) throw new Refused(0, NO_EMAIL);
      const params = { id: email.id };
      await callPlatform(control, { operationId: "challengeCredential", params, body: {} });
      return { text: "A fresh code is in the inbox" };
    });
  return (
    <Pane title="Inbox" isQuiet note="of its email credentials">
      <Mails of={body?.data ?? []} />
      <div className="acts">
        <button type="button" className="btn small" disabled={!isLive || isBusy} onClick={issue}>
          Issue a code
        </button>
      </div>
    </Pane>
  );
};
