import { useState } from "react";
import { FIRST_STEPS, makePayout, PAYOUT_CALLS, UNDER_WAY } from "../../rows/first-payout.ts";
import type { WatchedWorld } from "../../rows/world.ts";
import { callPlatform } from "../call-platform.ts";
import { Pane } from "../parts/pane.tsx";
import { Mark } from "../parts/text.tsx";
import { go, placeOf } from "../routes.ts";
import { useAction, useConsole, useIsLive, useWatched } from "../use-console.ts";

const OVER: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "REFUNDED"]);

/** Whether a payment came to its end and a webhook told of it. */
export const isFirstPaymentDone = ({ payments, deliveries }: WatchedWorld["lists"]) =>
  payments.some(({ status }) => OVER.has(status)) && deliveries.length > 0;

/** The way through a first payment; a step counts as done once it happened, from wherever. */
export const FirstSteps = () => {
  const { control, openSheet } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const { lists } = useWatched();
  const [made, setMade] = useState(0);
  const [payment] = lists.payments;
  const hasPayment = lists.payments.some(({ status }) => status !== "PENDING");
  const isOver = lists.payments.some(({ status }) => OVER.has(status));
  const hasWebhook = lists.deliveries.length > 0;
  const make = () =>
    void run(async () => {
      const id = await makePayout((input) => {
        setMade((count) => count + 1);
        return callPlatform(control, input);
      });
      go(placeOf(id));
      return { text: UNDER_WAY };
    });
  const steps = [
    {
      says: FIRST_STEPS.make,
      isDone: hasPayment,
      act: (
        <button type="button" className="btn go" disabled={!isLive || isBusy} onClick={make}>
          {isBusy ? `Call ${made} of ${PAYOUT_CALLS.length}` : FIRST_STEPS.make}
        </button>
      ),
    },
    {
      says: FIRST_STEPS.why,
      isDone: hasPayment,
      act: payment && <a href={`#${placeOf(payment.id)}`}>Open it</a>,
    },
    {
      says: FIRST_STEPS.advance,
      isDone: isOver,
      act: (
        <button
          type="button"
          className="btn small"
          disabled={!isLive}
          onClick={() => openSheet({ kind: "advance" })}
        >
          Advance…
        </button>
      ),
    },
    {
      says: FIRST_STEPS.webhook,
      isDone: hasWebhook && isOver,
      act: <a href="#/webhooks">Webhooks</a>,
    },
  ];
  return (
    <Pane title={FIRST_STEPS.title} note="four steps">
      <ol className="steps">
        {steps.map(({ says, isDone, act }, at) => (
          <li key={says}>
            <span className={isDone ? "done" : "d"}>{isDone ? <Mark name="done" /> : at + 1}</span>
            <span>{says}</span>
            <span className="end">{act}</span>
          </li>
        ))}
      </ol>
      <p className="d">
        The button makes these calls as your server would:{" "}
        {PAYOUT_CALLS.map((call) => (
          <code key={call}>{call} </code>
        ))}
      </p>
    </Pane>
  );
};
