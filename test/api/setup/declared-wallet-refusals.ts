import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
import {
  clientKeys,
  MAGIC_SIGNATURE,
  PASSKEY_BODY,
  unsignedToken,
  WalletClient,
} from "../wallets/setup/wallet-client.ts";
import type { DeclaredRefusal } from "./declared-refusals.ts";
import type { Refused } from "./refused.ts";

const invalid = (field: string | undefined, reason: string): Refused => ({
  status: 400,
  code: "INVALID_INPUT",
  reason,
  ...(field !== undefined && { field }),
});
const NOT_FOUND: Refused = { status: 404, code: "REFERENCE_NOT_FOUND" };
const unauthorized = (reason: string): Refused => ({ status: 401, code: "UNAUTHORIZED", reason });
const RATE_LIMITED: Refused = { status: 429, code: "RATE_LIMITED" };

const EMAIL = "ada@example.com";

const walletIn = (world: TestSimulator) => WalletClient.create(world, { email: EMAIL });

/** A call on the new wallet of a customer with an email address. */
const onWallet =
  (meet: (wallet: WalletClient) => Promise<Answer>) => async (world: TestSimulator) =>
    meet(await walletIn(world));

const create = ({ sim, accountId }: WalletClient, body: object) =>
  sim.call("POST", "/auth/credentials", { accountId, ...body });

const twice = (body: object) =>
  onWallet(async (wallet) => {
    await create(wallet, body);
    return create(wallet, body);
  });

const usdAccountOf = async ({ sim, customerId }: WalletClient): Promise<string> => {
  const query = `customerId=${customerId}&currency=USD`;
  return (await sim.call("GET", `/customers/internal-accounts?${query}`)).body.data[0].id;
};

const oauth = { type: "OAUTH", oidcToken: unsignedToken() };
const clientPublicKey = clientKeys().publicKey;

const verify = ({ sim }: WalletClient, id: string, body: object) =>
  sim.call("POST", `/auth/credentials/${id}/verify`, { clientPublicKey, ...body });

const wrongCode = async (wallet: WalletClient, times: number): Promise<Answer> => {
  const id = await wallet.addEmail(EMAIL);
  const proof = { type: "EMAIL_OTP", otp: "no-code" };
  for (let n = 1; n < times; n += 1) await verify(wallet, id, proof);
  return verify(wallet, id, proof);
};

const creation: DeclaredRefusal[] = [
  {
    operation: "createCredential",
    word: "ACCOUNT_NOT_FOUND",
    refused: invalid("accountId", "ACCOUNT_NOT_FOUND"),
    meet: ({ call }) => call("POST", "/auth/credentials", { ...oauth, accountId: "none" }),
  },
  {
    operation: "createCredential",
    word: "NOT_A_WALLET",
    refused: invalid("accountId", "NOT_A_WALLET"),
    meet: onWallet(async (wallet) =>
      create(wallet, { ...oauth, accountId: await usdAccountOf(wallet) }),
    ),
  },
  {
    operation: "createCredential",
    word: "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
    refused: { status: 400, code: "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS", field: "type" },
    meet: twice({ type: "EMAIL_OTP" }),
  },
  {
    operation: "createCredential",
    word: "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
    refused: { status: 400, code: "PASSKEY_CREDENTIAL_ALREADY_EXISTS", field: "type" },
    meet: twice(PASSKEY_BODY),
  },
  {
    operation: "createCredential",
    word: "OAUTH_CREDENTIAL_ALREADY_EXISTS",
    refused: invalid("type", "OAUTH_CREDENTIAL_ALREADY_EXISTS"),
    meet: twice(oauth),
  },
  {
    operation: "createCredential",
    word: "CHALLENGE_USED",
    refused: invalid("challenge", "CHALLENGE_USED"),
    meet: onWallet(async (wallet) => {
      await create(wallet, PASSKEY_BODY);
      return create(await WalletClient.create(wallet.sim), PASSKEY_BODY);
    }),
  },
];

const proofs: DeclaredRefusal[] = [
  ...["challenge", "verify"].map(
    (step): DeclaredRefusal => ({
      operation: `${step}Credential`,
      word: "REFERENCE_NOT_FOUND",
      refused: NOT_FOUND,
      meet: ({ call }) => call("POST", `/auth/credentials/AuthMethod:none/${step}`, {}),
    }),
  ),
  {
    operation: "challengeCredential",
    word: "RATE_LIMITED",
    refused: RATE_LIMITED,
    meet: onWallet(async (wallet) => {
      const path = `/auth/credentials/${await wallet.addEmail(EMAIL)}/challenge`;
      for (let n = 0; n < 3; n += 1) await wallet.sim.call("POST", path);
      return wallet.sim.call("POST", path);
    }),
  },
  {
    operation: "verifyCredential",
    word: "INVALID_OTP_CODE",
    refused: unauthorized("Invalid OTP code"),
    meet: onWallet((wallet) => wrongCode(wallet, 1)),
  },
  {
    operation: "verifyCredential",
    word: "RATE_LIMITED",
    refused: RATE_LIMITED,
    meet: onWallet((wallet) => wrongCode(wallet, 6)),
  },
  {
    operation: "verifyCredential",
    word: "INVALID_OIDC_TOKEN",
    refused: unauthorized("Invalid OIDC token"),
    meet: onWallet(async (wallet) => verify(wallet, await wallet.addOauth(), oauth)),
  },
  {
    operation: "verifyCredential",
    word: "INVALID_PASSKEY_SIGNATURE",
    refused: unauthorized("Invalid passkey signature"),
    meet: onWallet(async (wallet) => {
      const path = `/auth/credentials/${await wallet.addPasskey()}`;
      const asked = await wallet.sim.call("POST", `${path}/challenge`, { clientPublicKey });
      const members = { credentialId: "eA", clientDataJson: "eA", authenticatorData: "eA" };
      const body = { type: "PASSKEY", assertion: { ...members, signature: "eA" } };
      const { requestId } = asked.body;
      return wallet.signed("POST", `${path}/verify`, { body, requestId });
    }),
  },
];

const DELETED = unauthorized("CUSTOMER_DELETED");

const ofDeletedCustomers: DeclaredRefusal[] = [
  {
    operation: "verifyCredential",
    word: "SIGN_IN_OF_DELETED_CUSTOMER",
    refused: DELETED,
    meet: onWallet(async (wallet) => {
      const id = await wallet.addEmail(EMAIL);
      await wallet.sim.call("DELETE", `/customers/${wallet.customerId}`);
      return verify(wallet, id, { type: "EMAIL_OTP", otp: "000000" });
    }),
  },
  {
    operation: "challengeCredential",
    word: "SIGN_IN_OF_DELETED_CUSTOMER",
    refused: DELETED,
    meet: onWallet(async (wallet) => {
      const id = await wallet.addEmail(EMAIL);
      await wallet.sim.call("DELETE", `/customers/${wallet.customerId}`);
      return wallet.sim.call("POST", `/auth/credentials/${id}/challenge`);
    }),
  },
  {
    operation: "refreshSession",
    word: "SIGN_IN_OF_DELETED_CUSTOMER",
    refused: DELETED,
    meet: onWallet(async (wallet) => {
      const { id } = await wallet.signIn(await wallet.addEmail(EMAIL));
      await wallet.sim.call("DELETE", `/customers/${wallet.customerId}`);
      return wallet.sim.call("POST", `/auth/sessions/${id}/refresh`, { clientPublicKey });
    }),
  },
];

const revocation: DeclaredRefusal[] = [
  {
    operation: "deleteCredential",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("DELETE", "/auth/credentials/AuthMethod:none"),
  },
  {
    operation: "deleteCredential",
    word: "LAST_CREDENTIAL",
    refused: invalid(undefined, "LAST_CREDENTIAL"),
    meet: onWallet(async (wallet) =>
      wallet.sim.call("DELETE", `/auth/credentials/${await wallet.addEmail(EMAIL)}`),
    ),
  },
  {
    operation: "deleteSession",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("DELETE", "/auth/sessions/Session:none"),
  },
  {
    operation: "refreshSession",
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call("POST", "/auth/sessions/Session:none/refresh", { clientPublicKey }),
  },
  {
    operation: "refreshSession",
    word: "SESSION_NOT_ACTIVE",
    refused: unauthorized("Session is not active"),
    meet: onWallet(async (wallet) => {
      const { id } = await wallet.signIn(await wallet.addEmail(EMAIL));
      await wallet.retried("DELETE", `/auth/sessions/${id}`);
      return wallet.sim.call("POST", `/auth/sessions/${id}/refresh`, { clientPublicKey });
    }),
  },
];

const WALLET_UPDATES = [
  {
    operation: "updateInternalAccount",
    method: "PATCH",
    below: "",
    body: { privateEnabled: true },
  },
  { operation: "exportWallet", method: "POST", below: "/export", body: { clientPublicKey } },
];

const updates = WALLET_UPDATES.flatMap(({ operation, method, below, body }): DeclaredRefusal[] => [
  {
    operation,
    word: "REFERENCE_NOT_FOUND",
    refused: NOT_FOUND,
    meet: ({ call }) => call(method, `/internal-accounts/none${below}`, body),
  },
  {
    operation,
    word: "NOT_A_WALLET",
    refused: invalid("accountId", "NOT_A_WALLET"),
    meet: onWallet(async (wallet) =>
      wallet.sim.call(method, `/internal-accounts/${await usdAccountOf(wallet)}${below}`, body),
    ),
  },
]);

const patchEmail = ({ sim, customerId }: WalletClient, email: string) =>
  sim.call("PATCH", `/customers/${customerId}`, { customerType: "INDIVIDUAL", email });

const emails: DeclaredRefusal[] = [
  {
    operation: "patchCustomer",
    word: "EMAIL_OTP_EMAIL_ALREADY_EXISTS",
    refused: { status: 409, code: "EMAIL_OTP_EMAIL_ALREADY_EXISTS", field: "email" },
    meet: async (world) => {
      const wallet = await walletIn(world);
      await wallet.addEmail(EMAIL);
      await (await WalletClient.create(world)).addEmail("grace@example.com");
      return patchEmail(wallet, "grace@example.com");
    },
  },
  {
    operation: "patchCustomer",
    word: "EMAIL_OTP_CREDENTIAL_SET_CHANGED",
    refused: { status: 409, code: "EMAIL_OTP_CREDENTIAL_SET_CHANGED" },
    meet: onWallet(async (wallet) => {
      const id = await wallet.addEmail(EMAIL);
      await wallet.addOauth();
      const { requestId } = (await patchEmail(wallet, "ada@new.example")).body;
      await wallet.retried("DELETE", `/auth/credentials/${id}`);
      const body = { customerType: "INDIVIDUAL", email: "ada@new.example" };
      const signature = MAGIC_SIGNATURE;
      const path = `/customers/${wallet.customerId}`;
      return wallet.signed("PATCH", path, { body, signature, requestId });
    }),
  },
];

/** Refusals that the operations of wallets declare. */
export const DECLARED_WALLET_REFUSALS = [
  ...creation,
  ...proofs,
  ...ofDeletedCustomers,
  ...revocation,
  ...updates,
  ...emails,
];
