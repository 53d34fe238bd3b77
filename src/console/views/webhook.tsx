import { useEffect, useState } from "react";
import type { WebhookRequest, WholeWebhook } from "../../contract/control/webhooks.ts";
import { cutReplyNote } from "../../contract/core/cut-body.ts";
import { showDuration } from "../../domain/core/durations.ts";
import { stateWords } from "../../rows/deliveries.ts";
import { safeLine } from "../../text/safe-text.ts";
import { type CheckLine, checkSignature } from "../crypto/verify.ts";
import { Act, ActLink } from "../parts/act.tsx";
import { Copy } from "../parts/copy.tsx";
import { indented, Json } from "../parts/json.tsx";
import { NextAttempt } from "../parts/next-attempt.tsx";
import { NoEndpoint } from "../parts/no-endpoint.tsx";
import pane from "../parts/pane.module.css";
import { Loading, Pane, Title } from "../parts/pane.tsx";
import { Segments } from "../parts/segments.tsx";
import { Table } from "../parts/table.tsx";
import { IdLink, Lines, Mark, Status } from "../parts/text.tsx";
import { useConsole, useRead } from "../use-console.ts";
import { Missing } from "./not-found.tsx";
import { CheckLines, useKeys } from "./signature-check.tsx";
import { StaleNote } from "./stale-note.tsx";

const markOf = (state: string) =>
  state === "ACCEPTED"
    ? "done"
    : state === "GIVEN_UP"
      ? "failed"
      : state === "UNDELIVERABLE" || state === "DROPPED"
        ? "over"
        : "waits";

const isTaken = (status: number | null) => status !== null && (status < 300 || status === 409);

const bytesOf = (base64: string) =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const hasCrypto = () => typeof crypto !== "undefined" && crypto.subtle !== undefined;

const signatureOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).find(([name]) => /signature$/i.test(name))?.[1] ?? "";

const Signature = ({ of }: { of: WholeWebhook }) => {
  const { body: sent } = useRead<WebhookRequest>(`/webhooks/${encodeURIComponent(of.id)}/request`);
  const keys = useKeys();
  const [isFlipped, setFlipped] = useState(false);
  const [lines, setLines] = useState<readonly CheckLine[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: keys change with their number
  useEffect(() => {
    if (!sent || keys.length === 0 || !hasCrypto()) return;
    let isOver = false;
    const bytes =
      sent.signed === undefined ? bytesOf(sent.base64) : new TextEncoder().encode(sent.signed);
    if (isFlipped) bytes[0] = (bytes[0] ?? 0) ^ 1;
    void checkSignature(signatureOf(sent.headers), bytes, keys).then((checkLines) => {
      if (!isOver) setLines(checkLines);
    });
    return () => {
      isOver = true;
    };
  }, [sent, isFlipped, keys.length]);
  const isValid = hasCrypto() ? lines.every(({ ok }) => ok) : of.signature.valid === true;
  const isKnown = !hasCrypto() || lines.length > 0;
  return (
    <Pane
      title="Signature"
      note={
        isKnown && (
          <span className={isValid ? "done" : "failed"}>
            <Mark name={isValid ? "done" : "failed"} /> {isValid ? "verifies" : "does not verify"}
          </span>
        )
      }
      end={hasCrypto() ? "checked in this page" : "checked by the simulator"}
    >
      {hasCrypto() ? <CheckLines of={lines} /> : <p className="more">key {of.signature.key}</p>}
      <div className="acts">
        {hasCrypto() && (
          <Act isSmall isLocal onAct={() => setFlipped(!isFlipped)}>
            {isFlipped ? "Restore the byte" : "Change one byte"}
          </Act>
        )}
        <ActLink href="#/webhooks/doctor">Check a received webhook…</ActLink>
      </div>
    </Pane>
  );
};

const Attempts = ({ of: { attempts, state, nextAttemptAt } }: { of: WholeWebhook }) => {
  const { openSheet } = useConsole();
  const [first] = attempts;
  const last = attempts.at(-1);
  const spanMs = first && last ? Date.parse(last.at) - Date.parse(first.at) : 0;
  return (
    <Pane
      title="Attempts"
      note={`${attempts.length}${spanMs > 0 ? `, over ${showDuration(spanMs)}` : ""}`}
    >
      {attempts.length === 0 && state !== "UNDELIVERABLE" && (
        <p className="more">{stateWords(state)}</p>
      )}
      {state === "UNDELIVERABLE" && <NoEndpoint />}
      {attempts.length > 0 && (
        <Table
          label="Attempts"
          heads={[["no", "r"], ["sent"], ["result"], ["took", "r"], ["reply"]]}
        >
          {attempts.map(({ attempt, at, status, tookMs, error, reply, cut }) => (
            <tr key={attempt}>
              <td className="r m">{attempt}</td>
              <td className="m">{at.slice(11, 19)}</td>
              <td>
                <Status mark={isTaken(status) ? "done" : "failed"}>
                  {status === null ? "no answer" : String(status)}
                </Status>
              </td>
              <td className="r m">{tookMs} ms</td>
              <td className="m s wrap">
                <Lines text={error ?? reply ?? ""} />
                {cut && <p className="more">{cutReplyNote(cut)}</p>}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {nextAttemptAt !== undefined && (
        <div className="acts">
          <NextAttempt at={nextAttemptAt} />
          <Act isSmall onAct={() => openSheet({ kind: "advance", to: nextAttemptAt })}>
            Advance to it
          </Act>
        </div>
      )}
    </Pane>
  );
};

/** Characters of an answer that a sentence quotes. */
const MOST_QUOTED = 60;

const refusedWith = (reply = "") => {
  if (reply === "") return "";
  const more = reply.length > MOST_QUOTED ? "…" : "";
  return ` with “${safeLine(reply.slice(0, MOST_QUOTED))}${more}”`;
};

const VIEWS = ["indented", "exact", "headers"] as const;

const Body = ({ of }: { of: WholeWebhook }) => {
  const [view, setView] = useState<(typeof VIEWS)[number]>("indented");
  const headers = Object.entries(of.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  const text = view === "indented" ? indented(of.body) : view === "exact" ? of.body : headers;
  return (
    <Pane
      title="Body"
      note={`${new TextEncoder().encode(of.body).length} bytes`}
      end={
        <Segments
          label="Form"
          of={VIEWS.map((name) => [name, name])}
          isChosen={(name) => name === view}
          onChoose={setView}
        />
      }
    >
      <Json text={text} label={view} />
      <div className="acts">
        <Copy text={of.body} what="the body" label="Copy body" />
        <Copy
          text={JSON.stringify({ headers: of.headers, body: of.body }, null, 2)}
          what="a test vector"
          label="Copy as test vector"
        />
      </div>
    </Pane>
  );
};

/** One webhook: its attempts, its signature and its exact bytes. */
export const WebhookView = ({ id }: { id: string }) => {
  const { control } = useConsole();
  const read = useRead<WholeWebhook>(`/webhooks/${encodeURIComponent(id)}`);
  const { body, refused } = read;
  if (refused) return <Missing id={id} refused={refused} />;
  if (!body) return <Loading />;
  const failed = body.attempts.filter(({ status }) => !isTaken(status));
  const resend = async () => {
    const path = `/webhooks/${encodeURIComponent(body.id)}/resend`;
    const sent = await control.send<{ state: string; status: number | null }>("POST", path);
    return { text: `Sent again: ${sent.status ?? "no answer"}, ${stateWords(sent.state)}` };
  };
  return (
    <>
      <p className={pane.crumb}>
        <a href="#/webhooks">Webhooks</a> ›
      </p>
      <Title
        beside={
          <>
            <span className={pane.state}>
              <Status mark={markOf(body.state)}>{stateWords(body.state)}</Status>
            </span>
            <StaleNote of={[read]} />
            <span className="grow" />
            <div className="acts">
              <Act does="resend" isSmall shortcut="R" onAct={resend}>
                Resend
              </Act>
              <Copy
                text={`service-sim webhooks show ${body.id}`}
                what="the command"
                label="Copy command"
              />
            </div>
          </>
        }
      >
        {body.type}
      </Title>
      <p className="say">
        {body.about !== undefined && (
          <>
            About <IdLink id={body.about} />, because{" "}
          </>
        )}
        <Because of={body.cause} />.{" "}
        {failed.length > 0 &&
          `Your server refused ${failed.length === 1 ? "one attempt" : `${failed.length} attempts`}${refusedWith(failed[0]?.reply)}. `}
        {body.state === "ACCEPTED" && `It accepted attempt ${body.attempt}.`}
        {body.state === "GIVEN_UP" && "No more attempts follow: fix your server, then resend it."}
      </p>
      <div className={pane.two}>
        <div>
          <Attempts of={body} />
        </div>
        <Signature of={body} />
      </div>
      <Body of={body} />
    </>
  );
};

const Because = ({ of: { kind, id, operation, timer } }: { of: WholeWebhook["cause"] }) =>
  kind === "timer" ? (
    <span className="m clock">
      <Mark name="clock" /> {timer} fired
    </span>
  ) : kind === "request" ? (
    <>
      <IdLink id={id} /> called {operation}
    </>
  ) : (
    <span className="m">{operation ?? id}</span>
  );
