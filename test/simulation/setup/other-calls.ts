import { AMOUNTS, doing, type MakeCall, platform, present } from "./platform-calls.ts";
import { oneOf, oneThat } from "./world-model.ts";

const MANY = [200, 201, 202, 204, 400, 403, 404, 409, 422];

/** A call whose success changes nothing that the model knows. */
const plain =
  (
    [operation, method, path]: readonly [operation: string, method: string, path: string],
    body?: object,
  ): MakeCall =>
  ({ world }) =>
    platform(world, { operation, method, path, ...(body && { body }), expects: MANY });

/** The same for a customer who is there; `{}` in the path stands for the id. */
const ofCustomer =
  (
    [operation, method, path]: readonly [string, string, string],
    bodyOf?: (id: string) => object,
  ): MakeCall =>
  ({ world, model, chance }) => {
    const id = oneThat(model.customers, chance, present);
    if (id === undefined) return undefined;
    const body = bodyOf?.(id);
    return platform(world, {
      operation,
      method,
      path: path.replace("{}", id),
      ...(body && { body }),
      expects: MANY,
    });
  };

const invite: MakeCall = ({ world }) =>
  platform(world, {
    operation: "createInvitation",
    method: "POST",
    path: "/invitations",
    body: { inviterUma: "$lena@pay.example" },
    expects: [201],
    done: (known, { code, status }) => {
      known.invitations[code] = status;
    },
  });

const ofInvitation: MakeCall = ({ world, model, chance }) => {
  const code = oneOf(model.invitations, chance);
  if (code === undefined) return undefined;
  const [operation, method, end, body] = chance.pick([
    ["getInvitation", "GET", "", undefined],
    ["cancelInvitation", "POST", "/cancel", undefined],
    ["claimInvitation", "POST", "/claim", { inviteeUma: "$noor@bank.example" }],
  ] as const);
  return platform(world, {
    operation,
    method,
    path: `/invitations/${code}${end}`,
    ...(body && { body }),
    expects: MANY,
  });
};

/** A quote whose money is to be sent to it. */
const fundingQuote: MakeCall = ({ world, model, chance, nextKey }) => {
  const to = oneThat(model.payees, chance, present);
  if (to === undefined) return undefined;
  const { customerId } = model.payees[to] as { customerId: string };
  return platform(world, {
    operation: "createQuote",
    method: "POST",
    path: "/quotes",
    body: {
      source: { sourceType: "REALTIME_FUNDING", currency: "USD", customerId },
      destination: { destinationType: "ACCOUNT", accountId: to },
      lockedCurrencySide: "SENDING",
      lockedCurrencyAmount: chance.pick(AMOUNTS),
    },
    key: nextKey(),
    expects: [201, 400, 403, 404, 409],
    ...doing("createQuote", "/quotes"),
  });
};

const sendToQuote: MakeCall = ({ world, model, chance }) => {
  const quoteId = oneOf(model.quotes, chance);
  if (quoteId === undefined) return undefined;
  return platform(world, {
    operation: "sandboxSend",
    method: "POST",
    path: "/sandbox/send",
    body: { quoteId, currencyCode: "USD", currencyAmount: model.quotes[quoteId]?.totalMinor ?? 0 },
    expects: MANY,
  });
};

const receiveUma = ofCustomer(
  ["sandboxReceiveUma", "POST", "/sandbox/uma/receive"],
  (customerId) => ({
    senderUmaAddress: "$success.usd@sandbox.uma.test",
    receivingCurrencyCode: "USD",
    receivingCurrencyAmount: 8_800,
    customerId,
  }),
);

const decidePayment: MakeCall = ({ world, chance, waitingPayments }) => {
  const id = chance.pick([...waitingPayments(), undefined]);
  if (id === undefined) return undefined;
  const verdict = chance.pick(["approve", "reject"] as const);
  return platform(world, {
    operation: verdict === "approve" ? "approveTransaction" : "rejectTransaction",
    method: "POST",
    path: `/transactions/${id}/${verdict}`,
    expects: MANY,
  });
};

const lookUpAccount: MakeCall = ({ world, model, chance }) => {
  const id = oneOf(model.payees, chance);
  if (id === undefined) return undefined;
  const path = `/receiver/external-account/${id}`;
  return platform(world, {
    operation: "lookUpExternalAccount",
    method: "GET",
    path,
    expects: MANY,
  });
};

/** Calls around the payments: onboarding, invitations, lookups, incoming payments. */
export const OTHER_CALLS: readonly (readonly [weight: number, make: MakeCall])[] = [
  [2, invite],
  [3, ofInvitation],
  [4, fundingQuote],
  [5, sendToQuote],
  [5, receiveUma],
  [4, decidePayment],
  [2, lookUpAccount],
  [1, plain(["lookUpUma", "GET", "/receiver/uma/$success.usd@sandbox.uma.test"])],
  [1, plain(["patchConfig", "PATCH", "/config"], { embeddedWalletConfig: { appName: "Pocket" } })],
  [2, plain(["sendTestWebhook", "POST", "/sandbox/webhooks/test"])],
  [1, ofCustomer(["listBeneficialOwners", "GET", "/beneficial-owners?customerId={}"])],
  [
    1,
    ofCustomer([
      "listCustomerInternalAccounts",
      "GET",
      "/customers/internal-accounts?customerId={}",
    ]),
  ],
];
