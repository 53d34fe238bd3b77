import { useState } from "react";
import { operationsOf } from "../../contract/operations.ts";
import type { Fault, FaultEffect } from "../../contract/platform/faults.ts";
import { safeText } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import { Field, Form } from "../parts/field.tsx";
import { Pane, Title } from "../parts/pane.tsx";
import { Table } from "../parts/table.tsx";
import { Mark } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useWatched } from "../use-console.ts";
import { useRevision } from "../use-revision.ts";

/** Ways to fail that a person picks from; the API has more. */
const WAYS: readonly { says: string; fault: FaultEffect }[] = [
  { says: "503", fault: { status: 503 } },
  { says: "429", fault: { status: 429 } },
  { says: "500", fault: { status: 500 } },
  { says: "response lost", fault: { dropResponse: true } },
  { says: "connection closed", fault: { closeSocket: true } },
  { says: "5 s delay", fault: { latencyMs: 5000 } },
];

const wordsOf = ({ match, fault }: Fault) => {
  const call = match.operation ?? match.path ?? "any call";
  const how = Object.entries(fault)
    .map(([name, value]) => (value === true ? name : `${name} ${JSON.stringify(value)}`))
    .join(", ");
  return `${call}: ${how}`;
};

/** Fault switches: add one, see how often it struck, remove it. */
export const Faults = () => {
  const { control } = useConsole();
  const { faults } = useWatched();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const revision = useRevision();
  const [operation, setOperation] = useState("createQuote");
  const [way, setWay] = useState(WAYS[0]?.says ?? "");
  const [times, setTimes] = useState("2");
  const add = () => {
    const { fault = {} } = WAYS.find(({ says }) => says === way) ?? {};
    void run(async () => {
      await control.send("POST", "/faults", {
        match: { ...(operation !== "" && { operation }), times: Number(times) || 1 },
        fault,
      });
      return { text: `Fault added: ${operation || "any call"}, ${way}, ${times} times` };
    });
  };
  const remove = async (id: string) => {
    await control.send("DELETE", `/faults/${encodeURIComponent(id)}`);
    return { text: "Fault removed" };
  };
  return (
    <>
      <Title>Faults</Title>
      <Form isInline onSend={add}>
        <Field isInline label="Call">
          <select value={operation} onChange={({ target }) => setOperation(target.value)}>
            <option value="">any</option>
            {operationsOf(revision).map(({ operationId }) => (
              <option key={operationId}>{operationId}</option>
            ))}
          </select>
        </Field>
        <Field isInline label="Response">
          <select value={way} onChange={({ target }) => setWay(target.value)}>
            {WAYS.map(({ says }) => (
              <option key={says}>{says}</option>
            ))}
          </select>
        </Field>
        <Field isInline label="Times">
          <input
            value={times}
            inputMode="numeric"
            onChange={({ target }) => setTimes(target.value)}
          />
        </Field>
        <Act isSubmit isDisabled={!isLive || isBusy}>
          Add fault
        </Act>
      </Form>
      <Pane title="Active" note={faults.length}>
        {faults.length === 0 ? (
          <p className="more">No faults active</p>
        ) : (
          <Table label="Active faults">
            {faults.map((fault) => (
              <tr key={fault.id}>
                <td className="failed">
                  <Mark name="failed" />
                </td>
                <td className="m">{safeText(wordsOf(fault))}</td>
                <td>
                  {fault.match.times === undefined
                    ? `used ${fault.struck} times`
                    : `${fault.struck} of ${fault.match.times} used`}
                </td>
                <td className="r">
                  <Act isSmall onAct={() => remove(fault.id)}>
                    Remove
                  </Act>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Pane>
    </>
  );
};
