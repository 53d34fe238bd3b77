import { createCardholder, issueCard } from "../api/cards/setup/card-world.ts";
import { createCustomer } from "../api/customers/setup/people.ts";
import type { KnownIds } from "../api/setup/populated.ts";
import { MAGIC_SIGNATURE, WalletClient } from "../api/wallets/setup/wallet-client.ts";
import { createBank, transferInput } from "../setup/banks.ts";
import { createPayer } from "../setup/platform.ts";
import type { TestSimulator } from "../setup/test-simulator.ts";

/** A wallet with money that funds an active card, and a key made by both signed answers. */
const delegatedKey = async (world: TestSimulator) => {
  const holder = await createCardholder(world, { usdb: 20_000_000 });
  const fundingSources = [holder.walletId];
  const card = await issueCard(world, { cardholderId: holder.customerId, fundingSources });
  const other = await issueCard(world, { cardholderId: holder.customerId, fundingSources });
  await world.control("POST", "/clock/advance", { by: "1s" });
  const bodyOf = (cardId: string) => ({
    cardId,
    internalAccountId: holder.walletId,
    nickname: "Coffee",
  });
  const wallet = new WalletClient(world, holder.customerId, holder.walletId);
  const path = "/auth/delegated-keys";
  const body = bodyOf(card.id);
  const { body: asked } = await wallet.retried("POST", path, { body });
  const answer = { body, signature: MAGIC_SIGNATURE, requestId: asked.requestId };
  const { body: made } = await wallet.signed("POST", path, answer);
  return { delegatedKeyId: made.id, keyCardId: other.id, keyWalletId: holder.walletId };
};

/** A code that is sealed for a challenge which still waits. */
const sealedCode = async (world: TestSimulator) => {
  const wallet = await WalletClient.create(world, { email: "sealed@shop.example" });
  const query = `accountId=${wallet.accountId}`;
  const { body } = await world.call("GET", `/auth/credentials?${query}`);
  const sealedCredentialId: string = body.data[0].id;
  const { encryptedOtpBundle } = await wallet.sealedCode(sealedCredentialId);
  return { sealedCredentialId, encryptedOtpBundle };
};

/** A card transaction that cleared and was returned. */
const returnedPurchase = async ({ call }: TestSimulator, cardId: string) => {
  const path = `/sandbox/cards/${cardId}/simulate`;
  const { body: made } = await call("POST", `${path}/authorization`, {
    amount: 700,
    currency: { code: "USD" },
    merchant: { descriptor: "NORTH PIER BOOKS" },
  });
  const { body: listed } = await call("GET", "/transactions?limit=100");
  const { id: cardTransactionId } = listed.data.find(
    (one: { issuerTransactionToken?: string }) =>
      one.issuerTransactionToken === made.issuerTransactionToken,
  );
  for (const what of ["clearing", "return"])
    await call("POST", `${path}/${what}`, { cardTransactionId, amount: 700 });
  return cardTransactionId;
};

/** Records that only operations of a later revision need, made in a world of it. */
export const populateLater = async (world: TestSimulator, { cardId = "" }: KnownIds) => {
  const payer = await createPayer(world);
  const slowBankId = await createBank(world, payer.customerId, "005");
  const { body: slow } = await world.call(
    "POST",
    "/transfer-out",
    transferInput(payer.accountId, slowBankId, 900),
  );
  return {
    ...(await delegatedKey(world)),
    ...(await sealedCode(world)),
    slowTransactionId: slow.id,
    returnedCardTransactionId: await returnedPurchase(world, cardId),
    personId: await createCustomer(world, { customerType: "INDIVIDUAL", fullName: "Ada 003" }),
  };
};
