import { useState } from "react";
import { Field } from "../parts/field.tsx";
import css from "./credentials.module.css";
import type { Operation } from "./document.ts";

/** Owner of the credentials of a call. */
export type Caller = "world" | "agent" | "token" | "none";

/** Credentials that were typed into the page. They are kept in memory, until the tab is closed or reloaded. */
export interface Credentials {
  caller: Caller;
  agentToken: string;
  clientId: string;
  clientSecret: string;
}

let typed: Omit<Credentials, "caller"> = { agentToken: "", clientId: "", clientSecret: "" };

/** The caller that an operation is for. */
const callerOf = ({ security = [] }: Operation): Caller =>
  security.some((one) => "agent" in one) ? "agent" : "world";

/** Credentials of the calls of one operation, and how to change them. */
export const useCredentials = (operation: Operation) => {
  const [credentials, setCredentials] = useState<Credentials>(() => ({
    ...typed,
    caller: callerOf(operation),
  }));
  const set = (changed: Partial<Credentials>) => {
    const next = { ...credentials, ...changed };
    const { caller: _, ...secrets } = next;
    typed = secrets;
    setCredentials(next);
  };
  return [credentials, set] as const;
};

/** Base64 of a text, which may have any character. */
const base64Of = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));

/** The header that they make; nothing for those of the world, which the simulator has. */
export const authorizationOf = ({
  caller,
  agentToken,
  clientId,
  clientSecret,
}: Credentials): string | undefined => {
  if (caller === "world") return undefined;
  if (caller === "none") return "";
  return caller === "agent"
    ? `Bearer ${agentToken.trim()}`
    : `Basic ${base64Of(`${clientId.trim()}:${clientSecret.trim()}`)}`;
};

const CALLERS: readonly (readonly [Caller, string])[] = [
  ["world", "this world's own"],
  ["agent", "an agent's access token"],
  ["token", "client id and secret"],
  ["none", "none"],
];

const Secret = ({
  label,
  value,
  onChange,
  isShown = false,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
  isShown?: boolean;
}) => (
  <Field label={label}>
    <input
      type={isShown ? "text" : "password"}
      autoComplete="off"
      spellCheck={false}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </Field>
);

/** The choice of credentials, and the fields of those that are typed. */
export const CredentialFields = ({
  of: { caller, agentToken, clientId, clientSecret },
  onChange,
}: {
  of: Credentials;
  onChange(changed: Partial<Credentials>): void;
}) => (
  <>
    <Field label="Credentials">
      <select
        value={caller}
        onChange={({ target }) => onChange({ caller: target.value as Caller })}
      >
        {CALLERS.map(([name, says]) => (
          <option key={name} value={name}>
            {says}
          </option>
        ))}
      </select>
    </Field>
    {caller === "agent" && (
      <Secret
        label="Access token"
        value={agentToken}
        onChange={(value) => onChange({ agentToken: value })}
      />
    )}
    {caller === "token" && (
      <div className={css.halves}>
        <Secret
          label="Client id"
          value={clientId}
          isShown
          onChange={(value) => onChange({ clientId: value })}
        />
        <Secret
          label="Client secret"
          value={clientSecret}
          onChange={(value) => onChange({ clientSecret: value })}
        />
      </div>
    )}
  </>
);
