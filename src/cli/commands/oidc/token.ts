import type { OidcToken } from "../../../contract/control/oidc.ts";
import { CLIENT_OPTIONS, type Command, EXIT, type Invocation } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

const CLAIMS = ["email", "sub", "iss", "aud", "nonce"] as const;

const claimsOf = ({ options }: Invocation) =>
  Object.fromEntries(CLAIMS.flatMap((name) => (name in options ? [[name, options[name]]] : [])));

const claim = (flags: string, summary: string) =>
  ({ flags, summary, noEnvironment: true }) as const;

export const command: Command = {
  name: "token",
  summary: "print an ID token that the simulator's own issuer has just signed",
  options: [
    ...CLIENT_OPTIONS,
    claim("--email <address>", "whose token it is (default: ada@example.com)"),
    claim("--sub <subject>", "the holder's id at the issuer (default: made from the address)"),
    claim("--iss <issuer>", "the issuer it names (default: the simulator's own)"),
    claim("--aud <audience>", "whom it is for (default: service-sim)"),
    claim("--nonce <text>", "a nonce claim"),
  ],
  examples: ["service-sim oidc token", "service-sim oidc token --email grace@example.com --json"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const reply = await reach(client.post<OidcToken>("/oidc/token", claimsOf(invocation)));
    terminal.document(reply);
    terminal.print(reply.token);
    return EXIT.done;
  },
};
