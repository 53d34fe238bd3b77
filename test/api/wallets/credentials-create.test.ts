import { beforeEach, describe, expect, test } from "vitest";
import { expectRefused, type Refused } from "../setup/refused.ts";
import { goTo } from "../setup/told.ts";
import { worldPerTest } from "../setup/world-per-test.ts";
import {
  MAGIC_SIGNATURE,
  PASSKEY_BODY,
  unsignedToken,
  WalletClient,
} from "./setup/wallet-client.ts";

const world = worldPerTest();

let wallet: WalletClient;

beforeEach(async () => {
  wallet = await WalletClient.create(world(), { email: "ada@example.com" });
});

const create = (members: object, at = wallet) =>
  world().call("POST", "/auth/credentials", { accountId: at.accountId, ...members });

const listed = async (at = wallet) =>
  (await world().call("GET", `/auth/credentials?accountId=${at.accountId}`)).body.data;

const inbox = async () => (await world().control("GET", "/inbox")).body.data;

const invalid = (field: string, reason?: string): Refused => ({
  status: 400,
  code: "INVALID_INPUT",
  field,
  ...(reason !== undefined && { reason }),
});

const EMAIL_OTP = { type: "EMAIL_OTP" };
const OAUTH = { type: "OAUTH", oidcToken: unsignedToken() };

/** Each type of credential, as a first and as a further one, with the reply it gets. */
const TYPES = [
  { type: "EMAIL_OTP", body: EMAIL_OTP, other: OAUTH, shows: { nickname: "ada@example.com" } },
  { type: "OAUTH", body: OAUTH, other: EMAIL_OTP, shows: { nickname: "ada@idp.example" } },
  {
    type: "PASSKEY",
    body: PASSKEY_BODY,
    other: EMAIL_OTP,
    shows: { nickname: "Work laptop", credentialId: "q1ZrT0hWm9xUe2pLd7sYcA" },
  },
];

describe.each(TYPES)("$type", ({ type, body, other, shows }) => {
  const whole = () => ({
    id: expect.stringMatching(/^AuthMethod:[0-9a-f-]{36}$/),
    accountId: wallet.accountId,
    type,
    ...shows,
    createdAt: "2026-01-05T09:00:00.000Z",
    updatedAt: "2026-01-05T09:00:00.000Z",
  });

  test("as the first one is created at once, without a session", async () => {
    const { status, body: made } = await create(body);
    expect(status).toBe(201);
    expect(made).toEqual(whole());
    expect(await listed()).toEqual([made]);
    const sessions = await world().call("GET", `/auth/sessions?accountId=${wallet.accountId}`);
    expect(sessions.body).toEqual({ data: [] });
  });

  test("as a further one needs a signed retry, and is listed after the first", async () => {
    const { body: first } = await create(other);
    const challenged = await create(body);
    expect([challenged.status, challenged.body.type]).toEqual([202, type]);
    expect(await listed()).toEqual([first]);
    const { status, body: made } = await wallet.signed("POST", "/auth/credentials", {
      body: { accountId: wallet.accountId, ...body },
      signature: MAGIC_SIGNATURE,
      requestId: challenged.body.requestId,
    });
    expect(status).toBe(201);
    expect(made).toEqual(whole());
    expect(await listed()).toEqual([first, made]);
  });

  test("a second one of its type is refused on the first call already", async () => {
    await create(body);
    const code = type === "OAUTH" ? "INVALID_INPUT" : `${type}_CREDENTIAL_ALREADY_EXISTS`;
    expectRefused(await create(body), {
      status: 400,
      code,
      field: "type",
      ...(type === "OAUTH" && { reason: "OAUTH_CREDENTIAL_ALREADY_EXISTS" }),
    });
  });

  test.each([
    { account: "unknown", id: () => "InternalAccount:none", reason: "ACCOUNT_NOT_FOUND" },
    { account: "of another kind", id: () => wallet.customerId, reason: "ACCOUNT_NOT_FOUND" },
    { account: "empty", id: () => "", reason: "ACCOUNT_NOT_FOUND" },
  ])("an account id that is $account", async ({ id, reason }) => {
    expectRefused(await create({ ...body, accountId: id() }), invalid("accountId", reason));
  });

  test("an account that is not a wallet", async () => {
    const query = `customerId=${wallet.customerId}&currency=USD`;
    const accounts = await world().call("GET", `/customers/internal-accounts?${query}`);
    const accountId = accounts.body.data[0].id;
    expectRefused(await create({ ...body, accountId }), invalid("accountId", "NOT_A_WALLET"));
  });
});

/** The activity that each 202 asks to sign (spec/signed-retry.md#activities). */
const PAYLOADS = [
  {
    adding: "EMAIL_OTP",
    body: { type: "EMAIL_OTP", email: "grace@example.com" },
    type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
    parameters: { userEmail: "grace@example.com" },
  },
  {
    adding: "OAUTH",
    body: OAUTH,
    type: "ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS",
    parameters: { oauthProviders: [{ oidcToken: OAUTH.oidcToken, providerName: "Google" }] },
  },
  {
    adding: "PASSKEY",
    body: PASSKEY_BODY,
    type: "ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2",
    parameters: {
      authenticators: [
        {
          attestation: {
            attestationObject: PASSKEY_BODY.attestation.attestationObject,
            clientDataJson: PASSKEY_BODY.attestation.clientDataJson,
            credentialId: PASSKEY_BODY.attestation.credentialId,
          },
          authenticatorName: "Work laptop",
          challenge: PASSKEY_BODY.challenge,
          transports: ["internal"],
        },
      ],
    },
  },
];

test.each(PAYLOADS)("the payload for $adding", async ({ adding, body, type, parameters }) => {
  await create(adding === "OAUTH" ? EMAIL_OTP : OAUTH);
  const { payloadToSign, requestId } = (await create(body)).body;
  expect(payloadToSign).toBe(JSON.stringify(JSON.parse(payloadToSign)));
  expect(JSON.parse(payloadToSign)).toEqual({
    type,
    organizationId: wallet.accountId.replace("InternalAccount:", ""),
    requestId,
    timestampMs: "1767603600000",
    parameters: { ...parameters, userId: wallet.customerId },
  });
});

describe("the mail", () => {
  test("is sent with the 201, with a code of six digits that is valid for five minutes", async () => {
    const { body } = await create(EMAIL_OTP);
    const [mail, ...more] = await inbox();
    expect(more).toEqual([]);
    expect(mail).toEqual({
      id: expect.stringMatching(/^Mail:/),
      to: "ada@example.com",
      code: expect.stringMatching(/^[0-9]{6}$/),
      subject: "Your sign-in code",
      text: `${mail.code} signs you in to service-sim. It is valid for 5m.`,
      sentAt: "2026-01-05T09:00:00.000Z",
      credentialId: body.id,
      expiresAt: "2026-01-05T09:05:00.000Z",
    });
  });

  test("of a further credential is sent with the signed retry, not with the 202", async () => {
    await create(OAUTH);
    const body = { accountId: wallet.accountId, ...EMAIL_OTP };
    const { requestId } = (await create(EMAIL_OTP)).body;
    expect(await inbox()).toEqual([]);
    const wrong = { body, signature: "x", requestId };
    await wallet.signed("POST", "/auth/credentials", wrong);
    expect(await inbox()).toEqual([]);
    await wallet.signed("POST", "/auth/credentials", { ...wrong, signature: MAGIC_SIGNATURE });
    expect(await inbox()).toHaveLength(1);
  });

  test("is not sent if the credential is refused", async () => {
    await create(EMAIL_OTP);
    await create(EMAIL_OTP);
    expect(await inbox()).toHaveLength(1);
  });

  test("goes to the address of the body, and to the same one of several wallets", async () => {
    const other = await WalletClient.create(world(), { email: "ada@example.com" });
    for (const at of [wallet, other]) {
      const { status, body } = await create({ type: "EMAIL_OTP", email: "shared@x.example" }, at);
      expect([status, body.nickname]).toEqual([201, "shared@x.example"]);
    }
    const mails = await inbox();
    expect(mails.map(({ to }: { to: string }) => to)).toEqual([
      "shared@x.example",
      "shared@x.example",
    ]);
    const { email } = (await world().call("GET", `/customers/${wallet.customerId}`)).body;
    expect(email).toBe("ada@example.com");
  });

  test("needs an address, from the body or the customer", async () => {
    const nobody = await WalletClient.create(world());
    expectRefused(await create(EMAIL_OTP, nobody), invalid("email"));
    expect((await create({ type: "EMAIL_OTP", email: "a@b.example" }, nobody)).status).toBe(201);
  });

  test.each([
    { otpLength: 4, alphanumeric: true, form: /^[0-9A-Z]{4}$/ },
    { otpLength: 12, alphanumeric: false, form: /^[0-9]{12}$/ },
    { otpLength: 12, alphanumeric: true, form: /^[0-9A-Z]{12}$/ },
  ])("has a code as configured: $form", async ({ form, ...settings }) => {
    const embeddedWalletConfig = { ...settings, expirationSeconds: 7, appName: "Wallet One" };
    await world().call("PATCH", "/config", { embeddedWalletConfig });
    await create(EMAIL_OTP);
    const [mail] = await inbox();
    expect(mail.code).toMatch(form);
    expect(mail.expiresAt).toBe("2026-01-05T09:00:07.000Z");
    expect(mail.text).toBe(`${mail.code} signs you in to Wallet One. It is valid for 7s.`);
  });
});

describe("ill-formed bodies", () => {
  test.each([
    { body: {}, field: "type" },
    { body: { type: "SMS_OTP" }, field: "type" },
    { body: { type: null }, field: "type" },
    { body: { type: "EMAIL_OTP", email: "nobody" }, field: "email" },
    { body: { type: "EMAIL_OTP", email: null }, field: "email" },
    { body: { type: "EMAIL_OTP", email: 7 }, field: "email" },
    { body: { type: "OAUTH" }, field: "oidcToken" },
    { body: { type: "OAUTH", oidcToken: "" }, field: "oidcToken" },
    { body: { ...PASSKEY_BODY, challenge: undefined }, field: "challenge" },
    { body: { ...PASSKEY_BODY, challenge: "" }, field: "challenge" },
    { body: { ...PASSKEY_BODY, attestation: undefined }, field: "attestation" },
    { body: { ...PASSKEY_BODY, attestation: "x" }, field: "attestation" },
    ...["credentialId", "clientDataJson", "attestationObject"].flatMap((name) =>
      ["", undefined, null].map((value) => ({
        body: { ...PASSKEY_BODY, attestation: { ...PASSKEY_BODY.attestation, [name]: value } },
        field: `attestation.${name}`,
      })),
    ),
    {
      body: { ...PASSKEY_BODY, attestation: { ...PASSKEY_BODY.attestation, transports: ["air"] } },
      field: "attestation.transports.0",
    },
  ])("$field of $body", async ({ body, field }) => {
    expectRefused(await create(body), invalid(field));
    expect(await listed()).toEqual([]);
  });

  test("no account id at all", async () => {
    for (const body of [EMAIL_OTP, OAUTH, PASSKEY_BODY])
      expectRefused(await world().call("POST", "/auth/credentials", body), invalid("accountId"));
  });

  test.each([
    ["[]", "body"],
    ['"x"', "body"],
  ])("%s instead of an object", async (text, field) => {
    const headers = { "content-type": "application/json" };
    const answer = await world().raw("POST", "/auth/credentials", { body: text, headers });
    expectRefused(answer, invalid(field));
  });
});

describe("nicknames of passkeys", () => {
  test.each([
    ["  Work laptop\t", "Work laptop"],
    ["a", "a"],
    ["Ada's (2nd) key_1.0-x", "Ada's (2nd) key_1.0-x"],
    ["Schlüssel von Zoë", "Schlüssel von Zoë"],
    ["私の鍵 ٣", "私の鍵 ٣"],
    ["हिन्दी", "हिन्दी"],
    ["x".repeat(100), "x".repeat(100)],
    ["𠮷".repeat(100), "𠮷".repeat(100)],
    [` ${"x".repeat(100)} `, "x".repeat(100)],
  ])("%j is stored as %j", async (nickname, kept) => {
    const { status, body } = await create({ ...PASSKEY_BODY, nickname });
    expect([status, body.nickname]).toEqual([201, kept]);
  });

  test.each([
    "",
    "   ",
    "x".repeat(101),
    "𠮷".repeat(101),
    "a\nb",
    "a\tb",
    "key!",
    "a/b",
    "<b>",
    "key 🔑",
    "a\u0000",
    7,
    null,
    undefined,
  ])("%j is refused", async (nickname) => {
    expectRefused(await create({ ...PASSKEY_BODY, nickname }), invalid("nickname"));
  });
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const HEADER = part({ alg: "RS256" });
const CLAIMS = part({ iss: "https://accounts.google.com", sub: "1" });

describe("tokens of OAUTH", () => {
  test.each([
    ["no JWT", "sandbox-valid-oidc-token"],
    ["two parts", `${HEADER}.${CLAIMS}`],
    ["four parts", `${HEADER}.${CLAIMS}.c2ln.c2ln`],
    ["an empty signature", `${HEADER}.${CLAIMS}.`],
    ["an empty header", `.${CLAIMS}.c2ln`],
    ["a header that is no object", `${part(["RS256"])}.${CLAIMS}.c2ln`],
    ["a header without alg", `${part({ typ: "JWT" })}.${CLAIMS}.c2ln`],
    ["a payload that is no JSON", `${HEADER}.bm8.c2ln`],
    ["a payload that is a list", `${HEADER}.${part([])}.c2ln`],
    ["a payload that is null", `${HEADER}.${part(null)}.c2ln`],
    ["plain base64", `${HEADER}.${CLAIMS}.c2+/`],
    ["padding", `${HEADER}.${CLAIMS}.c2lnbg==`],
    ["a blank in front", ` ${HEADER}.${CLAIMS}.c2ln`],
    ["no iss", `${HEADER}.${part({ sub: "1" })}.c2ln`],
    ["an iss that is no text", `${HEADER}.${part({ iss: 7 })}.c2ln`],
    ["an unknown iss", unsignedToken({ iss: "https://idp.example" })],
    ["nearly a known iss", unsignedToken({ iss: "https://accounts.google.com/" })],
    ["an iss of Object.prototype", unsignedToken({ iss: "constructor" })],
  ])("%s is refused", async (_what, oidcToken) => {
    expectRefused(await create({ type: "OAUTH", oidcToken }), invalid("oidcToken"));
    expect(await listed()).toEqual([]);
  });

  test.each([
    ["Google", { iss: "https://accounts.google.com" }, "ada@idp.example"],
    ["Google's short name", { iss: "accounts.google.com" }, "ada@idp.example"],
    ["Apple", { iss: "https://appleid.apple.com" }, "ada@idp.example"],
    ["no address: the subject", { email: undefined }, "1042"],
    ["neither: the issuer", { email: undefined, sub: undefined }, "https://accounts.google.com"],
    ["any age", { iat: 1, exp: 2 }, "ada@idp.example"],
  ])("%s", async (_what, claims, nickname) => {
    const { status, body } = await create({ type: "OAUTH", oidcToken: unsignedToken(claims) });
    expect([status, body.nickname]).toEqual([201, nickname]);
  });
});

describe("the list", () => {
  test("is oldest first, and only of that wallet", async () => {
    const other = await WalletClient.create(world(), { email: "grace@example.com" });
    const foreign = await other.addEmail();
    const first = await wallet.addOauth();
    await goTo(world(), "09:00:01.000");
    const second = await wallet.addPasskey();
    const ids = (await listed()).map(({ id }: { id: string }) => id);
    expect(ids).toEqual([first, second]);
    expect((await listed(other)).map(({ id }: { id: string }) => id)).toEqual([foreign]);
  });

  test.each(["/auth/credentials", "/auth/sessions"])("%s requires an accountId", async (path) => {
    for (const query of ["", "?accountId=", "?other=x"])
      expectRefused(await world().call("GET", path + query), invalid("accountId"));
    const twice = `?accountId=${wallet.accountId}&accountId=${wallet.accountId}`;
    expectRefused(await world().call("GET", path + twice), invalid("accountId"));
  });

  test.each(["/auth/credentials", "/auth/sessions"])(
    "%s of an unknown wallet is empty",
    async (path) => {
      await wallet.addEmail();
      for (const id of [
        "InternalAccount:none",
        "x",
        wallet.customerId,
        "%F0%9F%94%91",
        "__proto__",
      ]) {
        const { status, body } = await world().call("GET", `${path}?accountId=${id}`);
        expect([status, body]).toEqual([200, { data: [] }]);
      }
    },
  );
});
