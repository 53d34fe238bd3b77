import { useState } from "react";
import { stateWords } from "../../rows/deliveries.ts";
import { callPlatform } from "../call-platform.ts";
import { useAction, useConsole, useWatched } from "../use-console.ts";
import { Act } from "./act.tsx";
import { Field, Form } from "./field.tsx";

/** Says that a webhook was not sent, as there is no endpoint, and has a field to set one. */
export const NoEndpoint = () => {
  const { control } = useConsole();
  const { run } = useAction();
  const { webhookEndpoint } = useWatched();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const set = async () => {
    await callPlatform(control, { operationId: "patchConfig", body: { webhookEndpoint: typed } });
    setOpen(false);
    return { text: `Webhooks go to ${typed}; resend this one to deliver it` };
  };
  return (
    <div className="no-endpoint">
      <span className="d">{stateWords("UNDELIVERABLE")}</span>
      {webhookEndpoint === undefined && !isOpen && (
        <Act isSmall onAct={() => setOpen(true)}>
          Set endpoint
        </Act>
      )}
      {isOpen && (
        <Form isInline onSend={() => void run(set)}>
          <Field label="endpoint" isInline>
            <input
              // biome-ignore lint/a11y/noAutofocus: the field was asked for to be typed into
              autoFocus
              type="url"
              required
              placeholder="http://127.0.0.1:3000/hooks"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          </Field>
          <Act isSmall isSubmit look="main">
            Set endpoint
          </Act>
          <Act isSmall isLocal onAct={() => setOpen(false)}>
            Cancel
          </Act>
        </Form>
      )}
    </div>
  );
};
