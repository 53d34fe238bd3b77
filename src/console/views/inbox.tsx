import type { Mail } from "../../contract/wallets/mails.ts";
import { countdown } from "../../rows/clock-face.ts";
import { mails } from "../../rows/mails.ts";
import { safeText } from "../../text/safe-text.ts";
import { Copy } from "../parts/copy.tsx";
import { Title } from "../parts/pane.tsx";
import { useRowContext, useWatched } from "../use-console.ts";
import css from "./inbox.module.css";

/** Mails with the code of each to copy. */
export const Mails = ({ of }: { of: readonly Mail[] }) => {
  const context = useRowContext();
  const isOver = (iso: string) => context.nowMs !== undefined && Date.parse(iso) <= context.nowMs;
  if (of.length === 0) return <p className="more">{mails.empty}</p>;
  return (
    <ul className={css.mails}>
      {of.map(({ id, to, code, subject, sentAt, expiresAt, neverValid }) => (
        <li key={id}>
          <div className="d">
            {sentAt.slice(11, 19)} to <b>{safeText(to)}</b>, {safeText(subject)}
          </div>
          <span className={`${css.code} m`}>{code}</span>
          <Copy text={code} what={`the code ${code}`} label="Copy code" />
          <span className="s">
            {neverValid !== undefined
              ? `never valid: ${neverValid}`
              : isOver(expiresAt)
                ? "expired"
                : `valid for ${countdown(expiresAt, context)}`}
          </span>
        </li>
      ))}
    </ul>
  );
};

/** Mails to wallet owners. */
export const Inbox = () => {
  const { lists } = useWatched();
  return (
    <>
      <Title>Inbox</Title>
      <Mails of={lists.mails} />
    </>
  );
};
