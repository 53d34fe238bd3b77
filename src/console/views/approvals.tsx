import { useState } from "react";
import type { PolicyCheck } from "../../contract/agents/agent-actions.ts";
import type { ApprovalRow } from "../../contract/control/feed-rows.ts";
import type { Story as WhyStory } from "../../contract/control/why.ts";
import { approvals, isWaiting, payeeName, queueOf, waitsBecause } from "../../rows/approvals.ts";
import { elapsed } from "../../rows/clock-face.ts";
import { markOfStatus, shortOf } from "../../rows/list.ts";
import { countMatching } from "../../rows/world.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import { Field, Form } from "../parts/field.tsx";
import pane from "../parts/pane.module.css";
import { Facts, Pane, Title } from "../parts/pane.tsx";
import { IdLink, Mark, Status } from "../parts/text.tsx";
import { useAskedFor } from "../parts/use-asked-for.ts";
import { placeOf, useQueryValue } from "../routes.ts";
import { useRead, useRowContext, useWatched } from "../use-console.ts";
import css from "./approvals.module.css";
import { useDecisions } from "./decisions.tsx";

const PLAIN = { ellipsis: "…" };

const valueText = (value: PolicyCheck["value"], currency: string | undefined): string => {
  if (value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((item) => shortOf(item, PLAIN)).join(", ");
  if (currency !== undefined && /^-?\d+$/.test(String(value)))
    return money(BigInt(String(value)), currency);
  return shortOf(String(value), PLAIN);
};

const words = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);

const Policy = ({ checks, decidedBy }: { checks: readonly PolicyCheck[]; decidedBy: string }) => (
  <Pane title="Policy, row by row" isQuiet note={checks.length}>
    <div className={css.policy}>
      <table>
        <tbody>
          {checks.map(({ name, passed, value, limit, currency }) => {
            const mark = passed ? "done" : name === decidedBy ? "asks" : "failed";
            return (
              <tr key={name} className={name === decidedBy ? "at" : ""}>
                <td className={`m ${mark}`}>
                  <Mark name={mark} />
                  <span className="vh">{passed ? "passed" : "asks"}</span>
                </td>
                <td>{words(name)}</td>
                <td className="r m">
                  {valueText(value, currency)}
                  <span className={css.limit}>
                    {limit === undefined || typeof limit === "boolean"
                      ? ""
                      : ` of ${valueText(limit, currency)}`}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  </Pane>
);

const LIMITS = /^(?:daily|monthly).*(?:limit|amount)|^spending/i;

/** Limits as bars: what was used, this action, what is left. */
const Meters = ({ checks, amount }: { checks: readonly PolicyCheck[]; amount: number }) => {
  const limited = checks.filter(
    ({ name, value, limit, currency }) =>
      LIMITS.test(name) &&
      currency !== undefined &&
      Number.isFinite(Number(value)) &&
      Number(limit) > 0,
  );
  if (limited.length === 0) return null;
  return (
    <Pane title="Limits" isQuiet note={<span className="asks">with this action</span>}>
      {limited.map(({ name, value, limit, currency = "" }) => {
        const [now, most] = [Number(value), Number(limit)];
        const before = Math.max(0, now - amount);
        const share = (part: number) => Math.min(100, (100 * part) / most);
        const says = `${money(now, currency)} of ${money(most, currency)}`;
        return (
          <div key={name} className={css.meter}>
            <div>
              <span>{words(name)}</span>
              <span className="m">{says}</span>
            </div>
            <svg
              viewBox="0 0 100 10"
              preserveAspectRatio="none"
              role="img"
              aria-label={`${words(name)}: ${says} with this action`}
            >
              <rect className={css.whole} width="100" height="10" />
              <rect className={css.used} width={share(before)} height="10" />
              <rect
                className={css.this}
                x={share(before)}
                width={share(now) - share(before)}
                height="10"
              />
            </svg>
          </div>
        );
      })}
    </Pane>
  );
};

const Reject = ({ row }: { row: ApprovalRow }) => {
  const { reject } = useDecisions();
  const [, setAct] = useQueryValue("act");
  const [reason, setReason] = useState("");
  const send = async () => {
    if (await reject(row, reason)) setAct("");
  };
  return (
    <Form isInline onSend={() => void send()}>
      <Field label="reason" isInline>
        {/* biome-ignore lint/a11y/noAutofocus: the field was asked for to be typed into */}
        <input autoFocus value={reason} onChange={({ target }) => setReason(target.value)} />
      </Field>
      <Act isSubmit look="main">
        Reject
      </Act>
      <Act isLocal onAct={() => setAct("")}>
        Cancel
      </Act>
    </Form>
  );
};

const Question = ({ row }: { row: ApprovalRow }) => {
  const { approve, isBusy } = useDecisions();
  const [act, setAct] = useQueryValue("act");
  const asked = useAskedFor<HTMLButtonElement>("approve");
  return (
    <div className={css.ask}>
      <p className="say">
        It waits because it is <b>{waitsBecause(row)}</b>.
      </p>
      {act === "reject" ? (
        <Reject row={row} />
      ) : (
        <div className="acts">
          <Act
            does="approve"
            look="main"
            shortcut="A"
            isDisabled={isBusy}
            of={asked}
            onAct={() => approve(row)}
          >
            Approve
          </Act>
          <Act does="reject" shortcut="X" isDisabled={isBusy} onAct={() => setAct("reject")}>
            Reject…
          </Act>
        </div>
      )}
    </div>
  );
};

const OUTCOMES: Readonly<Record<string, string>> = {
  APPROVED: "executed",
  EXECUTED: "executed",
  REJECTED: "rejected, no money moved",
  FAILED: "failed",
};

/** The result of a decision: the payment, or the reason why there is none. */
const Outcome = ({ row, action }: { row: ApprovalRow; action: WhyStory["action"] }) => {
  const { because, transaction } = action ?? {};
  return (
    <p className="say outcome">
      <Status mark={markOfStatus(row.status)}>{row.status}</Status>{" "}
      {because ? `${because.says}; no money moved` : OUTCOMES[row.status]}
      {row.reason !== undefined && `: “${safeText(row.reason)}”`}
      {transaction && (
        <>
          . Payment <IdLink id={transaction.id} />{" "}
          <Status mark={markOfStatus(transaction.status)}>{transaction.status}</Status>
        </>
      )}
    </p>
  );
};

const Action = ({ row }: { row: ApprovalRow }) => {
  const context = useRowContext();
  const { body: story } = useRead<WhyStory>(`/why/${encodeURIComponent(row.id)}`);
  const why = story?.action?.why;
  const after = row.from && row.from.amount - row.amount;
  return (
    <div>
      <Pane
        title={`${row.agentName} wants to send ${money(row.amount, row.currency)} to ${payeeName(row, context)}`}
        end={<IdLink id={row.id} />}
      >
        {row.status === "PENDING_APPROVAL" ? (
          <Question row={row} />
        ) : (
          <Outcome row={row} action={story?.action} />
        )}
      </Pane>
      <div className={`${pane.two} ${pane.uneven}`}>
        {why ? <Policy checks={why.checks} decidedBy={why.decidedBy} /> : <div />}
        <div>
          <Pane title="What it does" isQuiet>
            <Facts
              of={[
                ["pays from", row.from && <IdLink id={row.from.id} />],
                [
                  "balance",
                  row.from && row.status === "PENDING_APPROVAL" && after !== undefined && (
                    <span className="m">
                      {money(row.from.amount, row.from.currency)} →{" "}
                      <b>{money(after, row.from.currency)}</b>
                    </span>
                  ),
                ],
                ["pays to", row.to.name ?? <IdLink id={row.to.id} />],
                [
                  "type",
                  <span key="type" className="m">
                    {row.type}
                  </span>,
                ],
                ["asked at", row.createdAt.slice(11, 19)],
              ]}
            />
          </Pane>
          {why && <Meters checks={why.checks} amount={row.amount} />}
        </div>
      </div>
    </div>
  );
};

const Queue = ({ rows, open }: { rows: readonly ApprovalRow[]; open: string | undefined }) => {
  const context = useRowContext();
  return (
    <Pane title="Queue" isQuiet className={css.queue} note="oldest first">
      {rows.map((row) => (
        <a
          key={row.id}
          href={`#${placeOf(row.id)}`}
          {...(row.id === open && { "aria-current": "true" as const })}
        >
          <div>
            <b className="m">{money(row.amount, row.currency)}</b>
            <Status mark={markOfStatus(row.status)}>
              {row.status === "PENDING_APPROVAL" ? elapsed(row.createdAt, context) : row.status}
            </Status>
          </div>
          <div className="s">{safeText(`${row.agentName} → ${payeeName(row, context)}`)}</div>
        </a>
      ))}
    </Pane>
  );
};

/** Actions that wait for a person, with the reason and with what approving does. */
export const Approvals = ({ id }: { id: string | undefined }) => {
  const watched = useWatched();
  const rows = queueOf(watched.lists.approvals);
  const near =
    id === undefined ? rows[0] : rows.find((row) => row.id === id || row.id.endsWith(id));
  const isFar = id !== undefined && near === undefined;
  const { body: found } = useRead<{ data: readonly ApprovalRow[] }>(
    isFar ? `/rows?list=approvals&limit=1&query=${encodeURIComponent(id)}` : undefined,
  );
  const open = near ?? found?.data[0];
  const waiting = countMatching(watched, "approvals", isWaiting);
  return (
    <>
      <Title
        beside={
          waiting.count > 0 && (
            <span className="asks m">
              <Mark name="asks" /> {waiting.text} {waiting.count === 1 ? "waits" : "wait"} for you
            </span>
          )
        }
      >
        Approvals
      </Title>
      {rows.length === 0 && !isFar ? (
        <p className="more">{approvals.empty}</p>
      ) : (
        <div className={pane.beside}>
          <Queue rows={rows} open={open?.id} />
          {open ? (
            <Action key={open.id} row={open} />
          ) : (
            isFar && found && <p className="say">No approval {safeText(id)}</p>
          )}
        </div>
      )}
    </>
  );
};
