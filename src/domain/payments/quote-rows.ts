import { sandboxNameIn } from "../customers/uma-addresses.ts";
import { outcomeFor, PULL_OUTCOMES, QUOTED_PAYMENT_OUTCOMES } from "../outcomes/outcomes.ts";
import { scenarioSuffix } from "../outcomes/scenario-suffix.ts";
import type { ExternalAccountRecord } from "../records/records.ts";
import { rowName } from "./outcome-steps.ts";
import type { Payee } from "./quote-parties.ts";

/** The row that decides a quoted payment's fate: read when it starts to move (payments O-60). */
export const deliveryRow = ({ destination, internal, external }: Payee): string => {
  const isOutside = destination.destinationType === "UMA_ADDRESS" && !internal;
  const person = isOutside ? sandboxNameIn(destination.umaAddress) : undefined;
  if (person) return rowName("umaPayment", person);
  const suffix = external && scenarioSuffix(external.accountInfo);
  return rowName("quotedPayment", outcomeFor(QUOTED_PAYMENT_OUTCOMES, suffix).row);
};

/** The row that decides whether a pull brings its money (payments O-65). */
export const pullRow = ({ accountInfo }: ExternalAccountRecord): string =>
  rowName("pull", outcomeFor(PULL_OUTCOMES, scenarioSuffix(accountInfo)).row);
