import { useState } from "react";
import type { SentWebhook } from "../../contract/control/webhooks.ts";
import { EVENT_TYPES, hasEvent } from "../../contract/webhooks/events.ts";
import { type CheckLine, checkSignature, mistakeIn } from "../crypto/verify.ts";
import { Act } from "../parts/act.tsx";
import field from "../parts/field.module.css";
import { Field, Form } from "../parts/field.tsx";
import pane from "../parts/pane.module.css";
import { Pane, Title } from "../parts/pane.tsx";
import { placeOf } from "../routes.ts";
import { useAction, useConsole } from "../use-console.ts";
import { useRevision } from "../use-revision.ts";
import { CheckLines, useKeys } from "./signature-check.tsx";

/** Checks a header and a body that a receiver got, and names the usual mistake that fits. */
export const Doctor = () => {
  const keys = useKeys();
  const [lines, setLines] = useState<readonly CheckLine[]>([]);
  const [mistake, setMistake] = useState<string>();
  const [header, setHeader] = useState("");
  const [body, setBody] = useState("");
  const check = async () => {
    const text = body.replaceAll("\r\n", "\n");
    const checkLines = await checkSignature(header, new TextEncoder().encode(text), keys);
    setLines(checkLines);
    setMistake(checkLines.every(({ ok }) => ok) ? undefined : await mistakeIn(header, text, keys));
  };
  return (
    <>
      <Title>Webhook doctor</Title>
      <p className="say">Paste what your server received; nothing leaves this page.</p>
      <div className={pane.two}>
        <div className={field.form}>
          <Form onSend={() => void check()}>
            <Field label="value of the signature header">
              <input
                required
                spellCheck={false}
                value={header}
                onChange={({ target }) => setHeader(target.value)}
              />
            </Field>
            <Field label="body, exactly as received">
              <textarea
                rows={12}
                required
                spellCheck={false}
                value={body}
                onChange={({ target }) => setBody(target.value)}
              />
            </Field>
            <div className="acts">
              <Act isSubmit isLocal look="main">
                Check
              </Act>
            </div>
          </Form>
        </div>
        <Pane title="Result">
          {lines.length === 0 ? (
            <p className="more">Header, key, digest and result appear here after the check</p>
          ) : (
            <CheckLines of={lines} />
          )}
          {mistake !== undefined && <p className="asks">{mistake}</p>}
        </Pane>
      </div>
    </>
  );
};

/** Sends an example of a webhook type, or a bad one to try a receiver on. */
export const Send = () => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const revision = useRevision();
  const types = EVENT_TYPES.filter((one) => hasEvent(revision, one));
  const [type, setType] = useState<string>("OUTGOING_PAYMENT.COMPLETED");
  const [sent, setSent] = useState<SentWebhook>();
  const send = async () => {
    const answer = await control.send<SentWebhook>("POST", "/webhooks/trigger", { type });
    setSent(answer);
    return { text: `Sent: ${answer.status ?? "no answer"}` };
  };
  return (
    <>
      <Title>Send an example</Title>
      <div className={field.form}>
        <Form onSend={() => void run(send)}>
          <Field label="type">
            <select value={type} onChange={({ target }) => setType(target.value)}>
              {types.map((eventType) => (
                <option key={eventType}>{eventType}</option>
              ))}
            </select>
          </Field>
          <div className="acts">
            <Act isSubmit look="main" isDisabled={isBusy}>
              Send
            </Act>
          </div>
        </Form>
      </div>
      {sent && (
        <p className="say">
          Your server answered <b className="m">{sent.status ?? "nothing"}</b>.{" "}
          <a href={`#${placeOf(sent.id)}`}>See the attempt</a>
        </p>
      )}
    </>
  );
};
