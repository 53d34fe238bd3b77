import { type FormEvent, useState } from "react";
import type { PolicyCheck } from "../../contract/agents/agent-actions.ts";
import type { WaitingAction, WaitingActions } from "../../contract/control/approvals.ts";
import type { ApprovalRow } from "../../contract/control/feed-rows.ts";
import type { WholeRecord } from "../../contract/control/records.ts";
import { approvals, payeeName, queueOf, waitsBecause } from "../../rows/approvals.ts";
import { elapsed } from "../../rows/clock-face.ts";
import { markOfStatus, shortOf } from "../../rows/list.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { Facts, Pane, Title } from "../parts/pane.tsx";
import { IdLink, Mark, Status } from "../parts/text.tsx";
import { placeOf, useQueryValue } from "../routes.ts";
import { useIsLive, useRead, useRowContext, useWatched } from "../use-console.ts";
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
    <div className="policy">
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
                  <span className="lim">
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
          <div key={name} className="meter">
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
              <rect className="bg" width="100" height="10" />
              <rect className="used" width={share(before)} height="10" />
              <rect
                className="this"
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
  const { reject, isBusy } = useDecisions();
  const [, setRejecting] = useQueryValue("reject");
  const [reason, setReason] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await reject(row, reason)) setRejecting("");
  };
  return (
    <form className="inline" onSubmit={submit}>
      <label className="field inline">
        <span>reason</span>
        {/* biome-ignore lint/a11y/noAutofocus: the field was asked for to be typed into */}
        <input autoFocus value={reason} onChange={({ target }) => setReason(target.value)} />
      </label>
      <button type="submit" className="btn go" disabled={isBusy}>
        Reject
      </button>
      <button type="button" className="btn" onClick={() => setRejecting("")}>
        Cancel
      </button>
    </form>
  );
};

const Question = ({ row }: { row: ApprovalRow }) => {
  const { approve, isBusy } = useDecisions();
  const [rejecting, setRejecting] = useQueryValue("reject");
  const isLive = useIsLive();
  if (row.status !== "PENDING_APPROVAL")
    return (
      <p className="say">
        <Status mark={markOfStatus(row.status)}>{row.status}</Status>{" "}
        {row.reason !== undefined && `“${row.reason}”`}
      </p>
    );
  return (
    <div className="ask">
      <p className="say">
        It waits because it is <b>{waitsBecause(row)}</b>.
      </p>
      {rejecting !== "" ? (
        <Reject row={row} />
      ) : (
        <div className="acts">
          <button
            type="button"
            className="btn go"
            data-does="approve"
            disabled={!isLive || isBusy}
            onClick={() => approve(row)}
          >
            Approve <kbd>A</kbd>
          </button>
          <button
            type="button"
            className="btn"
            data-does="reject"
            disabled={!isLive || isBusy}
            onClick={() => setRejecting("now")}
          >
            Reject… <kbd>X</kbd>
          </button>
        </div>
      )}
    </div>
  );
};

interface Explained {
  why?: { checks: PolicyCheck[]; decidedBy: string };
}

const Action = ({ row }: { row: ApprovalRow }) => {
  const context = useRowContext();
  const { body: waiting } = useRead<WaitingActions>("/approvals?limit=100");
  const { body: record } = useRead<WholeRecord>(`/records/${encodeURIComponent(row.id)}`);
  const action: WaitingAction | undefined = waiting?.data.find(({ id }) => id === row.id);
  const why = (action?.action as Explained | undefined)?.why ?? (record?.record as Explained)?.why;
  const after = row.from && row.from.amount - row.amount;
  return (
    <div>
      <Pane
        title={`${row.agentName} wants to send ${money(row.amount, row.currency)} to ${payeeName(row, context)}`}
        end={<IdLink id={row.id} />}
      >
        <Question row={row} />
      </Pane>
      <div className="two uneven">
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
    <Pane title="Queue" isQuiet className="queue" note="oldest first">
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
  const { lists } = useWatched();
  const isWaiting = ({ status }: ApprovalRow) => status === "PENDING_APPROVAL";
  const rows = queueOf(lists.approvals);
  const open =
    id === undefined ? rows[0] : rows.find((row) => row.id === id || row.id.endsWith(id));
  const waiting = rows.filter(isWaiting).length;
  return (
    <>
      <Title
        beside={
          waiting > 0 && (
            <span className="asks m">
              <Mark name="asks" /> {waiting === 1 ? "1 waits" : `${waiting} wait`} for you
            </span>
          )
        }
      >
        Approvals
      </Title>
      {rows.length === 0 ? (
        <p className="more">{approvals.empty}</p>
      ) : (
        <div className="ref">
          <Queue rows={rows} open={open?.id} />
          {open ? (
            <Action key={open.id} row={open} />
          ) : (
            <p className="say">{safeText(id ?? "")} is not among them.</p>
          )}
        </div>
      )}
    </>
  );
};
