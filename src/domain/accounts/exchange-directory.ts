import { accountTypeRow } from "../../contract/accounts/external-account-types.ts";
import type { AccountInfo } from "../../contract/accounts/external-accounts.ts";
import type { Vasp, VaspPage } from "../../contract/accounts/vasps.ts";
import { PAGE_LIMIT } from "../../contract/core/lists.ts";
import type { Reading, View } from "../core/draft.ts";
import { decodeCursor, encodeCursor, fingerprint, type ListInput } from "../core/lists.ts";
import { refuse } from "../core/refusal.ts";
import { revisionOf } from "../core/revision.ts";

/**
 * Exchanges that hold wallets for others, by name (spec/later-accounts.md#directory-of-exchanges).
 * All but one are invented.
 */
export const EXCHANGES: readonly Vasp[] = [
  { vaspName: "Amberline Exchange", url: "https://amberline.sandbox.test" },
  { vaspName: "Birchway Digital", url: "https://birchway.sandbox.test" },
  { vaspName: "Copperfield Markets" },
  { vaspName: "Harbour Exchange", url: "https://harbour.sandbox.test" },
  { vaspName: "Kraken", url: "https://www.kraken.com" },
  { vaspName: "Lanternfish Custody" },
  { vaspName: "Meridian Coins", url: "https://meridian.sandbox.test" },
  { vaspName: "Northgate Exchange", url: "https://northgate.sandbox.test" },
  { vaspName: "Saltmarsh Trading" },
];

/** GET /vasps: the directory by name (spec/later-accounts.md#directory-of-exchanges). */
export const listExchanges: Reading<ListInput<object>, VaspPage> = (_view, { query }) => {
  const { limit = PAGE_LIMIT.default, cursor } = query;
  const mark = fingerprint({ list: "vasps" });
  const after = cursor === undefined ? "" : decodeCursor(cursor, mark);
  const rest = EXCHANGES.filter(({ vaspName }) => vaspName > after);
  const data = rest.slice(0, limit);
  const hasMore = rest.length > limit;
  return {
    data,
    hasMore,
    ...(hasMore && { nextCursor: encodeCursor(data.at(-1)?.vaspName ?? "", mark) }),
  };
};

/**
 * Details of a wallet with its exchange as the directory spells it
 * (spec/later-accounts.md#wallets).
 */
export const withCustodian = (view: View, info: AccountInfo): AccountInfo => {
  const { hasCustody } = accountTypeRow(info.accountType, revisionOf(view));
  const { vaspName: value } = info;
  if (!hasCustody || value === undefined) return info;
  const named = String(value).toLowerCase();
  const exchange = EXCHANGES.find(({ vaspName }) => vaspName.toLowerCase() === named);
  return exchange
    ? { ...info, vaspName: exchange.vaspName }
    : refuse(
        "INVALID_INPUT",
        { field: "accountInfo.vaspName", value },
        {
          says: `No exchange of the directory is named ${JSON.stringify(value)}`,
          next: "Use a name of GET /vasps, or leave vaspName out for a wallet of its owner's own",
        },
      );
};
