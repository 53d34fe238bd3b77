import { useState } from "react";
import type { WatchedWorld } from "../../rows/world.ts";
import { Act } from "../parts/act.tsx";
import { Pane } from "../parts/pane.tsx";
import { Mark } from "../parts/text.tsx";
import { go, placeOf } from "../routes.ts";
import { useConsole, useWatched } from "../use-console.ts";
import { makePayout, PAYOUT_CALLS } from "./make-payout.ts";

const OVER: ReadonlySet<string> = new Set(["COMPLETED", "FAILED", "REFUNDED"]);

/** Whether a payment came to its end and a webhook told of it. */
export const isFirstPaymentDone = ({ payments, deliveries }: WatchedWorld["lists"]) =>
  payments.some(({ status }) => OVER.has(status)) && deliveries.length > 0;

/** The way through a first payment; a step counts as done once it happened, from wherever. */
export const FirstSteps = () => {
  const { control, openSheet } = useConsole();
  const { lists } = useWatched();
  const [made, setMade] = useState(0);
  const [payment] = lists.payments;
  const hasPayment = lists.payments.some(({ status }) => status !== "PENDING");
  const isOver = lists.payments.some(({ status }) => OVER.has(status));
  const hasWebhook = lists.deliveries.length > 0;
  const make = async () => {
    try {
      const id = await makePayout(control, () => setMade((count) => count + 1));
      go(placeOf(id));
      return { text: "Payout sent: it settles in six minutes of simulated time" };
    } finally {
      setMade(0);
    }
  };
  const steps = [
    {
      says: "Make a payout",
      isDone: hasPayment,
      act: (
        <Act look="main" onAct={make}>
          {made === 0 ? "Make a payout" : `Call ${made} of ${PAYOUT_CALLS.length}`}
        </Act>
      ),
    },
    {
      says: "See why it is pending",
      isDone: hasPayment,
      act: payment && <a href={`#${placeOf(payment.id)}`}>Open it</a>,
    },
    {
      says: "Let six minutes pass",
      isDone: isOver,
      act: (
        <Act isSmall onAct={() => openSheet({ kind: "advance" })}>
          Advance…
        </Act>
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
        The button makes the calls your server would make:{" "}
        {PAYOUT_CALLS.map((call) => (
          <code key={call}>{call} </code>
        ))}
      </p>
    </Pane>
  );
};
