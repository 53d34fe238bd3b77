import type { ReactNode } from "react";
import type { Because, Effect, Step, Story as WhyStory } from "../../contract/control/why.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { stateWords } from "../../rows/deliveries.ts";
import { markOfStatus } from "../../rows/list.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { NextAttempt } from "../parts/next-attempt.tsx";
import { NoEndpoint } from "../parts/no-endpoint.tsx";
import { IdLink, Mark, Status } from "../parts/text.tsx";
import { placeOf } from "../routes.ts";
import { type Column, columnsOf } from "./columns.ts";
import { type Move, movesOf, type StepPosting, sumsOf } from "./moves.ts";
import css from "./story.module.css";

type Of<Kind extends Effect["kind"]> = Extract<Effect, { kind: Kind }>;

const effectsOf = <Kind extends Effect["kind"]>({ effects }: Step, kind: Kind) =>
  effects.filter((one): one is Of<Kind> => one.kind === kind);

/** All postings of a story. */
export const postingsOf = ({ chain }: Pick<WhyStory, "chain">): StepPosting[] =>
  chain.flatMap((step) => effectsOf(step, "posting"));

const BecauseLine = ({ of }: { of: Because }) => {
  if (of.kind === "request")
    return (
      <a
        className="m"
        href={`#${placeOf(of.id)}`}
        title={of.path === undefined ? undefined : safeText(of.path)}
      >
        {of.operation ?? of.id}
      </a>
    );
  if (of.kind === "timer")
    return (
      <span className="m clock">
        <Mark name="clock" /> {of.timer}
      </span>
    );
  return <span className="m">{of.operation ?? of.id}</span>;
};

const Cause = ({ step }: { step: Step }) => {
  const { at, status, because } = step;
  return (
    <div className={css.cause}>
      <time dateTime={at}>{at.slice(11, 19)}</time>{" "}
      {status !== undefined && (
        <Status mark={markOfStatus(status.split(",")[0] ?? "")}>{status}</Status>
      )}
      <dl>
        <dt>cause</dt>
        <dd>
          <BecauseLine of={because} />
        </dd>
        {effectsOf(step, "rule").map(({ rule, says }) => (
          <Line key={rule} name="rule" title={rule}>
            {safeText(says ?? rule)}
          </Line>
        ))}
        {effectsOf(step, "timer").map(({ timer, dueAt, canceled }) => (
          <Line key={`${timer} ${canceled}`} name={canceled ? "cancels timer" : "starts timer"}>
            <span className="m">
              {timer}
              {dueAt !== undefined && ` ${dueAt.slice(11, 19)}`}
            </span>
          </Line>
        ))}
      </dl>
    </div>
  );
};

const Line = ({ name, title, children }: { name: string; title?: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd title={title}>{children}</dd>
  </>
);

const columnAt = (columns: readonly Column[], account: string) =>
  columns.findIndex(({ accounts }) => accounts.includes(account));

const routeOf = (columns: readonly Column[], from: string, to: string) =>
  [from, to].map((one) => columns[columnAt(columns, one)]?.says ?? one).join(" → ");

const MoveLine = ({ move, columns }: { move: Move; columns: readonly Column[] }) => {
  if (move.kind === "signed") {
    const at = columnAt(columns, move.account);
    return (
      <div
        className={`${css.move} ${css.signed}`}
        style={{ gridColumn: `${at + 1} / ${at + 2}` }}
        data-route={columns[at]?.says}
      >
        <span>
          {move.amount > 0 ? "+" : ""}
          {money(move.amount, move.currency)}
        </span>
      </div>
    );
  }
  const [from, to] = [columnAt(columns, move.from), columnAt(columns, move.to)];
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const isBack = to < from;
  return (
    <div
      className={`${css.move} ${isBack ? css.back : ""}`}
      data-route={routeOf(columns, move.from, move.to)}
      style={{
        gridColumn: `${first + 1} / ${last + 2}`,
        marginInline: `${50 / (last - first + 1)}%`,
      }}
    >
      <span>
        {money(move.amount, move.currency)}
        <span className="vh"> {routeOf(columns, move.from, move.to)}</span>
      </span>
    </div>
  );
};

const attemptText = (attempt: Of<"webhook">["attempts"][number], first: string | undefined) => {
  const laterMs = first === undefined ? 0 : Date.parse(attempt.at) - Date.parse(first);
  return `${attempt.status ?? "no answer"}${laterMs > 0 ? ` +${showDuration(laterMs)}` : ""}`;
};

const isTaken = (status: number | null) => status !== null && (status < 300 || status === 409);

const Hooks = ({ step }: { step: Step }) => (
  <div className={css.hooks}>
    {effectsOf(step, "webhook").map(({ id, type, state, attempts, nextAttemptAt }) => (
      <div key={id} className={css.hook}>
        <a className="m" href={`#${placeOf(id)}`}>
          {type}
        </a>
        <div className={css.tries}>
          {attempts.map((attempt) => {
            const mark = isTaken(attempt.status) ? "done" : "failed";
            return (
              <span key={attempt.attempt} className={mark}>
                <Mark name={mark} />
                {attemptText(attempt, attempts[0]?.at)}
              </span>
            );
          })}
          {state === "UNDELIVERABLE" && <NoEndpoint />}
          {attempts.length === 0 && state !== "UNDELIVERABLE" && (
            <span className="d">{stateWords(state)}</span>
          )}
          {nextAttemptAt !== undefined && <NextAttempt at={nextAttemptAt} />}
        </div>
      </div>
    ))}
  </div>
);

const GAP_MS = 1000;

const Gap = ({ before, step }: { before: Step | undefined; step: Step }) => {
  const spanMs = before ? Date.parse(step.at) - Date.parse(before.at) : 0;
  if (spanMs < GAP_MS) return null;
  const { movedBy } = step.because;
  return (
    <div className={css.gap}>
      {showDuration(Math.round(spanMs / 1000) * 1000)}{" "}
      <span>of simulated time{movedBy === undefined ? "" : `, moved by ${movedBy}`}</span>
    </div>
  );
};

const gridOf = (columns: readonly Column[]) => ({
  gridTemplateColumns: `repeat(${Math.max(1, columns.length)}, minmax(0, 1fr))`,
  "--n": Math.max(1, columns.length),
});

const Sums = ({
  columns,
  postings,
}: {
  columns: readonly Column[];
  postings: readonly StepPosting[];
}) => {
  const { accounts, totals } = sumsOf(postings);
  const isZero = [...totals.values()].every((total) => total === 0);
  return (
    <div className={`${css.sums} ${isZero ? "" : "failed"}`}>
      <div>net change</div>
      <div className={css.money} style={gridOf(columns)}>
        {columns.map(({ accounts: own, says }) => (
          <div key={says + own[0]}>
            {own
              .flatMap((account) => [...(accounts.get(account) ?? [])])
              .map(([code, amount]) =>
                amount === 0 ? "0" : `${amount > 0 ? "+" : ""}${money(amount, code)}`,
              )
              .join(" ")}
          </div>
        ))}
      </div>
      <div className={`${css.total} ${isZero ? "done" : "failed"}`}>
        <Mark name={isZero ? "done" : "failed"} />{" "}
        {totals.size === 0
          ? "no money moved"
          : [...totals]
              .map(([code, total]) => (total === 0 ? `${code} 0` : money(total, code)))
              .join(", ")}
        {!isZero && ": the ledger does not balance, a bug of the simulator"}
      </div>
    </div>
  );
};

/** The account of a column; several that share one have no page together. */
const ColumnHead = ({ accounts: [account, ...more], says }: Column) => {
  if (account === undefined || more.length > 0) return <b>{says}</b>;
  if (account.startsWith("Ledger:"))
    return (
      <b>
        <a href={`#${placeOf(account)}`}>{says}</a>
      </b>
    );
  return (
    <>
      <b>{says}</b>
      <IdLink id={account} />
    </>
  );
};

/** A chain of changes as a picture: cause, the money that moved, and the webhooks that told of it. */
export const Story = ({ of, end }: { of: Pick<WhyStory, "chain" | "ends">; end?: ReactNode }) => {
  const postings = postingsOf(of);
  const columns = columnsOf(postings);
  return (
    <section className={css.story} aria-label="The story, step by step">
      <div className={css.heads}>
        <div>cause</div>
        <div className={css.money} style={gridOf(columns)}>
          {columns.map(({ says, accounts }) => (
            <div key={says + accounts[0]}>
              <ColumnHead accounts={accounts} says={says} />
            </div>
          ))}
        </div>
        <div>webhooks</div>
      </div>
      {of.chain.map((step, at) => (
        <div key={step.seq ?? step.at}>
          <Gap before={of.chain[at - 1]} step={step} />
          <div className={css.step}>
            <Cause step={step} />
            <div className={css.money} style={gridOf(columns)}>
              {movesOf(effectsOf(step, "posting")).map((move, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: moves of a step never change places
                <MoveLine key={place} move={move} columns={columns} />
              ))}
            </div>
            <Hooks step={step} />
          </div>
        </div>
      ))}
      {end}
      <Sums columns={columns} postings={postings} />
      {of.ends !== undefined && <p className="more">{of.ends}</p>}
    </section>
  );
};
