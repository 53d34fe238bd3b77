import type { ExternalAccount } from "../../contract/accounts/external-accounts.ts";
import type {
  InternalAccount,
  InternalAccountStatus,
} from "../../contract/accounts/internal-accounts.ts";
import type { AgentAction } from "../../contract/agents/agent-actions.ts";
import type { Card } from "../../contract/cards/cards.ts";
import type { CustomerStatus } from "../../contract/customers/customer-statuses.ts";
import type { Customer } from "../../contract/customers/customers.ts";
import { currencyObject } from "../../contract/money/currencies.ts";
import { accountInstructions } from "../accounts/payment-instructions.ts";
import { HEX, type Moment } from "../core/draft.ts";
import { exampleStamps } from "./example-payments.ts";

/** 2,500.00 USD. */
const BALANCE_MINOR = 250_000;
/** 325.00 USD, above the threshold of the package's example agent. */
const ACTION_MINOR = 32_500;
const YEARS_VALID = 4;

/** A wallet of a customer, whose owner did not prove that it is theirs. */
export const externalAccountExample = (moment: Moment): ExternalAccount => ({
  id: moment.newId("ExternalAccount"),
  customerId: moment.newId("Customer"),
  status: "UNVERIFIED",
  currency: "USDC",
  ownershipType: "FIRST_PARTY",
  defaultUmaDepositAccount: false,
  accountInfo: {
    accountType: "ETHEREUM_WALLET",
    address: "0x7d1f0c3a9b5e4d2c8a6f1e0b3c5d7a9f2b4e6c80",
  },
});

/** An account in dollars of a customer. */
export const accountExample = (status: InternalAccountStatus, moment: Moment): InternalAccount => {
  const account = {
    id: moment.newId("InternalAccount"),
    customerId: moment.newId("Customer"),
    type: "INTERNAL_FIAT",
    currency: "USD",
  } as const;
  const { currency, ...shown } = account;
  return {
    ...shown,
    status,
    balance: { amount: BALANCE_MINOR, currency: currencyObject(currency) },
    fundingPaymentInstructions: accountInstructions(account, "US"),
    ...exampleStamps(moment),
  };
};

/** The same as later revisions show it. */
export const totalledAccountExample = (moment: Moment): InternalAccount => {
  const account = accountExample("ACTIVE", moment);
  return { ...account, totalBalance: account.balance };
};

const person = (moment: Moment) => ({
  id: moment.newId("Customer"),
  platformCustomerId: "example-customer",
  region: "US",
  currencies: ["USD"],
  umaAddress: "$example@pay.sandbox.test",
  isDeleted: false,
  ...exampleStamps(moment),
});

/** A person whose KYC stands so. */
export const individualExample = (kycStatus: CustomerStatus, moment: Moment): Customer => ({
  ...person(moment),
  customerType: "INDIVIDUAL",
  fullName: "Ada Byron",
  birthDate: "1990-12-10",
  nationality: "US",
  kycStatus,
});

/** A business whose KYB stands so. */
export const businessExample = (kybStatus: CustomerStatus, moment: Moment): Customer => ({
  ...person(moment),
  customerType: "BUSINESS",
  businessInfo: {
    legalName: "Haddad Trading",
    taxId: "88-0020041",
    incorporatedOn: "2019-03-01",
    country: "US",
    registrationNumber: "88-002",
  },
  kybStatus,
});

/** An active card; with two sources, so that their order shows. */
export const cardExample = (moment: Moment): Card => {
  const stamps = exampleStamps(moment);
  const issued = new Date(moment.atMs);
  return {
    id: moment.newId("Card"),
    cardholderId: moment.newId("Customer"),
    platformCardId: "example-card",
    state: "ACTIVE",
    stateReason: null,
    brand: "VISA",
    form: "VIRTUAL",
    last4: moment.draw("example-card", 4, "23456789"),
    expMonth: issued.getUTCMonth() + 1,
    expYear: issued.getUTCFullYear() + YEARS_VALID,
    fundingSources: [moment.newId("InternalAccount"), moment.newId("InternalAccount")],
    currency: "USD",
    issuerRef: `sim_card_${moment.draw("example-issuer", 8, HEX)}`,
    ...stamps,
  };
};

/** A transfer that an agent wants to make and a person has to see. */
export const actionExample = (moment: Moment): AgentAction => ({
  id: moment.newId("AgentAction"),
  agentId: moment.newId("Agent"),
  customerId: moment.newId("Customer"),
  platformCustomerId: "example-customer",
  status: "PENDING_APPROVAL",
  type: "TRANSFER_OUT",
  transferDetails: {
    amount: ACTION_MINOR,
    currency: "USD",
    sourceAccountId: moment.newId("InternalAccount"),
    destinationAccountId: moment.newId("ExternalAccount"),
  },
  ...exampleStamps(moment),
});
