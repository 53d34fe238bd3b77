import * as z from "zod";
import { listOf } from "../../contract/core/lists.ts";
import {
  DelegatedKey,
  DelegatedKeyInput,
  DelegatedKeysQuery,
} from "../../contract/wallets/delegated-keys.ts";
import * as creation from "../../domain/wallets/delegated-key-creation.ts";
import * as keys from "../../domain/wallets/delegated-keys.ts";
import { endpoint } from "../../http/door/endpoint.ts";

export const createDelegatedKey = endpoint("createDelegatedKey", {
  summary: "Let the service spend a wallet's money for a card; the owner signs twice",
  signing: "retry",
  body: DelegatedKeyInput,
  replies: [201, DelegatedKey],
  refuses: ["REFERENCE_NOT_FOUND", "DELEGATED_KEY_EXISTS"],
  handle: ({ body }, { commit, signed }) =>
    commit(creation.createDelegatedKey, { body, call: signed }),
});

export const listDelegatedKeys = endpoint("listDelegatedKeys", {
  summary: "List the delegated keys of a wallet or of a card's funding source, oldest first",
  query: DelegatedKeysQuery,
  replies: [200, listOf(DelegatedKey)],
  refuses: [],
  handle: (input, { read }) => read(keys.listDelegatedKeys, input),
});

export const getDelegatedKey = endpoint("getDelegatedKey", {
  summary: "Get one delegated key",
  replies: [200, DelegatedKey],
  refuses: ["REFERENCE_NOT_FOUND"],
  handle: (input, { read }) => read(keys.getDelegatedKey, input),
});

export const deleteDelegatedKey = endpoint("deleteDelegatedKey", {
  summary: "Revoke a delegated key",
  replies: [204, z.undefined()],
  refuses: ["REFERENCE_NOT_FOUND", "DELEGATED_KEY_NOT_ACTIVE"],
  handle: (input, { commit }) => commit(keys.deleteDelegatedKey, input),
});
