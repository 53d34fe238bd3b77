import { type ReactNode, useEffect, useRef, useState } from "react";
import { NoAnswer } from "../../client/send.ts";
import type { Advanced } from "../../contract/control/clock.ts";
import type { ClockPreview } from "../../contract/control/clock-preview.ts";
import type { Rewound } from "../../contract/control/rewind.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { type AdvanceBody, goalOf } from "../../rows/advance-goal.ts";
import { ruleWords } from "../../rows/list.ts";
import { counted, fullInstant } from "../../text/layout.ts";
import { Refused } from "../control.ts";
import { Field } from "../parts/field.tsx";
import { SheetActs, SheetForm } from "../parts/sheet-form.tsx";
import { Table } from "../parts/table.tsx";
import { IdLink, Mark } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useKnownMs } from "../use-console.ts";
import css from "./sheets.module.css";

/** A question below the time line; Escape leaves all as it was. */
const SheetFrame = ({
  label,
  title,
  acts,
  children,
}: {
  label: string;
  title: ReactNode;
  acts: ReactNode;
  children: ReactNode;
}) => (
  <section className={css.sheet} aria-label={label}>
    <h2>{title}</h2>
    {acts}
    {children}
  </section>
);

/** The answer of a preview or a dry run, or its refusal. */
const useAsked = <Body,>(path: string, body: object | undefined) => {
  const { control } = useConsole();
  const [reply, setReply] = useState<{ key: string; body?: Body; refused?: string }>({ key: "" });
  const key = JSON.stringify(body);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first answer comes without a wait
  useEffect(() => {
    if (key === undefined) return;
    let isOver = false;
    const ask = async () => {
      try {
        const answer = await control.send<Body>("POST", path, JSON.parse(key));
        if (!isOver) setReply({ key, body: answer });
      } catch (error) {
        if (!(error instanceof Refused || error instanceof NoAnswer)) throw error;
        if (!isOver) setReply({ key, refused: error.message });
      }
    };
    const timer = setTimeout(ask, reply.key === "" ? 0 : 60);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [control, path, key]);
  return key === undefined ? { key: "" } : reply;
};

const advancedText = ({ complete, firedCount, webhooks, open, until }: Advanced) => {
  if (until && !until.reached) return `${until.wanted} was not reached`;
  const accepted = webhooks.filter(({ state }) => state === "ACCEPTED").length;
  const more = complete ? "" : ", and some answers are still awaited";
  return `${counted(firedCount, "timer")} fired, ${counted(accepted, "webhook")} accepted, ${open} open${more}`;
};

/** The typed goal; a time of day means the next one on the clock. */
const bodyOf = (text: string, nowMs: number): AdvanceBody | undefined => {
  const [, hours, minutes, seconds = "00"] = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(text.trim()) ?? [];
  if (hours === undefined) return goalOf(text);
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const atMs = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(atMs)) return undefined;
  return { to: new Date(atMs < nowMs ? atMs + 86_400_000 : atMs).toISOString() };
};

const MAX_SHOWN = 8;

/** Previews an advance and makes it. */
export const AdvanceSheet = ({ to }: { to: string | undefined }) => {
  const { control, openSheet } = useConsole();
  const isLive = useIsLive();
  const nowMs = useKnownMs() ?? 0;
  const { isBusy, run } = useAction();
  const [typed, setTyped] = useState("6m");
  const field = useRef<HTMLInputElement>(null);
  const isTyped = to === undefined;
  const body = isTyped ? bodyOf(typed, nowMs) : { to };
  const { body: preview, refused } = useAsked<ClockPreview>("/clock/preview", body);
  useEffect(() => {
    if (isTyped) field.current?.select();
  }, [isTyped]);
  const commit = () =>
    void run(async () => {
      const done = await control.send<Advanced>("POST", "/clock/advance", body);
      openSheet(undefined);
      return { text: advancedText(done) };
    });
  const target = preview ? new Date(preview.to).toISOString() : undefined;
  const isOff = !body || isBusy || !isLive;
  return (
    <SheetForm asks={to} isOff={isOff} onCommit={commit}>
      <SheetFrame
        label="Advance the clock"
        title={
          target ? (
            <>
              Advance to <time dateTime={target}>{sameDay(target, nowMs)}</time>,{" "}
              {showDuration(preview?.inMs ?? 0)} from now
            </>
          ) : (
            "Advance the clock"
          )
        }
        acts={
          <SheetActs
            commit={isBusy ? "Advancing" : "Advance"}
            look="time"
            isOff={isOff}
            onCancel={() => openSheet(undefined)}
          />
        }
      >
        <Field label="How far: 6m, 10:30, next, or id=STATUS">
          <input
            ref={field}
            data-first={isTyped || undefined}
            value={isTyped ? typed : (sameDay(to, nowMs) ?? to)}
            onChange={({ target: { value } }) => {
              setTyped(value);
              if (!isTyped) openSheet({ kind: "advance" });
            }}
            spellCheck={false}
            aria-invalid={body === undefined}
          />
        </Field>
        {refused !== undefined && <p className="failed">{refused}</p>}
        {preview && <Fires of={preview} />}
      </SheetFrame>
    </SheetForm>
  );
};

const sameDay = (iso: string, nowMs: number) =>
  iso.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10)
    ? iso.slice(11, 19)
    : fullInstant(iso);

const Fires = ({ of: { count, fires } }: { of: ClockPreview }) => {
  const shown = fires.slice(0, MAX_SHOWN);
  return (
    <>
      <p className="s">
        {count === 0
          ? "No pending timer fires until then."
          : `${counted(count, "pending timer")} ${count === 1 ? "fires" : "fire"}, then any ${count === 1 ? "it starts" : "they start"}.`}
      </p>
      <Table label="Timers that fire">
        {shown.map(({ id, dueAt, timer, subject, then, rule }) => (
          <tr key={id}>
            <td className="m">{dueAt.slice(11, 19)}</td>
            <td className="m clock">
              <Mark name="clock" /> {timer}
            </td>
            <td>
              <IdLink id={subject} />
            </td>
            <td className="b">{then}</td>
            <td className="d">{rule && ruleWords(rule)}</td>
          </tr>
        ))}
      </Table>
      {count > shown.length && <p className="d">… {counted(count - shown.length, "more timer")}</p>}
    </>
  );
};

/** Previews a rewind and makes it; what is undone is kept as a snapshot. */
export const RewindSheet = ({
  to,
  before = "last",
}: {
  to: string | undefined;
  before: string | undefined;
}) => {
  const { control, openSheet } = useConsole();
  const isLive = useIsLive();
  const nowMs = useKnownMs() ?? 0;
  const { isBusy, run } = useAction();
  const goal = to === undefined ? { before } : { to };
  const { body: dry, refused } = useAsked<Rewound>("/clock/rewind", { ...goal, dryRun: true });
  const commit = () =>
    void run(async () => {
      const { snapshot = "", to: back } = await control.send<Rewound>(
        "POST",
        "/clock/rewind",
        goal,
      );
      openSheet(undefined);
      const undo = () =>
        void run(async () => {
          await control.send("POST", `/snapshots/${encodeURIComponent(snapshot)}/restore`, {});
          return { text: "Rewind undone" };
        });
      return {
        text: `Rewound to ${back.slice(11, 19)}, previous state saved as ${snapshot}`,
        undo: { label: "Undo", run: undo },
      };
    });
  const isOff = refused !== undefined || isBusy || !isLive;
  return (
    <SheetForm asks={to ?? before} isOff={isOff} onCommit={commit}>
      <SheetFrame
        label="Rewind the clock"
        title={
          dry ? (
            <>
              Rewind to <time dateTime={dry.to}>{sameDay(dry.to, nowMs)}</time>
            </>
          ) : (
            "Rewind the clock"
          )
        }
        acts={
          <SheetActs
            commit={isBusy ? "Rewinding" : "Rewind"}
            look="time"
            isOff={isOff}
            onCancel={() => openSheet(undefined)}
          />
        }
      >
        {refused !== undefined && <p className="failed">{refused}</p>}
        {dry && <Undone of={dry} />}
      </SheetFrame>
    </SheetForm>
  );
};

const Undone = ({ of: { undone } }: { of: Rewound }) => {
  const { requests, timers, webhooks, delivered = 0, acts } = undone;
  const parts = [
    counted(requests, "request"),
    counted(timers, "timer"),
    counted(webhooks, "webhook"),
  ].join(", ");
  return (
    <>
      <p className="s">Undoes {parts}. A snapshot keeps the current state.</p>
      {delivered > 0 && (
        <p className="asks">
          <Mark name="asks" /> Your server has already received {delivered} of these webhooks; they
          can’t be undone.
        </p>
      )}
      <ul className={css.undone}>
        {acts.slice(0, MAX_SHOWN).map(({ at, by, cause }) => (
          <li key={`${at}${cause}`} className="m">
            {at.slice(11, 19)} {by} {cause.startsWith("req-") ? <IdLink id={cause} /> : cause}
          </li>
        ))}
      </ul>
    </>
  );
};
