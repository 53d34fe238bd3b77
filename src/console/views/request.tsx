import { type ReactNode, useState } from "react";
import type { Called } from "../../contract/control/called.ts";
import type { CallDetails, RevisionUse } from "../../contract/control/requests.ts";
import { cutNote } from "../../contract/core/cut-body.ts";
import { safeLine } from "../../text/safe-text.ts";
import { Act } from "../parts/act.tsx";
import { CallCode } from "../parts/call-code.tsx";
import { Copy } from "../parts/copy.tsx";
import field from "../parts/field.module.css";
import { Field, Form } from "../parts/field.tsx";
import { indented, Json } from "../parts/json.tsx";
import pane from "../parts/pane.module.css";
import { Facts, Loading, Pane, Title } from "../parts/pane.tsx";
import { IdLink, Status } from "../parts/text.tsx";
import { useAction, useConsole, useRead } from "../use-console.ts";
import { Missing } from "./not-found.tsx";
import css from "./request.module.css";

const Caused = ({ of }: { of: readonly string[] }) => (
  <ul className={css.ids}>
    {of.map((id) => (
      <li key={id}>
        {id.includes(" ") ? (
          <span className="m clock">@ {id.split(" ")[0]}</span>
        ) : (
          <IdLink id={id} />
        )}
      </li>
    ))}
  </ul>
);

interface BodyPaneProps {
  title: string;
  note: ReactNode;
  text: string | undefined;
  /** Characters of the whole, where the log cut it. */
  cut: number | undefined;
  /** Said in place of a body. */
  none: string;
}

/** One of the bodies, as indented JSON where it is JSON; copied as it came. */
const BodyPane = ({ title, note, text, cut, none }: BodyPaneProps) => {
  const what = title === "Request" ? "request body" : "answer";
  const label = title === "Request" ? "Request body" : title;
  const copy = text && <Copy text={text} what={`the ${what}`} label={`Copy ${what}`} />;
  return (
    <Pane title={title} note={note} end={cutNote(text ?? "", cut) ?? copy}>
      {text === undefined ? (
        <p className="more">{none}</p>
      ) : (
        <Json text={indented(text)} label={label} />
      )}
    </Pane>
  );
};

/** The call as it stands in code. */
const coded = ({ method, path, query, requestBody }: CallDetails) => ({
  method,
  path: query ? `${path}?${query}` : path,
  body: requestBody,
});

/** One call: both bodies, what came of it, and sending it again. */
export const RequestView = ({ id }: { id: string }) => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const { body, refused } = useRead<CallDetails>(`/requests/${encodeURIComponent(id)}`);
  const [again, setAgain] = useState<Called>();
  const [edited, setEdited] = useState<string>();
  if (refused) return <Missing id={id} refused={refused} />;
  if (!body) return <Loading />;
  const { cut } = body;
  const canResend = cut?.requestBody === undefined;
  const send = async (text: string | undefined) => {
    const answer = await control.send<Called>("POST", "/call", {
      method: body.method,
      path: body.query ? `${body.path}?${body.query}` : body.path,
      ...(text !== undefined && text !== "" && { body: JSON.parse(text) }),
    });
    setAgain(answer);
    return { text: `Answered ${answer.status ?? "nothing"}` };
  };
  const mark = body.status < 400 ? "done" : "failed";
  return (
    <>
      <p className={pane.crumb}>
        <a href="#/requests">Requests</a> ›
      </p>
      <Title
        beside={
          <>
            <span className={pane.state}>
              <Status mark={mark}>{String(body.status)}</Status>
            </span>
            <span className="grow" />
            <div className="acts">
              <Act isSmall isDisabled={!canResend} onAct={() => send(body.requestBody)}>
                {canResend ? "Send again" : "Body was cut: edit it first"}
              </Act>
              <Act isSmall isLocal onAct={() => setEdited(indented(body.requestBody ?? "{}"))}>
                Edit and send…
              </Act>
            </div>
          </>
        }
      >
        <span className="m">
          {body.method} {body.path}
        </span>
      </Title>
      <p className="say">
        {answerOf(body)} It took {body.tookMs} ms at {body.at.slice(11, 19)}.
        {body.undone && " A rewind undid what it did."}
      </p>
      {edited !== undefined && (
        <div className={field.form}>
          <Form onSend={() => void run(() => send(edited))}>
            <Field label="Body">
              <textarea
                rows={10}
                value={edited}
                spellCheck={false}
                onChange={({ target }) => setEdited(target.value)}
              />
            </Field>
            <div className="acts">
              <Act isSubmit look="main" isDisabled={isBusy || !isJson(edited)}>
                {isJson(edited) ? "Send" : "Not JSON yet"}
              </Act>
            </div>
          </Form>
        </div>
      )}
      <div className={pane.two}>
        <BodyPane
          title="Request"
          note={body.query}
          text={body.requestBody}
          cut={cut?.requestBody}
          none="No body, or none that could be read"
        />
        <BodyPane
          title="Answer"
          note={body.status}
          text={body.responseBody}
          cut={cut?.responseBody}
          none="No body"
        />
      </div>
      {again && (
        <Pane title="The answer now" note={again.status ?? again.lost}>
          <Json text={indented(again.text)} label="The answer now" />
          {again.requestId !== undefined && <IdLink id={again.requestId} />}
        </Pane>
      )}
      <div className={pane.two}>
        <Pane title="Effects" isQuiet note={body.caused.length}>
          <Caused of={body.caused} />
          <Facts of={factsOf(body)} />
        </Pane>
        <CallCode of={coded(body)} />
      </div>
    </>
  );
};

const Operation = ({ name }: { name: string }) => (
  <a className="m" href={`#/reference/${name}`}>
    {name}
  </a>
);

/** A revision, and what of it the call used. */
const revisionText = ({ revision, operation, members }: RevisionUse) =>
  `${revision} has ${[...(operation ? ["this operation"] : []), ...members].join(", ")}`;

/** Facts of a call beside its effects. */
const factsOf = ({ operation, rules, ignored, replay, revisions = [] }: CallDetails) =>
  [
    ["operation", operation && <Operation name={operation} />],
    ["rules", rules?.join(", ")],
    ["ignored", ignored?.join(", ")],
    ...revisions.map((one) => ["revision", revisionText(one)] as const),
    ["repeats", replay && <IdLink id={replay.of} />],
  ] as const;

/** The message of an error's answer: the reason, and the next step. */
const messageOf = ({ responseBody = "" }: CallDetails) => {
  try {
    const { message } = JSON.parse(responseBody) as { message?: unknown };
    return typeof message === "string" ? `: ${safeLine(message)}` : "";
  } catch {
    return "";
  }
};

/** The answer, in a sentence. */
const answerOf = (call: CallDetails) => {
  const { error, fault, status } = call;
  const by = fault === undefined ? "" : ", by a fault switch";
  if (error?.code !== undefined) return `${error.reason ?? error.code}${by}${messageOf(call)}.`;
  if (fault === undefined) return "Answered.";
  return status < 400
    ? "Answered, and changed on its way by a fault switch."
    : "A fault switch closed the connection.";
};

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
