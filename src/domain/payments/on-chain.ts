import { fundingNetworks } from "../../contract/accounts/payment-instructions.ts";
import {
  type CryptoNetwork,
  isCryptoNetwork,
  type OnChainTransaction,
} from "../../contract/payments/on-chain.ts";
import { base58OfHex } from "../../crypto/base58.ts";
import { digestHex } from "../../crypto/digest.ts";
import type { View } from "../core/draft.ts";
import { revisionOf } from "../core/revision.ts";
import type { OutgoingRecord, TransactionRecord } from "../records/records.ts";

const WALLET = "_WALLET";

/** The network of a crypto wallet; nothing for banks, and for Lightning, which has no chain. */
const networkOfType = (accountType: string): CryptoNetwork | undefined => {
  const name = accountType.endsWith(WALLET) ? accountType.slice(0, -WALLET.length) : "";
  return isCryptoNetwork(name) ? name : undefined;
};

const networkOfAccount = (view: View, accountId: string) => {
  const account = view.get("ExternalAccount", accountId);
  return account && networkOfType(account.accountInfo.accountType);
};

const HASHES: Partial<Record<CryptoNetwork, (id: string) => string>> = {
  SOLANA: (id) => base58OfHex(digestHex(id) + digestHex(`${id} signature`)),
  ETHEREUM: (id) => `0x${digestHex(id)}`,
  BASE: (id) => `0x${digestHex(id)}`,
  POLYGON: (id) => `0x${digestHex(id)}`,
  PLASMA: (id) => `0x${digestHex(id)}`,
};

const onNetwork = (
  { id, settledAtMs }: TransactionRecord,
  network: CryptoNetwork | undefined,
): { onChainTransaction?: OnChainTransaction } => {
  if (network === undefined || settledAtMs === undefined) return {};
  const hashOf = HASHES[network] ?? digestHex;
  return { onChainTransaction: { transactionHash: hashOf(id), network } };
};

/** The network that money came over: the one of the quote, or the first that carries its currency. */
const fundingNetwork = (view: View, { quoteId, sendingCurrency }: OutgoingRecord) => {
  const quote = quoteId === undefined ? undefined : view.get("Quote", quoteId);
  const named = quote?.source.sourceType === "REALTIME_FUNDING" && quote.source.cryptoNetwork;
  return [...(named ? [named] : []), ...fundingNetworks(sendingCurrency, revisionOf(view))].find(
    isCryptoNetwork,
  );
};

/** The chain's transaction that brought the money of a settled payment, if one did. */
export const onChainSource = (view: View, transaction: TransactionRecord) => {
  const { source } = transaction;
  if (source.sourceType === "ACCOUNT")
    return onNetwork(transaction, networkOfAccount(view, source.accountId));
  const isFunded = source.sourceType === "REALTIME_FUNDING" && transaction.type === "OUTGOING";
  return onNetwork(transaction, isFunded ? fundingNetwork(view, transaction) : undefined);
};

/** The chain's transaction that took the money of a settled payment away, if one did. */
export const onChainDestination = (view: View, transaction: TransactionRecord) => {
  const { destination } = transaction;
  return destination.destinationType === "ACCOUNT"
    ? onNetwork(transaction, networkOfAccount(view, destination.accountId))
    : {};
};

/**
 * The hash by which a settled payment is found on its chain; of a payment from or to a UMA address
 * nothing else tells (spec/later-payments.md#on-chain-transactions).
 */
export const settlementHash = (
  view: View,
  transaction: TransactionRecord,
): { transactionHash?: string } => {
  const { id, source, destination, settledAtMs } = transaction;
  const { onChainTransaction } = {
    ...onChainSource(view, transaction),
    ...onChainDestination(view, transaction),
  };
  if (onChainTransaction) return { transactionHash: onChainTransaction.transactionHash };
  const isUma =
    source.sourceType === "UMA_ADDRESS" || destination.destinationType === "UMA_ADDRESS";
  return isUma && settledAtMs !== undefined ? { transactionHash: digestHex(id) } : {};
};
