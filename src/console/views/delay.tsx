import { useState } from "react";
import { Act } from "../parts/act.tsx";
import { Field, Form } from "../parts/field.tsx";
import { useAction, useConsole } from "../use-console.ts";

/** Postpones the timer that a payment waits for. */
export const Delay = ({ id }: { id: string }) => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const [span, setSpan] = useState<string>();
  if (span === undefined)
    return (
      <Act isSmall onAct={() => setSpan("10m")}>
        Delay…
      </Act>
    );
  const send = async () => {
    await control.send("POST", `/timers/${encodeURIComponent(id)}/postpone`, { by: span });
    setSpan(undefined);
    return { text: `Delayed by ${span}` };
  };
  return (
    <Form isInline onSend={() => void run(send)}>
      <Field label="by" isInline>
        {/* biome-ignore lint/a11y/noAutofocus: the field was asked for to be typed into */}
        <input autoFocus size={6} value={span} onChange={({ target }) => setSpan(target.value)} />
      </Field>
      <Act isSubmit isDisabled={isBusy}>
        Delay
      </Act>
      <Act isLocal onAct={() => setSpan(undefined)}>
        Cancel
      </Act>
    </Form>
  );
};
