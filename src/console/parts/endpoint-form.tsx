import { type ReactNode, useState } from "react";
import { callPlatform } from "../call-platform.ts";
import { useAction, useConsole, useWatched } from "../use-console.ts";
import { Act } from "./act.tsx";
import { Field, Form } from "./field.tsx";

interface EndpointFormProps {
  /** Called once the endpoint is set, or when the person gives up; a form that stays has none. */
  onEnd?(): void;
  /** Added to the message that says where webhooks go. */
  next?: string;
  /** Further acts, in the same line. */
  children?: ReactNode;
}

/** Sets the endpoint of webhooks; an empty field removes it. */
export const EndpointForm = ({ onEnd, next, children }: EndpointFormProps) => {
  const { control } = useConsole();
  const { webhookEndpoint } = useWatched();
  const { run, isBusy } = useAction();
  const [typed, setTyped] = useState<string>();
  const send = async () => {
    const endpoint = typed?.trim() || null;
    await callPlatform(control, {
      operationId: "patchConfig",
      body: { webhookEndpoint: endpoint },
    });
    setTyped(undefined);
    onEnd?.();
    if (endpoint === null) return { text: "No endpoint: webhooks are stored, not sent" };
    return { text: [`Webhooks go to ${endpoint}`, next].filter(Boolean).join("; ") };
  };
  return (
    <Form isInline onSend={() => void run(send)}>
      <Field label="Endpoint" isInline>
        <input
          // biome-ignore lint/a11y/noAutofocus: a form that was opened is typed into
          autoFocus={onEnd !== undefined}
          size={36}
          data-does="endpoint"
          placeholder="http://127.0.0.1:3000/hooks"
          value={typed ?? webhookEndpoint ?? ""}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <Act isSubmit isSmall isDisabled={isBusy || typed === undefined}>
        Set endpoint
      </Act>
      {onEnd && (
        <Act isSmall isLocal onAct={() => onEnd()}>
          Cancel
        </Act>
      )}
      {children}
    </Form>
  );
};
