import * as z from "zod";
import { enumOf, named } from "../core/named-shape.ts";

/** Networks of crypto wallets (spec/later-payments.md#on-chain-transactions). */
export const CRYPTO_NETWORKS = [
  "BITCOIN",
  "ETHEREUM",
  "SOLANA",
  "BASE",
  "POLYGON",
  "TRON",
  "PLASMA",
  "SPARK",
] as const;
export type CryptoNetwork = (typeof CRYPTO_NETWORKS)[number];

/** Tells whether a text is the name of a network. */
export const isCryptoNetwork = (name: string): name is CryptoNetwork =>
  (CRYPTO_NETWORKS as readonly string[]).includes(name);

/** The transaction of a chain by which money came or went. */
export const OnChainTransaction = named("OnChainTransaction", () =>
  z.object({
    transactionHash: z.string(),
    network: enumOf("CryptoNetwork", CRYPTO_NETWORKS),
  }),
);

export type OnChainTransaction = z.infer<typeof OnChainTransaction>;
