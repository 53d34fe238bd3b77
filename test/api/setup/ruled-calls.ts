import { expect } from "vitest";
import { connectAgent, GENEROUS } from "../../setup/agents.ts";
import { createBank, from, justInTime, to, transferInput, usdAccount } from "../../setup/banks.ts";
import { createPayee, createPayer, quoteInput, umaQuoteInput } from "../../setup/platform.ts";
import type { Answer, TestSimulator } from "../../setup/test-simulator.ts";
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
import { clientKeys, MAGIC_SIGNATURE, WalletClient } from "../wallets/setup/wallet-client.ts";
import { createRecipient, receive, senderAt } from "./incoming.ts";

/** A reply, and the header that it has. */
export type Ruled = [answer: Answer, header: string];

const endingOf = (row: string) => (row === "otherwise" ? "999" : row);

/** Customers of these calls, each with an address of its own. */
let umas = 0;

export const payTo = async (world: TestSimulator, source: object, payee: string) => {
  const locked = { lockedCurrencySide: "SENDING", lockedCurrencyAmount: 25_000 };
  return (await world.call("POST", "/quotes", { ...source, ...to(payee), ...locked })).body.id;
};

export const execute = (world: TestSimulator, quoteId: string) =>
  world.call("POST", `/quotes/${quoteId}/execute`);

const send = (world: TestSimulator, quoteId: string, currencyAmount: number) =>
  world.call("POST", "/sandbox/send", { quoteId, currencyCode: "USD", currencyAmount });

/** A payment that the sender's name, and the receiver's deposit account, decide; approved. */
const approved = async (world: TestSimulator, sender: string, deposit?: string) => {
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

const verifyProof = (world: TestSimulator, credentialId: string, proof: object) =>
  world.call("POST", `/auth/credentials/${credentialId}/verify`, {
    clientPublicKey: clientKeys().publicKey,
    ...proof,
  });

/** The magic value or a wrong code, each where it counts. */
const proofsIn = (world: TestSimulator): Record<string, () => Promise<Answer>> => ({
  "000000": async () => {
    const wallet = await WalletClient.create(world);
    return verifyProof(world, await wallet.addEmail(), { type: "EMAIL_OTP", otp: "000000" });
  },
  "sandbox-valid-oidc-token": async () => {
    const wallet = await WalletClient.create(world);
    const oidcToken = "sandbox-valid-oidc-token";
    return verifyProof(world, await wallet.addOauth(), { type: "OAUTH", oidcToken });
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
    return verifyProof(world, await wallet.addEmail(), { type: "EMAIL_OTP", otp: "123123" });
  },
});

/** A call that each row of a table decides, with the header that its reply has. */
export const ruledCalls = (
  world: TestSimulator,
): Record<string, (row: string) => Promise<Ruled>> => ({
  quotedPayment: async (row) => {
    const { customerId, accountId } = await createPayer(world);
    const payee = await createPayee(world, customerId, endingOf(row));
    const { body } = await world.call("POST", "/quotes", quoteInput(accountId, payee));
    return [await execute(world, body.id), `quotedPayment.${row}`];
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
    const quoteId = await payTo(world, from(bank), await createPayee(world, customerId, "003"));
    const further = row === "otherwise" ? ", quotedPayment.003" : "";
    return [await execute(world, quoteId), `pull.${row}${further}`];
  },
  funding: async (row) => {
    const { customerId } = await createPayer(world);
    const payee = await createPayee(world, customerId, "005");
    const quoteId = await payTo(world, justInTime("USD", customerId), payee);
    const further = row === "otherwise" ? ", quotedPayment.005" : "";
    return [
      await send(world, quoteId, row === "mismatch" ? 1 : 25_000),
      `funding.${row}${further}`,
    ];
  },
  umaPayment: async (row) => {
    const { accountId } = await createPayer(world);
    const input = await umaQuoteInput(world, accountId, senderAt(row));
    const { body } = await world.call("POST", "/quotes", input);
    return [await execute(world, body.id), `umaPayment.${row}`];
  },
  umaSender: async (row) => {
    const isEnd = row === "$fail.compliance.usd";
    return [await approved(world, row), `umaSender.${row}${isEnd ? "" : ", umaDeposit.otherwise"}`];
  },
  umaDeposit: async (row) => [
    await approved(world, "$success.usd", endingOf(row)),
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
    await (proofsIn(world)[row] as () => Promise<Answer>)(),
    `walletProof.${row}`,
  ],
  agentApproval: async (row) => {
    await world.control("PUT", "/approvals", { mode: row });
    const { customerId, accountId } = await createPayer(world);
    const agent = await connectAgent(world, customerId, {
      ...GENEROUS,
      defaultExecutionMode: "APPROVAL_REQUIRED",
    });
    const bank = await createBank(world, customerId, "999");
    const transfer = transferInput(accountId, bank, 5);
    const answer = await agent.call("POST", "/agents/me/transfer-out", transfer);
    return [answer, `agentApproval.${row}`];
  },
});
