import { countdown } from "../../rows/clock-face.ts";
import { mails } from "../../rows/mails.ts";
import { Copy } from "../parts/copy.tsx";
import { Title } from "../parts/pane.tsx";
import { useRowContext, useWatched } from "../use-console.ts";

/** Mails to wallet owners, with the code to copy. */
export const Inbox = () => {
  const { lists } = useWatched();
  const context = useRowContext();
  const isOver = (iso: string) => context.nowMs !== undefined && Date.parse(iso) <= context.nowMs;
  return (
    <>
      <Title>Inbox</Title>
      {lists.mails.length === 0 && <p className="more">{mails.empty}</p>}
      <ul className="mails">
        {lists.mails.map(({ id, to, code, subject, sentAt, expiresAt, neverValid }) => (
          <li key={id}>
            <div className="d">
              {sentAt.slice(11, 19)} to <b>{to}</b>, {subject}
            </div>
            <span className="code m">{code}</span>
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
    </>
  );
};
