import type { RecordRow, WholeRecord } from "../../contract/control/records.ts";
import type { Story as WhyStory } from "../../contract/control/why.ts";
import type { Mail } from "../../contract/wallets/mails.ts";
import { markOfStatus } from "../../rows/list.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { callPlatform } from "../call-platform.ts";
import { Refused } from "../control.ts";
import { Act } from "../parts/act.tsx";
import { Json } from "../parts/json.tsx";
import pane from "../parts/pane.module.css";
import { Loading, Pane, Title } from "../parts/pane.tsx";
import { BalancePlot } from "../parts/step-plot.tsx";
import { Table } from "../parts/table.tsx";
import { IdLink, Status } from "../parts/text.tsx";
import { placeOf } from "../routes.ts";
import { Amounts } from "../story/amounts.tsx";
import { Story } from "../story/story.tsx";
import { useConsole, useRead } from "../use-console.ts";
import { Mails } from "./inbox.tsx";
import { Missing } from "./not-found.tsx";
import css from "./record.module.css";
import { SandboxActs } from "./sandbox-acts.tsx";
import { Statement } from "./statement.tsx";
import { WalletSignIn } from "./wallet-sign-in.tsx";

interface Credential {
  id: string;
  type: string;
}

const NO_EMAIL = {
  error: {
    code: "NO_EMAIL_CREDENTIAL",
    message: "This wallet has no email credential, so no code can be mailed",
    next: ["POST /auth/credentials with type EMAIL_OTP creates one: Reference, auth"],
  },
};

/** The mails of a wallet's credentials, and a button that has a fresh code sent. */
const WalletInbox = ({ wallet }: { wallet: string }) => {
  const { control } = useConsole();
  const { body } = useRead<{ data: readonly Mail[] }>(
    `/inbox?account=${encodeURIComponent(wallet)}`,
  );
  const issue = async () => {
    const { data } = await callPlatform<{ data: readonly Credential[] }>(control, {
      operationId: "listCredentials",
      query: { accountId: wallet },
    });
    const email = data.find(({ type }) => type === "EMAIL_OTP");
    if (!email) throw new Refused(0, NO_EMAIL);
    const params = { id: email.id };
    await callPlatform(control, { operationId: "challengeCredential", params, body: {} });
    return { text: "A fresh code is in the inbox" };
  };
  return (
    <Pane title="Inbox" isQuiet note="of its email credentials">
      <Mails of={body?.data ?? []} />
      <div className="acts">
        <Act isSmall onAct={issue}>
          Send a new code
        </Act>
      </div>
    </Pane>
  );
};

const Related = ({ rows }: { rows: readonly RecordRow[] }) => (
  <Pane title="Related" isQuiet note={rows.length}>
    <Table label="Related records">
      {rows.map(({ id, kind, name, status, balance, amount = balance }) => (
        <tr key={id} className={css.row}>
          <td>
            <a className="m" href={`#${placeOf(id)}`}>
              {kind}:…{id.slice(-6)}
            </a>
          </td>
          <td className="cut" title={safeText(name ?? "")}>
            {safeText(name ?? "")}
          </td>
          <td>{status !== undefined && <Status mark={markOfStatus(status)}>{status}</Status>}</td>
          <td className="r m">{amount && money(amount.amount, amount.currency)}</td>
        </tr>
      ))}
    </Table>
  </Pane>
);

/** One record: what it is, what belongs to it, what can be done with it, and its story. */
export const RecordView = ({ id }: { id: string }) => {
  const { body, refused } = useRead<WholeRecord>(`/records/${encodeURIComponent(id)}`);
  const { body: story } = useRead<WhyStory>(body && `/why/${encodeURIComponent(body.id)}`);
  if (refused) return <Missing id={id} refused={refused} />;
  if (!body) return <Loading />;
  const { kind, name, status, balance, related, record } = body;
  return (
    <>
      <Title
        beside={
          <>
            {status !== undefined && (
              <span className={pane.state}>
                <Status mark={markOfStatus(status)}>{status}</Status>
              </span>
            )}
            {balance && <span className={pane.big}>{money(balance.amount, balance.currency)}</span>}
          </>
        }
      >
        {name ?? kind}
      </Title>
      <p className={`${pane.facts} d`}>
        <IdLink id={body.id} whole /> {body.owner !== undefined && <IdLink id={body.owner} />}
      </p>
      {balance && <BalancePlot account={body.id} currency={balance.currency} />}
      <SandboxActs of={body} />
      <div className={pane.two}>
        <div>
          <Amounts of={story?.calculation} />
          {related.length > 0 && <Related rows={related} />}
          {body.type === "EMBEDDED_WALLET" && (
            <>
              <WalletSignIn key={body.id} of={body} />
              <WalletInbox wallet={body.id} />
            </>
          )}
          {kind === "InternalAccount" && <Statement account={body.id} />}
        </div>
        <Pane title="API response" isQuiet>
          <Json text={JSON.stringify(record, null, 2)} label="The record" />
        </Pane>
      </div>
      {story && story.chain.length > 0 && (
        <Pane title="History" note={`${story.chain.length} changes`}>
          <Story of={story} />
        </Pane>
      )}
    </>
  );
};
