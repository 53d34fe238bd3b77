import { useState } from "react";
import type { Called } from "../../contract/control/called.ts";
import type { CallDetails } from "../../contract/control/requests.ts";
import { cutNote } from "../../contract/core/cut-body.ts";
import { Act } from "../parts/act.tsx";
import { CallCode } from "../parts/call-code.tsx";
import { Field, Form } from "../parts/field.tsx";
import { indented, Json } from "../parts/json.tsx";
import { Facts, Loading, Pane, Title } from "../parts/pane.tsx";
import { IdLink, Status } from "../parts/text.tsx";
import { useAction, useConsole, useRead } from "../use-console.ts";
import { Missing } from "./not-found.tsx";

const Caused = ({ of }: { of: readonly string[] }) => (
  <ul className="ids">
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
  const { cut, requestBody = "", responseBody = "" } = body;
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
      <p className="crumb">
        <a href="#/requests">Requests</a> ›
      </p>
      <Title
        beside={
          <>
            <span className="state">
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
      )}
      <div className="two">
        <Pane title="Request" note={body.query} end={cutNote(requestBody, cut?.requestBody)}>
          {body.requestBody === undefined ? (
            <p className="more">No body, or none that could be read</p>
          ) : (
            <Json text={indented(requestBody)} label="Request body" />
          )}
        </Pane>
        <Pane title="Answer" note={body.status} end={cutNote(responseBody, cut?.responseBody)}>
          {body.responseBody === undefined ? (
            <p className="more">No body</p>
          ) : (
            <Json text={indented(responseBody)} label="Answer" />
          )}
        </Pane>
      </div>
      {again && (
        <Pane title="The answer now" note={again.status ?? again.lost}>
          <Json text={indented(again.text)} label="The answer now" />
          {again.requestId !== undefined && <IdLink id={again.requestId} />}
        </Pane>
      )}
      <div className="two">
        <Pane title="Effects" isQuiet note={body.caused.length}>
          <Caused of={body.caused} />
          <Facts of={[["rules", body.rules?.join(", ")]]} />
        </Pane>
        <CallCode of={coded(body)} />
      </div>
    </>
  );
};

/** The answer, in a sentence. */
const answerOf = ({ error, fault, status }: CallDetails) => {
  const by = fault === undefined ? "" : ", by a fault switch";
  if (error?.code !== undefined) return `${error.reason ?? error.code}${by}.`;
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
