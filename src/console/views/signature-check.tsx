import type { ShownKeys } from "../../contract/control/webhook-keys.ts";
import type { CheckLine, PublicKey } from "../crypto/verify.ts";
import { Mark } from "../parts/text.tsx";
import { useRead } from "../use-console.ts";
import css from "./signature-check.module.css";

/** Keys that sign and signed, the current one first. */
export const useKeys = (): readonly PublicKey[] => {
  const { body } = useRead<ShownKeys>("/webhooks/keys");
  return body ? [body.current, ...body.retired.map((key) => ({ ...key, isRetired: true }))] : [];
};

/** Lines of a check, each with its own mark. */
export const CheckLines = ({ of }: { of: readonly CheckLine[] }) => (
  <ol className={css.checks}>
    {of.map(({ name, ok, found, says }) => (
      <li key={name}>
        <Mark name={ok ? "done" : "failed"} />
        <span className="d">{name}</span>
        <span>
          {found !== "" && (
            <span className={`m ${css.hex}`} title={found}>
              {found}
            </span>
          )}
          {says}
        </span>
      </li>
    ))}
  </ol>
);
