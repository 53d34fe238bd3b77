import type { PaymentRow } from "../../contract/control/feed-rows.ts";
import type { WholeRecord } from "../../contract/control/records.ts";
import type { Story as WhyStory } from "../../contract/control/why.ts";
import { conversionText } from "../../rows/calculation.ts";
import { ticking } from "../../rows/clock-face.ts";
import { markOfStatus } from "../../rows/list.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import { Copy } from "../parts/copy.tsx";
import pane from "../parts/pane.module.css";
import { Loading, Title } from "../parts/pane.tsx";
import { IdLink, Mark, Status } from "../parts/text.tsx";
import { Amounts } from "../story/amounts.tsx";
import { Otherwise } from "../story/otherwise.tsx";
import { Story } from "../story/story.tsx";
import { useConsole, useNowMs, useRead, useWatched } from "../use-console.ts";
import { Delay } from "./delay.tsx";
import { Missing } from "./not-found.tsx";
import css from "./payment.module.css";
import { StaleNote } from "./stale-note.tsx";

/** The ids of a quote and of its payment, from either of them. */
const pairOf = (record: WholeRecord | undefined) => {
  if (!record) return {};
  const { id, kind, owner, related } = record;
  if (kind === "Quote")
    return { quote: id, payment: related.find((one) => one.kind === "Transaction")?.id };
  return { quote: owner, payment: id };
};

const ruleOf = ({ chain }: WhyStory) =>
  chain
    .flatMap(({ effects }) => effects)
    .findLast((effect) => effect.kind === "rule" && /^[a-zA-Z]+\./.test(effect.rule));

/** The reason of its state, in one sentence (spec/console.md#payments). */
const Sentence = ({ story, row }: { story: WhyStory; row: PaymentRow | undefined }) => {
  const nowMs = useNowMs();
  const rule = ruleOf(story);
  const says = rule?.kind === "rule" ? rule.says : undefined;
  const { status, payee, sends } = story;
  const to = safeText(payee?.name ?? payee?.identifier ?? "the payee");
  const timer = row?.timer;
  return (
    <p className="say">
      {timer !== undefined ? (
        <>
          It waits for <span className="m clock">@ {timer.timer}</span> and becomes{" "}
          <b>{timer.then}</b> at {timer.dueAt.slice(11, 19)}
          {nowMs !== undefined && `, in ${ticking(Date.parse(timer.dueAt) - nowMs)}`}.{" "}
        </>
      ) : (
        <>
          {sends && `${money(sends.amount, sends.currency)} for ${to}: `}
          {(status ?? "").toLowerCase()}.{" "}
        </>
      )}
      {says !== undefined && `${says.slice(0, 1).toUpperCase()}${says.slice(1)}.`}
    </p>
  );
};

const Pending = ({ row }: { row: PaymentRow | undefined }) => {
  const nowMs = useNowMs();
  const { lists } = useWatched();
  const { openSheet } = useConsole();
  const timer = row?.timer;
  if (!timer) return null;
  const ids = [row.id, row.transactionId];
  const pending = lists.timers.find(
    (one) => one.timer === timer.timer && ids.includes(one.subject),
  );
  return (
    <div className={`${css.pending} clock`}>
      <Mark name="clock" /> {timer.then} at {timer.dueAt.slice(11, 19)},{" "}
      {nowMs === undefined ? "in ?:??" : `in ${ticking(Date.parse(timer.dueAt) - nowMs)}`}
      <Act isSmall onAct={() => openSheet({ kind: "advance", to: timer.dueAt })}>
        Advance to it
      </Act>
      {pending && <Delay key={timer.dueAt} id={pending.id} />}
    </div>
  );
};

/** One payment: what happened, why, each cent of it, and who was told. */
export const Payment = ({ id }: { id: string }) => {
  const { openSheet } = useConsole();
  const { lists } = useWatched();
  const record = useRead<WholeRecord>(`/records/${encodeURIComponent(id)}`);
  const { quote, payment } = pairOf(record.body);
  const early = useRead<WhyStory>(quote && `/why/${encodeURIComponent(quote)}`);
  const late = useRead<WhyStory>(payment && `/why/${encodeURIComponent(payment)}`);
  if (record.refused) return <Missing id={id} refused={record.refused} />;
  const own = quote === undefined ? late : early;
  if (!own.body || (payment !== undefined && !late.body)) return <Loading />;
  const merged =
    early.body && late.body
      ? { ...late.body, chain: joined(early.body, late.body) }
      : (late.body ?? own.body);
  const ids = [quote, payment].filter((one) => one !== undefined);
  const row = lists.payments.find((one) => ids.includes(one.id));
  const { sends, receives, fees, payee, calculation } = own.body;
  const converted = calculation && conversionText(calculation);
  const status = row?.status ?? merged.status ?? "";
  const rule = ruleOf(merged);
  return (
    <>
      <p className={pane.crumb}>
        <a href="#/payments">Payments</a> ›
      </p>
      <Title
        beside={
          <>
            <span className={pane.state}>
              <Status mark={markOfStatus(status)}>{status}</Status>
            </span>
            <StaleNote of={[early, late]} />
            <span className="grow" />
            <div className="acts">
              <Copy text={location.href} what="the address" label="Copy link" />
              <Act
                isSmall
                shortcut="b"
                onAct={() => openSheet({ kind: "rewind", before: ids[0] ?? id })}
              >
                Rewind to before it
              </Act>
            </div>
          </>
        }
      >
        {sends ? money(sends.amount, sends.currency) : own.body.id}
        {receives && (
          <>
            {" "}
            <span className="d">→</span> {money(receives.amount, receives.currency)}
          </>
        )}
      </Title>
      <p className={`${pane.facts} d`}>
        {ids.map((one) => (
          <IdLink key={one} id={one} />
        ))}
        {payee && <span>to {safeText(payee.name ?? payee.identifier ?? payee.id)}</span>}
        {fees && fees.amount > 0 && <span>fee {money(fees.amount, fees.currency)}</span>}
        {converted !== undefined && <span className="m">{converted}</span>}
      </p>
      <Sentence story={merged} row={row} />
      <Story of={merged} end={<Pending row={row} />} />
      <Amounts of={calculation} />
      {rule?.kind === "rule" && <Otherwise rule={rule.rule} story={merged} />}
    </>
  );
};

/** The quote's own steps, then the payment's: changes of both are told once. */
const joined = (quote: WhyStory, payment: WhyStory) => {
  const known = new Set(payment.chain.map(({ seq }) => seq));
  const early = quote.chain.filter(({ seq }) => seq === undefined || !known.has(seq));
  const firstSeq = payment.chain[0]?.seq ?? 0;
  return [...early.filter(({ seq = 0 }) => seq < firstSeq), ...payment.chain];
};
