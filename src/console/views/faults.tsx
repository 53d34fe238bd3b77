import { type FormEvent, useState } from "react";
import { OPERATIONS } from "../../contract/operations.ts";
import type { Fault, FaultEffect } from "../../contract/platform/faults.ts";
import { safeText } from "../../text/safe-text.ts";
import { Pane, Title } from "../parts/pane.tsx";
import { Mark } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useWatched } from "../use-console.ts";

/** Ways to fail that a person picks from; the API has more. */
const WAYS: readonly { says: string; fault: FaultEffect }[] = [
  { says: "503", fault: { status: 503 } },
  { says: "429", fault: { status: 429 } },
  { says: "500", fault: { status: 500 } },
  { says: "lost answer", fault: { dropResponse: true } },
  { says: "closed connection", fault: { closeSocket: true } },
  { says: "5 s late", fault: { latencyMs: 5000 } },
];

const wordsOf = ({ match, fault }: Fault) => {
  const call = match.operation ?? match.path ?? "any call";
  const how = Object.entries(fault)
    .map(([name, value]) => (value === true ? name : `${name} ${JSON.stringify(value)}`))
    .join(", ");
  return `${call}: ${how}`;
};

/** Fault switches: add one, see how often it struck, lift it. */
export const Faults = () => {
  const { control } = useConsole();
  const { faults } = useWatched();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [operation, setOperation] = useState("createQuote");
  const [way, setWay] = useState(WAYS[0]?.says ?? "");
  const [times, setTimes] = useState("2");
  const add = (event: FormEvent) => {
    event.preventDefault();
    const { fault = {} } = WAYS.find(({ says }) => says === way) ?? {};
    void run(async () => {
      await control.send("POST", "/faults", {
        match: { ...(operation !== "" && { operation }), times: Number(times) || 1 },
        fault,
      });
      return { text: `Armed: ${operation || "any call"}, ${way}, ${times} times` };
    });
  };
  const lift = (id: string) =>
    void run(async () => {
      await control.send("DELETE", `/faults/${encodeURIComponent(id)}`);
      return { text: "Lifted" };
    });
  return (
    <>
      <Title>Faults</Title>
      <form className="inline" onSubmit={add}>
        <label className="field inline">
          <span>call</span>
          <select value={operation} onChange={({ target }) => setOperation(target.value)}>
            <option value="">any</option>
            {OPERATIONS.map(({ operationId }) => (
              <option key={operationId}>{operationId}</option>
            ))}
          </select>
        </label>
        <label className="field inline">
          <span>answers</span>
          <select value={way} onChange={({ target }) => setWay(target.value)}>
            {WAYS.map(({ says }) => (
              <option key={says}>{says}</option>
            ))}
          </select>
        </label>
        <label className="field inline">
          <span>times</span>
          <input
            value={times}
            inputMode="numeric"
            onChange={({ target }) => setTimes(target.value)}
          />
        </label>
        <button type="submit" className="btn" disabled={!isLive || isBusy}>
          Add
        </button>
      </form>
      <Pane title="Switches" note={faults.length}>
        {faults.length === 0 && (
          <p className="more">None is on: every call is answered as it should be</p>
        )}
        <table>
          <tbody>
            {faults.map((fault) => (
              <tr key={fault.id}>
                <td className="failed">
                  <Mark name="failed" />
                </td>
                <td className="m">{safeText(wordsOf(fault))}</td>
                <td>
                  {fault.match.times === undefined
                    ? `${fault.struck} struck`
                    : `${fault.struck} of ${fault.match.times} used`}
                </td>
                <td className="r">
                  <button
                    type="button"
                    className="btn small"
                    disabled={!isLive || isBusy}
                    onClick={() => lift(fault.id)}
                  >
                    Lift
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Pane>
    </>
  );
};
