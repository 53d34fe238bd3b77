import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeGroups } from "../../../src/control/core/outcome-groups.ts";
import { RULE_TABLES } from "../../../src/domain/outcomes/rule-names.ts";
import { createBank, from, justInTime, to, transferInput, usdAccount } from "../../setup/banks.ts";
import { createPayee, createPayer, quoteInput, umaQuoteInput } from "../../setup/platform.ts";
import { Receiver } from "../../setup/receiver.ts";
import { type Answer, startTestSimulator, type TestSimulator } from "../../setup/test-simulator.ts";
import { postDocument } from "../../setup/uploads.ts";
import {
  createCardholder,
  issueCard,
  openAccount,
  tryAuthorize,
} from "../cards/setup/card-world.ts";
import {
  createBusiness,
  createCustomer,
  NOOR,
  nameOwner,
  verify,
} from "../customers/setup/people.ts";
import { answered, answering, createRecipient, receive, senderAt } from "../setup/incoming.ts";
import { clientKeys, MAGIC_SIGNATURE, WalletClient } from "../wallets/setup/wallet-client.ts";

let world: TestSimulator;
let receiver: Receiver;

beforeAll(async () => {
  world = await startTestSimulator();
  receiver = await new Receiver().start();
  receiver.behaviour = answering(answered(202));
  await world.call("PATCH", "/config", { webhookEndpoint: receiver.url });
});

afterAll(async () => {
  expect(world.alarms).toEqual([]);
  await world.sim.close();
  await receiver.stop();
});

const ruleOf = ({ headers }: Answer) => headers.get("x-sim-rule");

const endingOf = (row: string) => (row === "otherwise" ? "999" : row);

const payTo = async (source: object, payee: string) => {
  const locked = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };
  return (await world.call("POST", "/quotes", { ...source, ...to(payee), ...locked })).body.id;
};

const execute = (quoteId: string) => world.call("POST", `/quotes/${quoteId}/execute`);

const send = (quoteId: string, currencyAmount: number) =>
  world.call("POST", "/sandbox/send", { quoteId, currencyCode: "USD", currencyAmount });

let umas = 0;

/** A payment that the sender's name, and the receiver's deposit account, decide; approved. */
const approved = async (sender: string, deposit?: string) => {
  umas += 1;
  const recipient = await createRecipient(world, { umaAddress: `$n${umas}@pay.example` });
  if (deposit !== undefined) {
    const bank = {
      customerId: recipient.customerId,
      currency: "USD",
      defaultUmaDepositAccount: true,
      accountInfo: usdAccount(deposit),
    };
    expect((await world.call("POST", "/customers/external-accounts", bank)).status).toBe(201);
  }
  const { body } = await receive(world, recipient, { senderUmaAddress: senderAt(sender) });
  return world.call("POST", `/transactions/${body.id}/approve`, {
    receiverCustomerInfo: { FULL_NAME: "Nadia Rahman" },
  });
};

const verifyProof = (credentialId: string, proof: object) =>
  world.call("POST", `/auth/credentials/${credentialId}/verify`, {
    clientPublicKey: clientKeys().publicKey,
    ...proof,
  });

/** The magic value or a wrong code, each where it counts. */
const PROOFS: Record<string, () => Promise<Answer>> = {
  "000000": async () => {
    const wallet = await WalletClient.create(world);
    return verifyProof(await wallet.addEmail(), { type: "EMAIL_OTP", otp: "000000" });
  },
  "sandbox-valid-oidc-token": async () => {
    const wallet = await WalletClient.create(world);
    const oidcToken = "sandbox-valid-oidc-token";
    return verifyProof(await wallet.addOauth(), { type: "OAUTH", oidcToken });
  },
  "sandbox-valid-passkey-signature": async () => {
    const wallet = await WalletClient.create(world);
    const id = await wallet.addPasskey();
    const clientPublicKey = clientKeys().publicKey;
    const path = `/auth/credentials/${id}`;
    const { body } = await world.call("POST", `${path}/challenge`, { clientPublicKey });
    const assertion = {
      credentialId: body.credentialId,
      clientDataJson: "e30",
      authenticatorData: "AA",
      signature: "sandbox-valid-passkey-signature",
    };
    return wallet.signed("POST", `${path}/verify`, {
      body: { type: "PASSKEY", assertion, clientPublicKey },
      requestId: body.requestId,
    });
  },
  [MAGIC_SIGNATURE]: async () => {
    const wallet = await WalletClient.create(world);
    const session = await wallet.signIn(await wallet.addEmail());
    return wallet.retried("DELETE", `/auth/sessions/${session.id}`);
  },
  otherwise: async () => {
    const wallet = await WalletClient.create(world);
    return verifyProof(await wallet.addEmail(), { type: "EMAIL_OTP", otp: "123123" });
  },
};

/** A call that each row of a table decides, with the header that its reply has. */
const TABLES: Record<string, (row: string) => Promise<[answer: Answer, header: string]>> = {
  quotedPayment: async (row) => {
    const { customerId, accountId } = await createPayer(world);
    const payee = await createPayee(world, customerId, endingOf(row));
    const { body } = await world.call("POST", "/quotes", quoteInput(accountId, payee));
    return [await execute(body.id), `quotedPayment.${row}`];
  },
  transferOut: async (row) => {
    const { customerId, accountId } = await createPayer(world);
    const bank = await createBank(world, customerId, endingOf(row));
    const answer = await world.call("POST", "/transfer-out", transferInput(accountId, bank, 5));
    return [answer, `transferOut.${row}`];
  },
  transferIn: async (row) => {
    const { customerId, accountId } = await createPayer(world);
    const bank = await createBank(world, customerId, endingOf(row));
    const answer = await world.call("POST", "/transfer-in", transferInput(bank, accountId, 5));
    return [answer, `transferIn.${row}`];
  },
  pull: async (row) => {
    const { customerId } = await createPayer(world);
    const bank = await createBank(world, customerId, endingOf(row));
    const quoteId = await payTo(from(bank), await createPayee(world, customerId, "003"));
    const further = row === "otherwise" ? ", quotedPayment.003" : "";
    return [await execute(quoteId), `pull.${row}${further}`];
  },
  funding: async (row) => {
    const { customerId } = await createPayer(world);
    const payee = await createPayee(world, customerId, "005");
    const quoteId = await payTo(justInTime("USD", customerId), payee);
    const further = row === "otherwise" ? ", quotedPayment.005" : "";
    return [await send(quoteId, row === "mismatch" ? 1 : 25_000), `funding.${row}${further}`];
  },
  umaPayment: async (row) => {
    const { accountId } = await createPayer(world);
    const input = await umaQuoteInput(world, accountId, senderAt(row));
    const { body } = await world.call("POST", "/quotes", input);
    return [await execute(body.id), `umaPayment.${row}`];
  },
  umaSender: async (row) => {
    const isEnd = row === "$fail.compliance.usd";
    return [await approved(row), `umaSender.${row}${isEnd ? "" : ", umaDeposit.otherwise"}`];
  },
  umaDeposit: async (row) => [
    await approved("$success.usd", endingOf(row)),
    `umaSender.$success.usd, umaDeposit.${row}`,
  ],
  beneficiaryVerification: async (row) => {
    const customerId = await createCustomer(world);
    const answer = await world.call("POST", "/customers/external-accounts", {
      customerId,
      currency: "USD",
      accountInfo: usdAccount(endingOf(row)),
    });
    return [answer, `beneficiaryVerification.${row}`];
  },
  umaLookup: async (row) => {
    await createRecipient(world, { umaAddress: "$looked@pay.example" }).catch(() => {});
    const address = {
      person: senderAt("$success.usd"),
      customer: "$looked@pay.example",
      unknown: senderAt("$nobody"),
      otherwise: "$who@elsewhere.example",
    }[row];
    const path = `/receiver/uma/${encodeURIComponent(address ?? "")}`;
    return [await world.call("GET", path), `umaLookup.${row}`];
  },
  verification: async (row) => {
    const people: Record<string, () => Promise<string>> = {
      individual: () => createCustomer(world),
      incomplete: () => createCustomer(world, { customerType: "BUSINESS" }),
    };
    const id = await (people[row] ?? (() => createBusiness(world, endingOf(row))))();
    return [await verify(world, id), `verification.${row}`];
  },
  beneficialOwner: async (row) => {
    const businessId = await createBusiness(world);
    const personalInfo = { ...NOOR, lastName: `Haddad${endingOf(row)}` };
    const answer = await nameOwner(world, businessId, { personalInfo });
    return [answer, `beneficialOwner.${row}`];
  },
  document: async (row) => {
    const holder = await createCustomer(world);
    const answer = await postDocument(world, holder, { fileName: `id-${endingOf(row)}.pdf` });
    return [answer, `document.${row}`];
  },
  cardIssue: async (row) => {
    const { customerId, usdId } = await createCardholder(world);
    const answer = await world.call("POST", "/cards", {
      form: "VIRTUAL",
      cardholderId: customerId,
      fundingSources: [usdId],
      platformCardId: `card-${customerId.slice(-8)}-${endingOf(row)}`,
    });
    return [answer, `fundingSource.otherwise, cardIssue.${row}`];
  },
  fundingSource: async (row) => {
    const { customerId } = await createCardholder(world);
    const suffix = endingOf(row);
    const accountId = await openAccount(world, { customerId, currency: "USD", suffix });
    const answer = await world.call("POST", "/cards", {
      form: "VIRTUAL",
      cardholderId: customerId,
      fundingSources: [accountId],
      platformCardId: `source-${customerId.slice(-8)}-999`,
    });
    const further = row === "otherwise" ? ", cardIssue.otherwise" : "";
    return [answer, `fundingSource.${row}${further}`];
  },
  cardAuthorization: async (row) => {
    const { customerId, usdId } = await createCardholder(world, { usd: 10_000 });
    const card = await issueCard(world, { cardholderId: customerId, fundingSources: [usdId] });
    const descriptor = `SHOP ${endingOf(row)}`;
    const answer = await tryAuthorize(world, card.id, { amount: 100, descriptor });
    return [answer, `cardAuthorization.${row}`];
  },
  walletProof: async (row) => [
    await (PROOFS[row] as () => Promise<Answer>)(),
    `walletProof.${row}`,
  ],
};

/** Rows that the answer of a receiver or the clock chooses, never a call. */
const DECIDED_ELSEWHERE = ["approval"];

const ROWS = outcomeGroups().flatMap(({ group, rows }) => rows.map((row) => ({ group, ...row })));

test("every table that outcomes lists is one of the rules, and has calls here", () => {
  const groups = outcomeGroups().map(({ group }) => group);
  expect(groups.toSorted()).toEqual([...RULE_TABLES].sort());
  expect([...Object.keys(TABLES), ...DECIDED_ELSEWHERE].sort()).toEqual(groups.toSorted());
});

describe("the header names the row as outcomes does", () => {
  const reached = ROWS.filter(({ group }) => !DECIDED_ELSEWHERE.includes(group));
  test.each(reached)("$rule", async ({ group, match, rule }) => {
    const [answer, header] = await (TABLES[group] as (typeof TABLES)[string])(match);
    expect(ruleOf(answer), JSON.stringify(answer.body)).toBe(header);
    expect(header.split(", ")).toContain(rule);
  });
});

test("a reply that no row decided has no header", async () => {
  const { customerId, accountId } = await createPayer(world);
  const payee = await createPayee(world, customerId, "002");
  const quote = await world.call("POST", "/quotes", quoteInput(accountId, payee));
  expect(ruleOf(quote)).toBeNull();
  expect(ruleOf(await world.call("GET", `/quotes/${quote.body.id}`))).toBeNull();
  await execute(quote.body.id);
  const refused = await execute(quote.body.id);
  expect([refused.status, ruleOf(refused)]).toEqual([409, null]);
});

describe("a repeated key", () => {
  const repeated = async (path: string, body: object) => {
    const init = () => ({
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", "idempotency-key": `again-${path}` },
    });
    const first = await world.raw("POST", path, init());
    const second = await world.raw("POST", path, init());
    expect(second.body).toEqual(first.body);
    return [first.status, ruleOf(first), ruleOf(second)];
  };

  test("gets the header of the first answer", async () => {
    const { customerId, accountId } = await createPayer(world);
    const bank = await createBank(world, customerId, "005");
    const body = transferInput(accountId, bank, 5);
    expect(await repeated("/transfer-out", body)).toEqual([
      201,
      "transferOut.005",
      "transferOut.005",
    ]);
  });

  test("gets that of a refusal too", async () => {
    const customerId = await createCustomer(world);
    const body = { customerId, currency: "USD", accountInfo: usdAccount("105") };
    const rule = "beneficiaryVerification.105";
    expect(await repeated("/customers/external-accounts", body)).toEqual([400, rule, rule]);
  });
});

test("an injected error names its fault switch", async () => {
  const { body: fault } = await world.control("POST", "/faults", {
    match: { operation: "getConfig", times: 1 },
    fault: { status: 503 },
  });
  const struck = await world.raw("GET", "/config");
  expect([struck.status, ruleOf(struck)]).toEqual([503, `fault.${fault.id}`]);
  expect(ruleOf(await world.call("GET", "/config"))).toBeNull();
});

test("the log and why tell the rules of a request", async () => {
  const { customerId } = await createPayer(world);
  const bank = await createBank(world, customerId, "999");
  const payee = await createPayee(world, customerId, "003");
  const answer = await execute(await payTo(from(bank), payee));
  const id = answer.headers.get("x-sim-request-id");
  const rules = ["pull.otherwise", "quotedPayment.003"];
  expect((await world.control("GET", `/requests/${id}`)).body.rules).toEqual(rules);
  const { effects } = (await world.control("GET", `/why/${id}`)).body.chain[0];
  expect(effects.slice(0, 2)).toEqual([
    {
      kind: "rule",
      rule: "pull.otherwise",
      says: "any other ending of quotes that pull their money: the money is collected",
    },
    {
      kind: "rule",
      rule: "quotedPayment.003",
      says: "003 of quoted payments: completes after about 6 minutes",
    },
  ]);
});
