import * as z from "zod";
import { ExternalAccountStatus } from "../../contract/accounts/external-accounts.ts";
import {
  InternalAccount,
  InternalAccountStatus,
} from "../../contract/accounts/internal-accounts.ts";
import { PaymentInstructions } from "../../contract/accounts/payment-instructions.ts";
import { Card } from "../../contract/cards/cards.ts";
import { Rates } from "../../contract/control/operator.ts";
import { defined } from "../../contract/core/defined.ts";
import { added, revised } from "../../contract/core/revised-shape.ts";
import { CustomerStatusName } from "../../contract/customers/customer-statuses.ts";
import { Customer } from "../../contract/customers/customers.ts";
import {
  externalAccountByPath,
  setExternalAccountStatus,
} from "../../domain/accounts/external-accounts.ts";
import {
  accountByPath,
  setAccountStatus,
  setFundingInstructions,
  showInternalAccount,
} from "../../domain/accounts/internal-accounts.ts";
import { closeByOperator } from "../../domain/cards/card-updates.ts";
import { refuse } from "../../domain/core/refusal.ts";
import { isCurrencyIn } from "../../domain/core/revision.ts";
import { openCustomerAccount } from "../../domain/customers/customer-accounts.ts";
import { setCustomerStatus } from "../../domain/customers/customer-status.ts";
import { showCustomer } from "../../domain/customers/customer-view.ts";
import { presentCustomerByPath } from "../../domain/customers/customers.ts";
import { setRates, shownRates } from "../../domain/money/rates.ts";
import { endpoint } from "./control-endpoint.ts";
import { paymentHooks } from "./payment-hooks.ts";

const RatesInput = z.lazy(() => z.object({ perUsd: z.record(z.string(), z.string().nullable()) }));

const AccountInput = z.lazy(() =>
  z.object({
    customerId: z.string(),
    currency: z.string(),
    suffix: z
      .string()
      .regex(/^[0-9]{3}$/, "Expected three digits")
      .optional(),
  }),
);

/** A change of an account: its status, or since a revision its instructions. */
const AccountChangeInput = z.lazy(() =>
  revised(z.object({ status: InternalAccountStatus }), {
    status: added("paymentForms", InternalAccountStatus.optional()),
    fundingPaymentInstructions: added("paymentForms", z.array(PaymentInstructions).optional()),
  }),
);

const CustomerStatusInput = z.lazy(() =>
  z
    .object({
      kycStatus: CustomerStatusName.optional(),
      kybStatus: CustomerStatusName.optional(),
    })
    .refine(
      ({ kycStatus, kybStatus }) => (kycStatus === undefined) !== (kybStatus === undefined),
      "Expected one of kycStatus and kybStatus",
    ),
);

const rateHooks = [
  endpoint({
    operationId: "rates",
    summary: "Units of each currency for one US dollar",
    method: "GET",
    path: "/rates",
    replies: [200, Rates],
    refuses: [],
    handle: (_input, { read }) => read((view) => ({ perUsd: shownRates(view) }), undefined),
  }),
  endpoint({
    operationId: "setRates",
    summary: "Set exchange rates; null restores the default",
    method: "PUT",
    path: "/rates",
    body: RatesInput,
    replies: [200, Rates],
    refuses: [],
    handle: ({ body }, { commit }) => ({ perUsd: commit(setRates, body) }),
  }),
];
const accountHooks = [
  endpoint({
    operationId: "openInternalAccount",
    summary: "Open another account of a customer",
    method: "POST",
    path: "/internal-accounts",
    body: AccountInput,
    replies: [201, InternalAccount],
    refuses: ["USER_NOT_FOUND", "INVALID_CURRENCY"],
    handle: ({ body }, { commit }) =>
      commit((draft, { customerId, currency, suffix }, moment) => {
        presentCustomerByPath(draft, { params: { customerId } }, moment);
        if (!isCurrencyIn(draft, currency))
          return refuse("INVALID_CURRENCY", { field: "currency", value: currency, currency });
        const owner = { currency, customerId, ...defined({ suffix }) };
        return showInternalAccount(draft, openCustomerAccount(draft, owner, moment));
      }, body),
  }),
  endpoint({
    operationId: "setInternalAccountStatus",
    summary: "Freeze, close or reopen an account",
    method: "PATCH",
    path: "/internal-accounts/{accountId}",
    body: AccountChangeInput,
    replies: [200, InternalAccount],
    refuses: ["REFERENCE_NOT_FOUND"],
    subject: accountByPath,
    handle: ({ params, body }, { commit }) =>
      commit((draft, { status, fundingPaymentInstructions: instructions }, moment) => {
        const account = accountByPath(draft, { params }, moment);
        const instructed = instructions
          ? setFundingInstructions(draft, { account, instructions }, moment)
          : account;
        return showInternalAccount(
          draft,
          status ? setAccountStatus(draft, { account: instructed, status }, moment) : instructed,
        );
      }, body),
  }),
  endpoint({
    operationId: "setExternalAccountStatus",
    summary: "Set the status of an external account",
    method: "PATCH",
    path: "/external-accounts/{externalAccountId}",
    body: z.lazy(() => z.object({ status: ExternalAccountStatus })),
    replies: [200, z.lazy(() => z.object({ id: z.string(), status: ExternalAccountStatus }))],
    refuses: ["REFERENCE_NOT_FOUND"],
    subject: externalAccountByPath,
    handle: ({ params, body }, { commit }) =>
      commit((draft, { status }, moment) => {
        const account = externalAccountByPath(draft, { params }, moment);
        const { id } = setExternalAccountStatus(draft, { account, status }, moment);
        return { id, status };
      }, body),
  }),
];

const holderHooks = [
  endpoint({
    operationId: "closeCard",
    summary: "Close a card as the operator of the service: CLOSED_BY_GRID",
    method: "POST",
    path: "/cards/{cardId}/close",
    replies: [200, Card],
    refuses: ["REFERENCE_NOT_FOUND", "INVALID_STATE_TRANSITION"],
    handle: (input, { commit }) => commit(closeByOperator, input),
  }),
  endpoint({
    operationId: "setCustomerStatus",
    summary: "Set the KYC or KYB status of a customer",
    method: "PATCH",
    path: "/customers/{customerId}",
    body: CustomerStatusInput,
    replies: [200, Customer],
    refuses: ["USER_NOT_FOUND"],
    subject: presentCustomerByPath,
    handle: ({ params, body }, { commit }) =>
      commit((draft, { kycStatus, kybStatus }, moment) => {
        const customer = presentCustomerByPath(draft, { params }, moment);
        const isIndividual = customer.customerType === "INDIVIDUAL";
        const status = isIndividual ? kycStatus : kybStatus;
        if (status === undefined) {
          const field = isIndividual ? "kycStatus" : "kybStatus";
          const says = `Expected ${field} for a customer of type ${customer.customerType}`;
          return refuse("INVALID_INPUT", { field }, says);
        }
        return showCustomer(draft, setCustomerStatus(draft, { customer, status }, moment));
      }, body),
  }),
];

/** Hooks for changes that the operator of the hosted service makes out of band. */
export const operatorEndpoints = [...rateHooks, ...accountHooks, ...holderHooks, ...paymentHooks];
