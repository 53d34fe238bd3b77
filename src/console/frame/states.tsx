import { useEffect, useRef, useState } from "react";
import { Act, ActLink } from "../parts/act.tsx";
import fields from "../parts/field.module.css";
import { Field, Form } from "../parts/field.tsx";
import { Lines, Mark } from "../parts/text.tsx";
import { useConsole, useSeconds, useWatched } from "../use-console.ts";
import css from "./states.module.css";

/** Time without an answer until the page says so: a reconnection is often over before. */
const PATIENCE_MS = 700;

const secondsUntil = (ms: number, nowMs: number) => Math.max(0, Math.round((ms - nowMs) / 1000));

/** Trouble between the page and its world, and what to do. */
export const LinkBanner = ({ refusal }: { refusal: string | undefined }) => {
  const { store, switchWorld, worldName } = useConsole();
  const { link, clock, stopped, asked } = useWatched();
  const isLost = link.state !== "live" && refusal === undefined;
  useSeconds(isLost);
  const wallMs = Date.now();
  const [isPatient, setPatient] = useState(true);
  useEffect(() => {
    setPatient(true);
    if (!isLost) return;
    const timer = setTimeout(() => setPatient(false), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isLost]);
  useEffect(() => {
    document.body.dataset.link = isLost ? "lost" : "live";
  }, [isLost]);
  if (refusal === "WORLD_NOT_FOUND")
    return (
      <div className={css.lost} role="alert">
        <span className="failed">
          <Mark name="failed" /> <b>There is no world {worldName ?? asked}.</b>
        </span>
        <Act isSmall isLocal onAct={() => switchWorld(undefined)}>
          Switch to the default world
        </Act>
      </div>
    );
  if (stopped !== undefined)
    return (
      <div className={css.lost} role="alert">
        <span className="failed">
          <Mark name="failed" /> <b>This world stopped.</b>
        </span>
        <span className="s">
          <Lines text={stopped} />
        </span>
        <ActLink href="#/worlds">Switch world</ActLink>
      </div>
    );
  if (!isLost || isPatient) return null;
  const since = clock === undefined ? undefined : new Date(clock.atMs).toISOString().slice(11, 19);
  return (
    <div className={css.lost} role="alert">
      <span className="failed">
        <Mark name="failed" />{" "}
        <b>
          No answer from {location.host} for {secondsUntil(wallMs, link.sinceMs)}s.
        </b>
      </span>
      <span className="s">
        {since === undefined ? "Nothing has been read yet." : `Everything below is from ${since}.`}{" "}
        {link.nextTryMs !== undefined &&
          `Trying again in ${secondsUntil(link.nextTryMs, wallMs)}s.`}
      </span>
      <span className="grow" />
      <Act isSmall isLocal shortcut="r" onAct={() => store.retry()}>
        Try now
      </Act>
    </div>
  );
};

/** Asks for the token that a simulator beyond loopback wants. */
export const TokenWanted = ({ onToken }: { onToken(token: string): void }) => {
  const field = useRef<HTMLInputElement>(null);
  const send = () => {
    const token = field.current?.value.trim();
    if (token) onToken(token);
  };
  return (
    <main className={css.wanted}>
      <h1>This simulator wants its control token</h1>
      <p className="say">
        It listens beyond this machine. On its machine, <code>service-sim status --show-token</code>{" "}
        prints the token; it is kept only in this tab.
      </p>
      <div className={fields.form}>
        <Form onSend={send}>
          <Field label="Control token">
            <input ref={field} type="password" autoComplete="off" />
          </Field>
          <Act isSubmit isLocal look="main">
            Open the console
          </Act>
        </Form>
      </div>
    </main>
  );
};
