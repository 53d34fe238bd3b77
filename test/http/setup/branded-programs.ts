import type { Programs } from "./main-clients.ts";
import { mainFlows } from "./main-flows.ts";

/** The main flows of the first revision, with a sign-in by a magic code: of the brand `acme`. */
export const FLOWS = {
  "main-flows.ts": mainFlows("acme"),
  "flows.ts": `
import { type MainApi, runMainFlows, startReceiver } from "./main-flows.ts";
import type { components } from "./platform.d.ts";

type S = components["schemas"];
type Signed = { "Acme-Wallet-Signature": string; "Request-Id": string };

/** Calls that the flows need of a client. */
export interface Api extends MainApi {
  createCredential(
    body: S["CredentialInput"],
    signed?: Signed,
  ): Promise<S["AuthMethod"] | S["SigningChallenge"]>;
  verifyCredential(id: string, body: S["CredentialProof"]): Promise<S["AuthSession"]>;
}

const MAGIC = "sandbox-valid-signature";
const CLIENT_KEY =
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

const token = (claims: object) =>
  [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".") + ".c2lnbmF0dXJl";

export const runFlows = async (api: Api) => {
  const receiver = await startReceiver();
  await api.patchConfig({ webhookEndpoint: receiver.url });
  const { customerId, main } = await runMainFlows(api);
  const { data: [wallet] } = await api.listInternalAccounts({ customerId, type: "EMBEDDED_WALLET" });
  const walletId = wallet?.id ?? "none";
  const email = await api.createCredential({
    type: "EMAIL_OTP",
    accountId: walletId,
    email: "ada@example.com",
  });
  const session =
    "id" in email &&
    (await api.verifyCredential(email.id, {
      type: "EMAIL_OTP",
      otp: "000000",
      clientPublicKey: CLIENT_KEY,
    }));
  const oauth = {
    type: "OAUTH" as const,
    accountId: walletId,
    oidcToken: token({ iss: "https://accounts.google.com", sub: "1", email: "ada@idp.example" }),
  };
  const asked = await api.createCredential(oauth);
  const added =
    "requestId" in asked &&
    (await api.createCredential(oauth, {
      "Acme-Wallet-Signature": MAGIC,
      "Request-Id": asked.requestId,
    }));

  console.log(JSON.stringify({
    ...main,
    signedIn: session && session.id.startsWith("Session:"),
    added: added && "id" in added,
    ...receiver.stop(),
  }));
};
`,
};

const THIN = `
import { type Api, runFlows } from "./flows.ts";
import { client, main, ok } from "./thin-main.ts";

const api: Api = {
  ...main,
  createCredential: async (body, signed) =>
    ok(await client.POST("/auth/credentials", { body, params: { header: signed ?? {} } })),
  verifyCredential: async (id, body) =>
    ok(await client.POST("/auth/credentials/{id}/verify", { params: { path: { id } }, body })),
};
await runFlows(api);
`;

const SDK = `
import { type Api, runFlows } from "./flows.ts";
import * as sdk from "./sdk/sdk.gen";
import { main, throwOnError } from "./sdk-main.ts";

const api: Api = {
  ...main,
  createCredential: async (body, signed) =>
    (await sdk.createCredential({ body, ...(signed && { headers: signed }), throwOnError })).data,
  verifyCredential: async (id, body) =>
    (await sdk.verifyCredential({ path: { id }, body, throwOnError })).data,
};
await runFlows(api);
`;

const ONE_FILE = `
import { type Api, runFlows } from "./flows.ts";
import { client, main } from "./one-file-main.ts";

const api: Api = {
  ...main,
  createCredential: async (body, signed) =>
    (await client.auth.createCredential(body, signed && { headers: { ...signed } })).data,
  verifyCredential: async (id, body) => (await client.auth.verifyCredential(id, body)).data,
};
await runFlows(api);
`;

/** Programs of the first revision, by client. */
export const PROGRAMS: Programs = { thin: THIN, sdk: SDK, "one-file": ONE_FILE };
