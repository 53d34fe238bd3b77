import * as shapes from "../../contract/accounts/stablecoins.ts";
import { PageQuery, pageOf } from "../../contract/core/lists.ts";
import * as stablecoins from "../../domain/accounts/stablecoins.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const linkStablecoinProviderAccount = endpoint("linkStablecoinProviderAccount", {
  summary: "Link an account at a provider of stablecoins; not simulated",
  body: shapes.StablecoinProviderAccountLinkInput,
  needsKey: true,
  replies: [201, shapes.StablecoinProviderAccount],
  refuses: ["NOT_IMPLEMENTED"],
  handle: () => refuse("NOT_IMPLEMENTED", { what: "An account at a provider of stablecoins" }),
});

export const listStablecoinProviderAccounts = endpoint("listStablecoinProviderAccounts", {
  summary: "List the accounts at providers of stablecoins",
  query: { ...shapes.ProviderAccountsQuery, ...PageQuery },
  replies: [200, pageOf(shapes.StablecoinProviderAccount)],
  refuses: [],
  handle: (input, { read }) => read(stablecoins.listNone, input),
});

export const getStablecoinProviderAccount = endpoint("getStablecoinProviderAccount", {
  summary: "Get one account at a provider of stablecoins",
  replies: [200, shapes.StablecoinProviderAccount],
  refuses: ["STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND"],
  handle: (input, { read }) => read(stablecoins.providerAccount, input),
});

export const registerStablecoin = endpoint("registerStablecoin", {
  summary: "Register a stablecoin of a linked provider",
  body: shapes.StablecoinRegisterInput,
  needsKey: true,
  replies: [201, shapes.Stablecoin],
  refuses: ["STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND"],
  handle: (input, { read }) => read(stablecoins.providerAccount, input),
});

export const listStablecoins = endpoint("listStablecoins", {
  summary: "List the registered stablecoins",
  query: { ...shapes.StablecoinsQuery, ...PageQuery },
  replies: [200, pageOf(shapes.Stablecoin)],
  refuses: [],
  handle: (input, { read }) => read(stablecoins.listNone, input),
});

export const getStablecoin = endpoint("getStablecoin", {
  summary: "Get one stablecoin",
  replies: [200, shapes.Stablecoin],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(stablecoins.stablecoinByPath, input),
});

export const createStablecoinMint = endpoint("createStablecoinMint", {
  summary: "Mint a stablecoin",
  body: shapes.StablecoinMintInput,
  needsKey: true,
  replies: [201, shapes.StablecoinOperation],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: stablecoins.stablecoinByPath,
  handle: (input, { read }) => read(stablecoins.stablecoinByPath, input),
});

export const createStablecoinBurn = endpoint("createStablecoinBurn", {
  summary: "Burn a stablecoin and pay out its value",
  body: shapes.StablecoinBurnInput,
  needsKey: true,
  replies: [201, shapes.StablecoinOperation],
  refuses: ["REFERENCE_NOT_FOUND"],
  subject: stablecoins.stablecoinByPath,
  handle: (input, { read }) => read(stablecoins.stablecoinByPath, input),
});

export const listStablecoinOperations = endpoint("listStablecoinOperations", {
  summary: "List the mints and burns of a stablecoin",
  query: { ...shapes.StablecoinOperationsQuery, ...PageQuery },
  replies: [200, pageOf(shapes.StablecoinOperation)],
  refuses: [],
  handle: (input, { read }) => read(stablecoins.listNone, input),
});

export const getStablecoinOperation = endpoint("getStablecoinOperation", {
  summary: "Get one mint or burn of a stablecoin",
  replies: [200, shapes.StablecoinOperation],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(stablecoins.stablecoinOperationByPath, input),
});
