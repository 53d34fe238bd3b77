import { hasChange } from "../../contract/core/revisions.ts";
import { REFUSALS } from "../../contract/refusals.ts";
import { type Refusal, sentencesOf } from "../../domain/core/refusal.ts";
import { revisionOf } from "../../domain/core/revision.ts";
import { fieldErrors } from "../body/field-errors.ts";
import type { Exchange } from "./exchange.ts";

const isListing = ({ endpoint: { listsFieldsSince }, call }: Exchange) =>
  listsFieldsSince !== undefined && hasChange(revisionOf(call.engine.state), listsFieldsSince);

/** Lists every wrong field of a body beside the first (spec/later-customers.md#field-errors). */
export const bodyErrors = (exchange: Exchange): { errors?: readonly object[] } => {
  const { body: shape } = exchange.endpoint;
  if (!shape || !isListing(exchange)) return {};
  return { errors: fieldErrors(shape, exchange.body) };
};

/** Lists the field that a rule refuses in the same way. */
export const listField = (exchange: Exchange, refusal: Refusal) => {
  const { field, errors } = refusal.details;
  if (typeof field !== "string" || errors !== undefined) return;
  if (REFUSALS[refusal.word].status !== 400 || !isListing(exchange)) return;
  const { says: message } = sentencesOf(refusal);
  refusal.details.errors = [{ field, message }];
};
