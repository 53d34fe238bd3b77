import { useState } from "react";
import type { WatchedWorld } from "../../rows/world.ts";
import { Pane } from "../parts/pane.tsx";
import { Mark } from "../parts/text.tsx";
import { go, placeOf } from "../routes.ts";
import { useAction, useConsole, useIsLive, useWatched } from "../use-console.ts";
import { makePayout, PAYOUT_CALLS } from "./make-payout.ts";

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
      const id = await makePayout(control, () => setMade((count) => count + 1));
      go(placeOf(id));
      return { text: "The payout is under way: six minutes of simulated time are left" };
    });
  const steps = [
    {
      says: "Make a payout",
      isDone: hasPayment,
      act: (
        <button type="button" className="btn go" disabled={!isLive || isBusy} onClick={make}>
          {isBusy ? `Call ${made} of ${PAYOUT_CALLS.length}` : "Make a payout"}
        </button>
      ),
    },
    {
      says: "See why it waits",
      isDone: hasPayment,
      act: payment && <a href={`#${placeOf(payment.id)}`}>Open it</a>,
    },
    {
      says: "Let six minutes pass",
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
      says: "Read the webhook",
      isDone: hasWebhook && isOver,
      act: <a href="#/webhooks">Webhooks</a>,
    },
  ];
  return (
    <Pane title="A first payment" note="four steps">
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
