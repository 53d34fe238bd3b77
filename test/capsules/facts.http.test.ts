import { describe, expect, test } from "vitest";
import { encodeLine, type RequestLine, readCapsule } from "../../src/capsules/capsule-lines.ts";
import { createPasskey } from "../../src/crypto/software-authenticator.ts";
import { bareSignatureOver, stampOver } from "../../src/crypto/wallet-signatures.ts";
import type { SimulatorOptions } from "../../src/simulator.ts";
import { PasskeyClient } from "../api/wallets/setup/passkey-client.ts";
import { clientKeys, openedSession, WalletClient } from "../api/wallets/setup/wallet-client.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";
import { pdfOf, postDocument, putDocument } from "../setup/uploads.ts";
import { recordWorld, replayed, valuesIn } from "./setup/recorded-world.ts";

/** What a run sent: values that are no business of a reader, and the statuses they got. */
interface Sent {
  values: string[];
  statuses: number[];
}

interface Kind {
  says: string;
  options?: SimulatorOptions;
  /** Checks that were asked, in their order. */
  asks: string[];
  statuses: number[];
  run(world: TestSimulator): Promise<Sent>;
}

const verify = (wallet: WalletClient, id: string, proof: object) =>
  wallet.sim.call("POST", `/auth/credentials/${id}/verify`, {
    clientPublicKey: clientKeys().publicKey,
    ...proof,
  });

const issued = async ({ control }: TestSimulator, claims: object = {}): Promise<string> =>
  (await control("POST", "/oidc/token", claims)).body.token;

/** Another token, of the same form and claims. */
const tampered = (token: string) => {
  const [header, payload, signature = ""] = token.split(".");
  return [header, payload, [...signature].reverse().join("")].join(".");
};

const mailedCode = async ({ control }: TestSimulator): Promise<string> =>
  (await control("GET", "/inbox")).body.data[0].code;

const codes = async (world: TestSimulator): Promise<Sent> => {
  const wallet = await WalletClient.create(world);
  const id = await wallet.addEmail();
  const right = await mailedCode(world);
  const wrong = "QX7W4R9K2M5T";
  const sent = [wrong, right, right].map(
    (otp) => () => verify(wallet, id, { type: "EMAIL_OTP", otp }),
  );
  const statuses: number[] = [];
  for (const one of sent) statuses.push((await one()).status);
  return { values: [right, wrong], statuses };
};

const longCodes = async (world: TestSimulator) => {
  const embeddedWalletConfig = { otpLength: 12, alphanumeric: true };
  await world.call("PATCH", "/config", { embeddedWalletConfig });
  return codes(world);
};

const chosenCodes = async (world: TestSimulator) => {
  const chosen = "918273645546";
  await world.control("PUT", "/inbox/codes", { codes: chosen });
  const { values, statuses } = await codes(world);
  // A number is no code, and its refusal repeats it.
  const wallet = await WalletClient.create(world);
  const number = 778_899_665_544;
  const refused = await verify(wallet, await wallet.addEmail("eve@example.com"), {
    type: "EMAIL_OTP",
    otp: number,
  });
  return { values: [...values, chosen, `${number}`], statuses: [...statuses, refused.status] };
};

const tokens = async (world: TestSimulator): Promise<Sent> => {
  const wallet = await WalletClient.create(world);
  const first = await issued(world);
  const body = { type: "OAUTH", accountId: wallet.accountId, oidcToken: first };
  const created = await world.call("POST", "/auth/credentials", body);
  const fresh = await issued(world);
  const other = await issued(world, { sub: "somebody-else" });
  const sent = [fresh, tampered(fresh), other, "no-token-at-all"];
  const statuses = [created.status];
  for (const oidcToken of sent)
    statuses.push((await verify(wallet, created.body.id, { type: "OAUTH", oidcToken })).status);
  await world.control("POST", "/clock/advance", { by: "2m" });
  const late = await verify(wallet, created.body.id, { type: "OAUTH", oidcToken: fresh });
  const values = [first, ...sent].flatMap((one) => [one, one.split(".").at(-1) as string]);
  return { values, statuses: [...statuses, late.status] };
};

/** A token of a further credential is shown in the text to sign. */
const shownTokens = async (world: TestSimulator): Promise<Sent> => {
  const wallet = await WalletClient.create(world);
  const session = await wallet.signIn(await wallet.addEmail());
  const oidcToken = await issued(world);
  const body = { type: "OAUTH", accountId: wallet.accountId, oidcToken };
  const asked = await wallet.signed("POST", "/auth/credentials", { body });
  const { payloadToSign, requestId } = asked.body;
  expect(payloadToSign).toContain(oidcToken);
  const signature = stampOver(payloadToSign, session.privateKeyHex);
  const changed = { ...body, oidcToken: tampered(oidcToken) };
  const sent = [changed, body].map(
    (one) => () => wallet.signed("POST", "/auth/credentials", { body: one, signature, requestId }),
  );
  const statuses = [asked.status];
  for (const one of sent) statuses.push((await one()).status);
  return { values: [oidcToken, signature], statuses };
};

const signatures = async (world: TestSimulator): Promise<Sent> => {
  const wallet = await WalletClient.create(world);
  const session = await wallet.signIn(await wallet.addEmail());
  const path = `/internal-accounts/${wallet.accountId}`;
  const body = { privateEnabled: true };
  const values: string[] = [];
  const statuses: number[] = [];
  const retry = async (sign: (payload: string) => string) => {
    const asked = await wallet.signed("PATCH", path, { body });
    const signature = sign(asked.body.payloadToSign);
    values.push(signature);
    const { requestId } = asked.body;
    statuses.push((await wallet.signed("PATCH", path, { body, signature, requestId })).status);
  };
  await retry((payload) => stampOver(`${payload} `, session.privateKeyHex));
  await retry((payload) => bareSignatureOver(payload, clientKeys().privateKeyHex));
  await retry((payload) =>
    Buffer.from(`{"stamp of": "${payload.length} other"}`).toString("base64url"),
  );
  await retry((payload) => stampOver(payload, session.privateKeyHex));
  await retry((payload) => bareSignatureOver(payload, session.privateKeyHex));
  return { values, statuses };
};

const passkeys = async (world: TestSimulator): Promise<Sent> => {
  const wallet = await WalletClient.create(world);
  const client = await PasskeyClient.register(wallet);
  const asked = await client.challenge();
  const wrong = client.assertion("another-challenge-than-that");
  const right = { ...client.assertion(asked.challenge), userHandle: "handle-of-ada-4711" };
  const statuses: number[] = [];
  for (const assertion of [wrong, right, right])
    statuses.push((await client.verify(assertion, asked.requestId)).status);
  const values = [wrong, right].flatMap(({ clientDataJson, authenticatorData, signature }) => [
    clientDataJson,
    authenticatorData,
    signature,
  ]);
  return { values: [...values, right.userHandle], statuses };
};

/** Registrations that are refused, or cannot be read and are shown in the text to sign. */
const registrations = async (world: TestSimulator): Promise<Sent> => {
  const wallet = await WalletClient.create(world);
  await wallet.addEmail();
  const attestation = {
    credentialId: "q1ZrT0hWm9xUe2pLd7sYcA",
    clientDataJson: '{"type": "webauthn.create", "of": "q\\"7"}',
    attestationObject: "unreadable/object+4711",
  };
  const made = { type: "PASSKEY", accountId: wallet.accountId, nickname: "Laptop" };
  const create = (one: object) =>
    world.call("POST", "/auth/credentials", { ...made, challenge: "challenge-4711", ...one });
  const { attestation: refused } = await createPasskey({
    challenge: "another-challenge-than-that",
    rpId: "wallet.example",
    origin: "https://wallet.example",
    algorithm: "ES256",
  });
  const answers = [await create({ attestation }), await create({ attestation: refused })];
  const values = [attestation, refused].flatMap((one) => [
    one.clientDataJson,
    one.attestationObject,
  ]);
  return { values, statuses: answers.map(({ status }) => status) };
};

/** A sealed text, which no operation opens. */
const sealed = async (world: TestSimulator): Promise<Sent> => {
  const encryptedKey = "8KzvHqmXQ2T7Lr4cSealedTextOfSomebody";
  const body = { customerType: "INDIVIDUAL", encryptedKey };
  const { status } = await world.call("POST", "/customers", body);
  return { values: [encryptedKey], statuses: [status] };
};

const documents = async (world: TestSimulator): Promise<Sent> => {
  const { body } = await world.call("POST", "/customers", { customerType: "INDIVIDUAL" });
  const bytesOf = (words: string, type = "%PDF-") => {
    const bytes = pdfOf(4096);
    bytes.set(Buffer.from(`${type}1.7 ${words} \r\n--x\r\n\r\n`));
    return bytes;
  };
  const mine = "Passport number 4711-0815 of Ada";
  const other = "Passport number 9999-1234 of Eve";
  const made = await postDocument(world, body.id, { bytes: bytesOf(mine) });
  const answers = [
    made,
    await postDocument(world, body.id, { bytes: bytesOf(mine) }),
    await postDocument(world, body.id, { bytes: bytesOf(other, "GIF89a") }),
    await postDocument(world, body.id, { bytes: bytesOf(other), fileName: "id-204.pdf" }),
    await putDocument(world, made.body.id, { bytes: bytesOf(other, "\u007fELF") }),
    await putDocument(world, made.body.id, { bytes: bytesOf(other) }),
  ];
  return { values: [mine, other, "GIF89a"], statuses: answers.map(({ status }) => status) };
};

const CODES = ["one-time code", "one-time code"];

const KINDS: Kind[] = [
  { says: "one-time codes", asks: CODES, statuses: [401, 200, 401], run: longCodes },
  {
    says: "codes of the tester's choice",
    asks: CODES,
    statuses: [401, 200, 401, 400],
    run: chosenCodes,
  },
  {
    says: "codes that every mail brings",
    options: { codes: "827364554691" },
    asks: CODES,
    statuses: [401, 200, 401],
    run: codes,
  },
  {
    says: "random codes",
    options: { codes: "random" },
    asks: CODES,
    statuses: [401, 200, 401],
    run: longCodes,
  },
  {
    says: "ID tokens",
    asks: Array(6).fill("ID token"),
    statuses: [201, 200, 401, 401, 401, 401],
    run: tokens,
  },
  {
    says: "ID tokens in a text to sign",
    asks: ["one-time code", ...Array(3).fill("ID token"), "wallet signature", "signed with"],
    statuses: [202, 401, 201],
    run: shownTokens,
  },
  {
    says: "wallet signatures",
    asks: [
      "one-time code",
      ...["wallet signature", "signed with"],
      // A bare one is tried with those who may sign, and then with all.
      ...["wallet signature", "signed with", "signed with"],
      "wallet signature",
      ...["wallet signature", "signed with"],
      ...["wallet signature", "signed with"],
    ],
    statuses: [401, 401, 401, 200, 200],
    run: signatures,
  },
  {
    says: "assertions of passkeys",
    asks: ["passkey registration", "passkey assertion", "passkey assertion"],
    statuses: [401, 200, 401],
    run: passkeys,
  },
  {
    says: "registrations of passkeys",
    asks: ["passkey registration", "passkey registration"],
    statuses: [202, 400],
    run: registrations,
  },
  { says: "sealed texts", asks: [], statuses: [201], run: sealed },
  { says: "documents", asks: [], statuses: [201, 201, 400, 400, 400, 200], run: documents },
];

const recordKind = async ({ run, options = {} }: Kind, withSecrets = false) => {
  let sent: Sent = { values: [], statuses: [] };
  const text = await recordWorld({ ...options, withSecrets }, async (world) => {
    sent = await run(world);
  });
  return { text, ...sent };
};

const linesOf = (text: string) =>
  readCapsule(text, "run.capsule").lines.filter(
    (line): line is RequestLine => line.t === "request",
  );

const factsIn = (text: string) => linesOf(text).flatMap(({ facts = [] }) => facts);

/** The capsule with some of its lines changed. */
const changed = (text: string, change: (line: RequestLine) => object) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => encodeLine(change(JSON.parse(line.slice(line.indexOf("{"))))))
    .join("");

// spec/capsules.md#facts
describe.each(KINDS)("$says", (kind) => {
  test("have placeholders, and each check its verdict", async () => {
    const { text, values, statuses } = await recordKind(kind);
    expect(statuses).toEqual(kind.statuses);
    expect(valuesIn(text, values)).toEqual([]);
    expect(factsIn(text).map(({ of }) => of)).toEqual(kind.asks);
    expect((await replayed(text)).divergence).toBeUndefined();
  });
});

// spec/capsules.md#secrets
test.each(KINDS.filter(({ options }) => options?.codes !== "random"))(
  "$says are in the file with withSecrets, and checked again",
  async (kind) => {
    const { text, values, statuses } = await recordKind(kind, true);
    expect(statuses).toEqual(kind.statuses);
    expect(valuesIn(text, values)).toEqual(values);
    expect(factsIn(text)).toEqual([]);
    expect((await replayed(text)).divergence).toBeUndefined();
  },
);

const named = (says: string) => KINDS.find((kind) => kind.says === says) as Kind;

// spec/capsules.md#facts
test("a fact that was changed in the file is the verdict of its check", async () => {
  const { text } = await recordKind(named("one-time codes"));
  const accepted = changed(text, (line) =>
    line.facts?.[0]?.is === false ? { ...line, facts: [{ of: "one-time code", is: true }] } : line,
  );
  expect((await replayed(accepted)).divergence).toMatchObject({
    where: "status",
    recorded: "401",
    found: "200",
  });
});

test("without its facts the placeholder of a proof is refused, at its request", async () => {
  const { text } = await recordKind(named("ID tokens"));
  const without = changed(text, ({ facts: _facts, ...line }) => line);
  expect((await replayed(without)).divergence).toMatchObject({
    where: "status",
    recorded: "201",
    found: "400",
    asks: expect.stringMatching(/^POST \/2025-10-13\/auth\/credentials$/),
  });
});

test("with withSecrets a signature that was changed in the file is refused", async () => {
  const { text, values } = await recordKind(named("wallet signatures"), true);
  const [, , , stamp] = values;
  const other = changed(text, (line) => ({
    ...line,
    ...(line.headers && {
      headers: line.headers.map(([name, value]) => [name, value === stamp ? values[0] : value]),
    }),
  }));
  expect((await replayed(other)).divergence).toMatchObject({ recorded: "200", found: "401" });
});

test("equal values have equal placeholders, and others have others", async () => {
  const { text } = await recordKind(named("one-time codes"));
  const given = linesOf(text)
    .filter(({ facts }) => facts !== undefined)
    .map(({ body = "" }) => JSON.parse(atob(body)).otp);
  const after = linesOf(text)
    .filter(({ url }) => url.endsWith("/verify"))
    .map(({ body = "" }) => JSON.parse(atob(body)).otp);
  expect(after).toHaveLength(3);
  expect(after[1]).toBe(after[2]);
  expect(given[0]).not.toBe(given[1]);
  for (const otp of after) expect(otp).toMatch(/^[A-Z0-9]{12}$/);
});

// spec/capsules.md#stopping-before-a-request
test("a world that goes on takes real proofs again", async () => {
  const { Replay } = await import("../../src/capsules/replay.ts");
  const { text } = await recordKind(named("one-time codes"));
  const last = linesOf(text).at(-1) as RequestLine;
  const replay = await Replay.open(readCapsule(text, "run.capsule"));
  try {
    await replay.run(last.id);
    const { sim } = replay;
    const authorization = `Basic ${btoa(`${sim.clientId}:${sim.clientSecret}`)}`;
    const { pathname } = new URL(last.url);
    const challenge = pathname.replace("/verify", "/challenge");
    const post = async (path: string, body: object) => {
      const asked = {
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization, "content-type": "application/json" },
      };
      return sim.fetch(new Request(new URL(path, sim.apiUrl), asked));
    };
    expect((await post(challenge, {})).status).toBe(200);
    const inbox = await sim.fetch(
      new Request(`${sim.controlUrl}/inbox`, {
        headers: { authorization: `Bearer ${sim.controlToken}` },
      }),
    );
    const otp = (await inbox.json()).data[0].code;
    const keys = clientKeys();
    const signedIn = await post(pathname, {
      type: "EMAIL_OTP",
      otp,
      clientPublicKey: keys.publicKey,
    });
    expect((await openedSession(await signedIn.json(), keys)).id).toMatch(/^Session:/);
  } finally {
    await replay.sim.close();
  }
});
