import { useState } from "react";
import type { WholeRecord } from "../../contract/control/records.ts";
import { safeLine, safeLines } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import { Copy } from "../parts/copy.tsx";
import { Field, Form } from "../parts/field.tsx";
import { Pane } from "../parts/pane.tsx";
import { useAction, useConsole } from "../use-console.ts";
import { type SignInStep, signIn } from "./sign-in-steps.ts";
import css from "./wallet-sign-in.module.css";

const hasCrypto = () => typeof crypto !== "undefined" && crypto.subtle !== undefined;

/** Signs in to an embedded wallet, each step with its call (spec/console.md#wallet-sign-in). */
export const WalletSignIn = ({ of: { id, record } }: { of: WholeRecord }) => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const [email, setEmail] = useState("owner@example.com");
  const [steps, setSteps] = useState<readonly SignInStep[]>([]);
  const [credential, setCredential] = useState<string>();
  const isPrivate = (record as { privateEnabled?: boolean }).privateEnabled === true;
  const send = () =>
    void run(async () => {
      setSteps([]);
      setCredential(undefined);
      const input = { wallet: id, email, isPrivate };
      setCredential(await signIn(control, input, (step) => setSteps((all) => [...all, step])));
      return { text: "Signed in, and one call signed" };
    });
  return (
    <Pane title="Sign in" isQuiet note="as the owner’s client does">
      <Form isInline onSend={send}>
        <Field label="email, for a new credential" isInline>
          <input type="email" value={email} onChange={({ target }) => setEmail(target.value)} />
        </Field>
        <Act isSubmit isSmall look="main" isDisabled={isBusy || !hasCrypto()}>
          Sign in
        </Act>
      </Form>
      {!hasCrypto() && <p className="more">WebCrypto needs https, or an address of this machine</p>}
      {credential !== undefined && (
        <p className="say">
          Credential <code>{credential}</code>{" "}
          <Copy text={credential} what="the credential’s id" label="Copy" />
        </p>
      )}
      <ol className={css.steps}>
        {steps.map(({ says, how, gave }) => (
          <li key={says}>
            <b>{says}</b> <Copy text={how} what={says} label="Copy" />
            <pre>{safeLines(how)}</pre>
            <span className="d">{safeLine(gave)}</span>
          </li>
        ))}
      </ol>
    </Pane>
  );
};
