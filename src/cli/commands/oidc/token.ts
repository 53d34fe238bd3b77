import type { OidcToken } from "../../../contract/control/oidc.ts";
import { clientCommand } from "../../frame/client-command.ts";
import { CLIENT_OPTIONS, type Invocation } from "../../frame/command.ts";

const CLAIMS = ["email", "sub", "iss", "aud", "nonce"] as const;

const claimsOf = ({ options }: Invocation) =>
  Object.fromEntries(CLAIMS.flatMap((name) => (name in options ? [[name, options[name]]] : [])));

const claim = (flags: string, summary: string) =>
  ({ flags, summary, noEnvironment: true }) as const;

export const command = clientCommand<OidcToken>({
  name: "token",
  summary: "print a new ID token of the simulator's own issuer",
  options: [
    ...CLIENT_OPTIONS,
    claim("--email <address>", "email claim (default: ada@example.com)"),
    claim(
      "--sub <subject>",
      "sub claim: the holder's id at the issuer (default: derived from the email)",
    ),
    claim("--iss <issuer>", "iss claim: the issuer (default: the simulator's own)"),
    claim("--aud <audience>", "aud claim: the audience (default: service-sim)"),
    claim("--nonce <text>", "nonce claim (default: none)"),
  ],
  examples: ["service-sim oidc token", "service-sim oidc token --email grace@example.com --json"],
  call: (invocation) => ["POST", "/oidc/token", claimsOf(invocation)],
  value: ({ token }) => token,
});
