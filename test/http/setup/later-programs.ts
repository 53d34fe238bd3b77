import type { Programs } from "./main-clients.ts";

/**
 * A wallet made from nothing in revision 2026-08, over whichever client a generator made: it signs
 * in with an encrypted code, pays, is exported, and is watched through signed webhooks. Besides the
 * client it uses Node.js alone.
 */
export const LATER_FLOWS = `
import {
  createCipheriv, createDecipheriv, createHmac, createECDH, createPrivateKey, createPublicKey,
  ECDH, sign, verify,
} from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { components } from "./platform.d.ts";

type S = components["schemas"];
export type Signed = { "Service-Wallet-Signature": string; "Request-Id"?: string };
type Asked = { payloadToSign: string; requestId: string };
type Quote = Pick<S["Quote"], "id" | "transactionId" | "paymentInstructions">;

/** Calls that the flow needs of a client. */
export interface Api {
  patchConfig(body: S["ConfigPatch"]): Promise<unknown>;
  createCustomer(body: S["CustomerInput"]): Promise<Pick<S["Customer"], "id">>;
  wallets(customerId: string): Promise<{ data: Pick<S["InternalAccount"], "id" | "totalBalance">[] }>;
  credentials(accountId: string): Promise<{ data: Pick<S["AuthMethod"], "id" | "type">[] }>;
  challenge(id: string): Promise<object>;
  verify(id: string, body: S["CredentialProof"], signed?: Signed): Promise<object>;
  fund(accountId: string, body: S["SandboxFundInput"]): Promise<unknown>;
  addPayee(body: S["CustomerExternalAccountInput"]): Promise<Pick<S["ExternalAccount"], "id">>;
  createQuote(body: S["QuoteInput"]): Promise<Quote>;
  executeQuote(quoteId: string, signed: Signed): Promise<unknown>;
  getTransaction(id: string): Promise<Pick<S["Transaction"], "id" | "status" | "direction">>;
  exportWallet(accountId: string, body: S["WalletExportInput"], signed?: Signed): Promise<object>;
}

const hex = (text: string) => Buffer.from(text, "hex");
const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);

/** RFC 9180, base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const KEM = Buffer.concat([Buffer.from("KEM"), u16(0x10)]);
const HPKE = Buffer.concat([Buffer.from("HPKE"), u16(0x10), u16(1), u16(2)]);
const extract = (suite: Buffer, salt: Buffer, label: string, ikm: Buffer) =>
  createHmac("sha256", salt)
    .update(Buffer.concat([Buffer.from("HPKE-v1"), suite, Buffer.from(label), ikm]))
    .digest();
const expand = (suite: Buffer, prk: Buffer, label: string, info: Buffer, length: number) =>
  createHmac("sha256", prk)
    .update(Buffer.concat([u16(length), Buffer.from("HPKE-v1"), suite, Buffer.from(label), info, Buffer.from([1])]))
    .digest()
    .subarray(0, length);
const none = Buffer.alloc(0);
const keysOf = (shared: Buffer, encapped: Buffer, target: Buffer) => {
  const prk = extract(KEM, none, "eae_prk", shared);
  const secret = expand(KEM, prk, "shared_secret", Buffer.concat([encapped, target]), 32);
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(HPKE, none, "psk_id_hash", none),
    extract(HPKE, none, "info_hash", Buffer.from("turnkey_hpke")),
  ]);
  const schedule = extract(HPKE, secret, "secret", none);
  return {
    key: expand(HPKE, schedule, "key", context, 32),
    nonce: expand(HPKE, schedule, "base_nonce", context, 12),
    aad: Buffer.concat([encapped, target]),
  };
};

const seal = (target: Buffer, text: string) => {
  const ephemeral = createECDH("prime256v1");
  const encapped = ephemeral.generateKeys();
  const { key, nonce, aad } = keysOf(ephemeral.computeSecret(target), encapped, target);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(aad);
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return { encappedPublic: encapped.toString("hex"), ciphertext: sealed.toString("hex") };
};

const unseal = (own: ECDH, { encappedPublic, ciphertext }: { encappedPublic: string; ciphertext: string }) => {
  const [encapped, sealed] = [hex(encappedPublic), hex(ciphertext)];
  const { key, nonce, aad } = keysOf(own.computeSecret(encapped), encapped, own.getPublicKey());
  const decipher = createDecipheriv("aes-256-gcm", key, nonce).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
};

/** A public key of Node.js from an uncompressed point. */
const publicKeyOf = (point: Buffer) =>
  createPublicKey({
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
    format: "jwk",
  });

/** The content of a signed bundle; the signer is the one that the simulator names. */
const opened = (text: string) => {
  const { version, data, dataSignature, enclaveQuorumPublic } = JSON.parse(text);
  const isSigned =
    version === "v1.0.0" &&
    enclaveQuorumPublic === process.env.OTP_SIGNER &&
    verify("sha256", hex(data), publicKeyOf(hex(enclaveQuorumPublic)), hex(dataSignature));
  if (!isSigned) throw new Error("Expected a bundle that the world has signed");
  return JSON.parse(hex(data).toString());
};

/** A full stamp by a key pair. */
const stamp = (pair: ECDH, text: string) => {
  const point = pair.getPublicKey();
  const jwk = {
    ...publicKeyOf(point).export({ format: "jwk" }),
    d: Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url"),
  };
  const signature = sign("sha256", Buffer.from(text), createPrivateKey({ key: jwk, format: "jwk" }));
  const parts = {
    publicKey: pair.getPublicKey("hex", "compressed"),
    scheme: "SIGNATURE_SCHEME_TK_API_P256",
    signature: signature.toString("hex"),
  };
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
};

const signedBy = (pair: ECDH, { payloadToSign, requestId }: Asked): Signed => ({
  "Service-Wallet-Signature": stamp(pair, payloadToSign),
  "Request-Id": requestId,
});

const key = createPublicKey(process.env.WEBHOOK_KEY ?? "");
const seen = new Set<string>();
let forged = 0;
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const signature = Buffer.from(String(request.headers["x-service-signature"]), "base64");
  const event = JSON.parse(body.toString()) as S["WebhookEvent"];
  if (!verify("sha256", body, key, signature)) forged += 1;
  else if (event.type === "OUTGOING_PAYMENT.COMPLETED") seen.add(\`\${event.data.direction} \${event.type}\`);
  else if (event.type === "INTERNAL_ACCOUNT.BALANCE_UPDATED") seen.add(\`\${typeof event.data.totalBalance.amount} \${event.type}\`);
  else seen.add(event.type);
  response.end();
});

const ended = async (api: Api, id: string) => {
  for (let tries = 0; tries < 50; tries += 1) {
    const { status, direction } = await api.getTransaction(id);
    if (status === "COMPLETED" || status === "FAILED") return [status, direction];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return ["none"];
};

export const runLaterFlows = async (api: Api) => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  await api.patchConfig({ webhookEndpoint: \`http://127.0.0.1:\${port}/\` });

  const { id: customerId } = await api.createCustomer({
    customerType: "INDIVIDUAL",
    fullName: "Ada Byron",
    email: "ada@example.com",
  });
  const { data: [wallet] } = await api.wallets(customerId);
  const walletId = wallet?.id ?? "none";
  const { data: born } = await api.credentials(walletId);
  const credentialId = born[0]?.id ?? "none";
  const bundle = (await api.challenge(credentialId)) as { otpEncryptionTargetBundle: string };
  const { targetPublic } = opened(bundle.otpEncryptionTargetBundle);
  const session = createECDH("prime256v1");
  const publicKey = session.generateKeys("hex");
  const proof = (code: string) => ({
    type: "EMAIL_OTP" as const,
    encryptedOtpBundle: JSON.stringify(
      seal(hex(targetPublic), JSON.stringify({ otp_code: code, public_key: publicKey })),
    ),
  });
  const wrong = await api.verify(credentialId, proof("999999")).then(
    () => "taken",
    () => "refused",
  );
  const right = proof("000000");
  const asked = (await api.verify(credentialId, right)) as Asked;
  const signedIn = (await api.verify(credentialId, right, signedBy(session, asked))) as S["AuthSession"];

  await api.fund(walletId, { amount: 100_000_000 });
  const payee = await api.addPayee({
    customerId,
    currency: "MXN",
    accountInfo: {
      accountType: "MXN_ACCOUNT",
      clabeNumber: "646180110400000003",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Flores" },
    },
  });
  const quote = await api.createQuote({
    source: { sourceType: "ACCOUNT", accountId: walletId },
    destination: { destinationType: "ACCOUNT", accountId: payee.id },
    lockedCurrencySide: "SENDING",
    lockedCurrencyAmount: 25_000_000,
  });
  const instructions = JSON.stringify(quote.paymentInstructions);
  const text = JSON.parse(instructions)
    .map(({ accountOrWalletInfo }: { accountOrWalletInfo: { payloadToSign?: string } }) => accountOrWalletInfo.payloadToSign)
    .find(Boolean);
  await api.executeQuote(quote.id, { "Service-Wallet-Signature": stamp(session, text) });
  const paid = await ended(api, quote.transactionId);

  const own = createECDH("prime256v1");
  const body = { clientPublicKey: own.generateKeys("hex") };
  const toExport = (await api.exportWallet(walletId, body)) as Asked;
  const exported = (await api.exportWallet(walletId, body, signedBy(session, toExport))) as S["WalletExport"];
  const words = unseal(own, opened(exported.encryptedWalletCredentials)).split(" ");
  const { data: [after] } = await api.wallets(customerId);

  console.log(JSON.stringify({
    born: born.map(({ type }) => type),
    wrong,
    sealedKey: signedIn.encryptedSessionSigningKey ?? "none",
    signedIn: signedIn.id.startsWith("Session:"),
    paid,
    words: words.length,
    left: after?.totalBalance.amount,
    seen: [...seen].sort(),
    forged,
  }));
  receiver.close();
  receiver.closeAllConnections();
};
`;

/** Types with a thin fetch: openapi-typescript and openapi-fetch. */
const LATER_THIN_FETCH = `
import createClient from "openapi-fetch";
import { type Api, runLaterFlows } from "./flows.ts";
import type { paths } from "./platform.d.ts";

const { API_URL = "", CREDENTIALS = "" } = process.env;
const headers = { authorization: \`Basic \${btoa(CREDENTIALS)}\` };
const client = createClient<paths>({ baseUrl: API_URL, headers });

const ok = <Body>({ data, error }: { data?: Body; error?: unknown }): Body => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const api: Api = {
  patchConfig: async (body) => ok(await client.PATCH("/config", { body })),
  createCustomer: async (body) => ok(await client.POST("/customers", { body })),
  wallets: async (customerId) =>
    ok(await client.GET("/customers/internal-accounts", {
      params: { query: { customerId, type: "EMBEDDED_WALLET" } },
    })),
  credentials: async (accountId) =>
    ok(await client.GET("/auth/credentials", { params: { query: { accountId } } })),
  challenge: async (id) =>
    ok(await client.POST("/auth/credentials/{id}/challenge", { params: { path: { id } } })),
  verify: async (id, body, header = {} as never) =>
    ok(await client.POST("/auth/credentials/{id}/verify", { params: { path: { id }, header }, body })),
  fund: async (accountId, body) =>
    ok(await client.POST("/sandbox/internal-accounts/{accountId}/fund", {
      params: { path: { accountId } },
      body,
    })),
  addPayee: async (body) => ok(await client.POST("/customers/external-accounts", { body })),
  createQuote: async (body) => ok(await client.POST("/quotes", { body })),
  executeQuote: async (quoteId, header) =>
    ok(await client.POST("/quotes/{quoteId}/execute", { params: { path: { quoteId }, header } })),
  getTransaction: async (transactionId) =>
    ok(await client.GET("/transactions/{transactionId}", { params: { path: { transactionId } } })),
  exportWallet: async (accountId, body, header = {} as never) =>
    ok(await client.POST("/internal-accounts/{accountId}/export", {
      params: { path: { accountId }, header },
      body,
    })),
};
await runLaterFlows(api);
`;

/** A whole SDK: @hey-api/openapi-ts. */
const LATER_WHOLE_SDK = `
import { type Api, runLaterFlows } from "./flows.ts";
import { client } from "./sdk/client.gen";
import * as sdk from "./sdk/sdk.gen";

const { API_URL = "", CREDENTIALS = "" } = process.env;
client.setConfig({ baseUrl: API_URL, auth: CREDENTIALS });
const throwOnError = true;

const api: Api = {
  patchConfig: async (body) => (await sdk.patchConfig({ body, throwOnError })).data,
  createCustomer: async (body) => (await sdk.createCustomer({ body, throwOnError })).data,
  wallets: async (customerId) =>
    (await sdk.listCustomerInternalAccounts({
      query: { customerId, type: "EMBEDDED_WALLET" },
      throwOnError,
    })).data,
  credentials: async (accountId) =>
    (await sdk.listCredentials({ query: { accountId }, throwOnError })).data,
  challenge: async (id) => (await sdk.challengeCredential({ path: { id }, throwOnError })).data,
  verify: async (id, body, headers) =>
    (await sdk.verifyCredential({ path: { id }, body, ...(headers && { headers }), throwOnError })).data,
  fund: async (accountId, body) =>
    (await sdk.fundInternalAccount({ path: { accountId }, body, throwOnError })).data,
  addPayee: async (body) => (await sdk.createCustomerExternalAccount({ body, throwOnError })).data,
  createQuote: async (body) => (await sdk.createQuote({ body, throwOnError })).data,
  executeQuote: async (quoteId, headers) =>
    (await sdk.executeQuote({ path: { quoteId }, headers, throwOnError })).data,
  getTransaction: async (transactionId) =>
    (await sdk.getTransaction({ path: { transactionId }, throwOnError })).data,
  exportWallet: async (accountId, body, headers) =>
    (await sdk.exportWallet({ path: { accountId }, body, ...(headers && { headers }), throwOnError })).data,
};
await runLaterFlows(api);
`;

/** A client of one file that needs nothing of Node.js: swagger-typescript-api. */
const LATER_WITHOUT_NODE = `
import { type Api as Flows, runLaterFlows } from "./flows.ts";
import { Api } from "./one-file.ts";

const { API_URL = "", CREDENTIALS = "" } = process.env;
const headers = { authorization: \`Basic \${btoa(CREDENTIALS)}\` };
const client = new Api({ baseUrl: API_URL, baseApiParams: { headers } });
const by = (signed?: object) => signed && { headers: { ...signed } };

const api: Flows = {
  patchConfig: async (body) => (await client.config.patchConfig(body)).data,
  createCustomer: async (body) => (await client.customers.createCustomer(body)).data,
  wallets: async (customerId) =>
    (await client.customers.listCustomerInternalAccounts({ customerId, type: "EMBEDDED_WALLET" })).data,
  credentials: async (accountId) => (await client.auth.listCredentials({ accountId })).data,
  challenge: async (id) => (await client.auth.challengeCredential(id)).data,
  verify: async (id, body, signed) => (await client.auth.verifyCredential(id, body, by(signed))).data,
  fund: async (accountId, body) => (await client.sandbox.fundInternalAccount(accountId, body)).data,
  addPayee: async (body) => (await client.customers.createCustomerExternalAccount(body)).data,
  createQuote: async (body) => (await client.quotes.createQuote(body)).data,
  executeQuote: async (quoteId, signed) => (await client.quotes.executeQuote(quoteId, {}, by(signed))).data,
  getTransaction: async (id) => (await client.transactions.getTransaction(id)).data,
  exportWallet: async (accountId, body, signed) =>
    (await client.internalAccounts.exportWallet(accountId, body, by(signed))).data,
};
await runLaterFlows(api);
`;

/** Programs of a wallet in revision 2026-08, by client. */
export const LATER_PROGRAMS: Programs = {
  thin: LATER_THIN_FETCH,
  sdk: LATER_WHOLE_SDK,
  "one-file": LATER_WITHOUT_NODE,
};
