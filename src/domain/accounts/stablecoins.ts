import type { Page } from "../../contract/core/lists.ts";
import type { Reading } from "../core/draft.ts";
import { refuse } from "../core/refusal.ts";

/**
 * A list of what hangs on an account at a provider: no account can be linked, so all are empty
 * (spec/later-accounts.md#stablecoins).
 */
export const listNone: Reading<{ query: { cursor?: string | undefined } }, Page<never>> = (
  _view,
  { query: { cursor } },
) => {
  if (cursor !== undefined)
    refuse(
      "INVALID_INPUT",
      { field: "cursor", value: cursor },
      "Expected cursor to be a nextCursor of this list",
    );
  return { data: [], hasMore: false, totalCount: 0 };
};

const unknown =
  <Name extends string>(
    name: Name,
    resource: string,
  ): Reading<{ params: Record<Name, string> }, never> =>
  (_view, { params }) =>
    refuse("REFERENCE_NOT_FOUND", { id: params[name], resource });

/** 404 of the stablecoin in a path. */
export const stablecoinByPath = unknown("stablecoinId", "Stablecoin");

/** 404 of the mint or burn in a path. */
export const stablecoinOperationByPath = unknown("stablecoinOperationId", "StablecoinOperation");

/** 404 of the account at a provider, in a path or for a new stablecoin. */
export const providerAccount: Reading<unknown, never> = () =>
  refuse("STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND");
