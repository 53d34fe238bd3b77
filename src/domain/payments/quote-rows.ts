import { sandboxNameIn } from "../customers/uma-addresses.ts";
import { outcomeFor, PULL_OUTCOMES, QUOTED_PAYMENT_OUTCOMES } from "../outcomes/outcomes.ts";
import { scenarioSuffix } from "../outcomes/scenario-suffix.ts";
import type { ExternalAccountRecord } from "../records/records.ts";
import { rowName } from "./outcome-steps.ts";
import type { Payee } from "./quote-parties.ts";

/** The outcome row of a quoted payment, read at execution (spec/quotes.md#outcome-rows). */
export const deliveryRow = ({ destination, internal, external }: Payee): string => {
  const isOutside = destination.destinationType === "UMA_ADDRESS" && !internal;
  const person = isOutside ? sandboxNameIn(destination.umaAddress) : undefined;
  if (person) return rowName("umaPayment", person);
  const suffix = external && scenarioSuffix(external.accountInfo);
  return rowName("quotedPayment", outcomeFor(QUOTED_PAYMENT_OUTCOMES, suffix).row);
};

/** The outcome row of a pull (spec/quotes.md#pull-rows). */
export const pullRow = ({ accountInfo }: ExternalAccountRecord): string =>
  rowName("pull", outcomeFor(PULL_OUTCOMES, scenarioSuffix(accountInfo)).row);
