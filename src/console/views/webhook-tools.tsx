import { type FormEvent, useState } from "react";
import type { SentWebhook } from "../../contract/control/webhooks.ts";
import { EVENT_TYPES } from "../../contract/webhooks/events.ts";
import { type CheckLine, checkSignature, mistakeIn } from "../crypto/verify.ts";
import { Pane, Title } from "../parts/pane.tsx";
import { placeOf } from "../routes.ts";
import { useAction, useConsole, useIsLive } from "../use-console.ts";
import { CheckLines, useKeys } from "./signature-check.tsx";

/** Checks a header and a body that a receiver got, and names the usual mistake that fits. */
export const Doctor = () => {
  const keys = useKeys();
  const [lines, setLines] = useState<readonly CheckLine[]>([]);
  const [mistake, setMistake] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const header = String(form.get("header") ?? "");
    const text = String(form.get("body") ?? "").replaceAll("\r\n", "\n");
    const checkLines = await checkSignature(header, new TextEncoder().encode(text), keys);
    setLines(checkLines);
    setMistake(checkLines.every(({ ok }) => ok) ? undefined : await mistakeIn(header, text, keys));
  };
  return (
    <>
      <Title>Webhook doctor</Title>
      <p className="say">Paste what your server received; nothing leaves this page.</p>
      <div className="two">
        <form className="form" onSubmit={submit}>
          <label className="field">
            <span>value of the signature header</span>
            <input name="header" required spellCheck={false} />
          </label>
          <label className="field">
            <span>body, exactly as received</span>
            <textarea name="body" rows={12} required spellCheck={false} />
          </label>
          <div className="acts">
            <button type="submit" className="btn go">
              Check
            </button>
          </div>
        </form>
        <Pane title="Result">
          {lines.length === 0 ? (
            <p className="more">Four lines will stand here: header, key, digest, result</p>
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
  const isLive = useIsLive();
  const [type, setType] = useState<string>("OUTGOING_PAYMENT.COMPLETED");
  const [sent, setSent] = useState<SentWebhook>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const answer = await control.send<SentWebhook>("POST", "/webhooks/trigger", { type });
      setSent(answer);
      return { text: `Sent: ${answer.status ?? "no answer"}` };
    });
  };
  return (
    <>
      <Title>Send an example</Title>
      <form className="form" onSubmit={submit}>
        <label className="field">
          <span>type</span>
          <select value={type} onChange={({ target }) => setType(target.value)}>
            {EVENT_TYPES.map((eventType) => (
              <option key={eventType}>{eventType}</option>
            ))}
          </select>
        </label>
        <div className="acts">
          <button type="submit" className="btn go" disabled={!isLive || isBusy}>
            Send
          </button>
        </div>
      </form>
      {sent && (
        <p className="say">
          Your server answered <b className="m">{sent.status ?? "nothing"}</b>.{" "}
          <a href={`#${placeOf(sent.id)}`}>See the attempt</a>
        </p>
      )}
    </>
  );
};
