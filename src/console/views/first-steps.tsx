import { useState } from "react";
import {
  FIRST_STEPS,
  makePayout,
  PAYOUT_CALLS,
  stepsDone,
  UNDER_WAY,
} from "../../rows/first-payout.ts";
import { callPlatform } from "../call-platform.ts";
import { Act } from "../parts/act.tsx";
import { Pane } from "../parts/pane.tsx";
import { Mark } from "../parts/text.tsx";
import { go, placeOf } from "../routes.ts";
import { useConsole, useWatched } from "../use-console.ts";
import css from "./first-steps.module.css";

/** The way through a first payment; a step counts as done once it happened, from wherever. */
export const FirstSteps = () => {
  const { control, openSheet } = useConsole();
  const { lists } = useWatched();
  const [made, setMade] = useState(0);
  const [payment] = lists.payments;
  const done = stepsDone(lists);
  const make = async () => {
    try {
      const id = await makePayout((input) => {
        setMade((count) => count + 1);
        return callPlatform(control, input);
      });
      go(placeOf(id));
      return { text: UNDER_WAY };
    } finally {
      setMade(0);
    }
  };
  const steps = [
    {
      says: FIRST_STEPS.make,
      isDone: done.make,
      act: (
        <Act look="main" onAct={make}>
          {made === 0 ? FIRST_STEPS.make : `Call ${made} of ${PAYOUT_CALLS.length}`}
        </Act>
      ),
    },
    {
      says: FIRST_STEPS.why,
      isDone: done.why,
      act: payment && <a href={`#${placeOf(payment.id)}`}>Open it</a>,
    },
    {
      says: FIRST_STEPS.advance,
      isDone: done.advance,
      act: (
        <Act isSmall onAct={() => openSheet({ kind: "advance" })}>
          Advance…
        </Act>
      ),
    },
    {
      says: FIRST_STEPS.webhook,
      isDone: done.webhook,
      act: <a href="#/webhooks">Webhooks</a>,
    },
  ];
  return (
    <Pane title={FIRST_STEPS.title} note="four steps">
      <ol className={css.steps}>
        {steps.map(({ says, isDone, act }, at) => (
          <li key={says}>
            <span className={isDone ? "done" : "d"}>{isDone ? <Mark name="done" /> : at + 1}</span>
            <span>{says}</span>
            <span>{act}</span>
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
