import { useState } from "react";
import type { WholeRecord } from "../../contract/control/records.ts";
import { CURRENCIES, isCurrencyCode } from "../../contract/money/currencies.ts";
import { callPlatform } from "../call-platform.ts";
import { Act } from "../parts/act.tsx";
import { Field, Form } from "../parts/field.tsx";
import { useAskedFor } from "../parts/use-asked-for.ts";
import { useAction, useConsole } from "../use-console.ts";
import css from "./sandbox-acts.module.css";

/** One action beside a record: a line of fields and a button. */
interface SandboxAct {
  title: string;
  fields: readonly { name: string; says: string; value: string; choices?: readonly string[] }[];
  go: string;
  /** Carries it out. @returns what to say */
  run(
    values: Readonly<Record<string, string>>,
    control: Parameters<typeof callPlatform>[0],
  ): Promise<string>;
}

/** Minor units of an amount typed in major ones. */
export const minorOf = (text: string, currency: string): number => {
  const decimals = isCurrencyCode(currency) ? CURRENCIES[currency].decimals : 2;
  const [, whole, part = ""] = /^(\d+)(?:\.(\d*))?$/.exec(text.trim().replaceAll(",", "")) ?? [];
  if (whole === undefined || part.length > decimals)
    throw new RangeError(`Expected an amount like 12.34 ${currency} but found ${text}`);
  return Number(whole + part.padEnd(decimals, "0"));
};

const amount = (value: string) => ({ name: "amount", says: "amount", value });

const accountActs = (id: string, currency: string): SandboxAct[] => [
  {
    title: "Fund",
    fields: [amount("1000.00")],
    go: "Fund",
    run: async ({ amount: typed = "" }, control) => {
      await callPlatform(control, {
        operationId: "fundInternalAccount",
        params: { accountId: id },
        body: { amount: minorOf(typed, currency) },
      });
      return `Funded with ${typed} ${currency}`;
    },
  },
  {
    title: "Status",
    fields: [
      { name: "status", says: "status", value: "FROZEN", choices: ["FROZEN", "ACTIVE", "CLOSED"] },
    ],
    go: "Set",
    run: async ({ status = "" }, control) => {
      await control.send("PATCH", `/internal-accounts/${encodeURIComponent(id)}`, { status });
      return `The account is ${status}`;
    },
  },
];

const cardActs = (id: string): SandboxAct[] => [
  {
    title: "Purchase",
    fields: [amount("12.50"), { name: "merchant", says: "merchant", value: "Corner Coffee" }],
    go: "Authorize",
    run: async ({ amount: typed = "", merchant = "" }, control) => {
      const answer = await callPlatform<{ status?: string; declineCode?: string }>(control, {
        operationId: "simulateCardAuthorization",
        params: { cardId: id },
        body: {
          amount: minorOf(typed, "USD"),
          currency: { code: "USD" },
          merchant: { descriptor: merchant },
        },
      });
      return [answer.status ?? "Authorized", answer.declineCode].filter(Boolean).join(", ");
    },
  },
];

const agentActs = (id: string, record: unknown): SandboxAct[] => {
  const { isPaused = false } = record as { isPaused?: boolean };
  return [
    {
      title: isPaused ? "Paused" : "Running",
      fields: [],
      go: isPaused ? "Resume" : "Pause",
      run: async (_values, control) => {
        await callPlatform(control, {
          operationId: "patchAgent",
          params: { agentId: id },
          body: { isPaused: !isPaused },
        });
        return isPaused ? "The agent may act again" : "The agent is paused: its calls are refused";
      },
    },
  ];
};

/** Actions of a merchant after a purchase. */
const purchaseActs = (id: string, record: unknown): SandboxAct[] => {
  const { cardId = "" } = record as { cardId?: string };
  const later = (title: string, operationId: string, said: string): SandboxAct => ({
    title,
    fields: [amount("12.50")],
    go: title,
    run: async ({ amount: typed = "" }, control) => {
      await callPlatform(control, {
        operationId,
        params: { cardId },
        body: { cardTransactionId: id, amount: minorOf(typed, "USD") },
      });
      return `${said} ${typed}`;
    },
  });
  return [
    later("Clear", "simulateCardClearing", "Cleared"),
    later("Return", "simulateCardReturn", "Returned"),
  ];
};

const CHECK_STATES = ["APPROVED", "REJECTED", "PENDING", "UNVERIFIED"] as const;

const customerActs = (id: string, record: unknown): SandboxAct[] => {
  const isBusiness = (record as { customerType?: string }).customerType === "BUSINESS";
  return [
    {
      title: "Check",
      fields: [{ name: "status", says: "status", value: "APPROVED", choices: CHECK_STATES }],
      go: "Set",
      run: async ({ status = "" }, control) => {
        const member = isBusiness ? "kybStatus" : "kycStatus";
        await control.send("PATCH", `/customers/${encodeURIComponent(id)}`, { [member]: status });
        return `The check says ${status}`;
      },
    },
    {
      title: "UMA",
      fields: [
        amount("25.00"),
        { name: "currency", says: "currency", value: "USD" },
        { name: "sender", says: "from", value: "$alice@example.com" },
      ],
      go: "Receive",
      run: async ({ amount: typed = "", currency = "", sender = "" }, control) => {
        await callPlatform(control, {
          operationId: "sandboxReceiveUma",
          body: {
            customerId: id,
            senderUmaAddress: sender,
            receivingCurrencyCode: currency,
            receivingCurrencyAmount: minorOf(typed, currency),
          },
        });
        return `${typed} ${currency} come from ${sender}`;
      },
    },
  ];
};

const actsOf = ({ id, kind, balance, record }: WholeRecord): SandboxAct[] => {
  if (kind === "InternalAccount") return accountActs(id, balance?.currency ?? "USD");
  if (kind === "Card") return cardActs(id);
  if (kind === "Agent") return agentActs(id, record);
  if (kind === "CardTransaction") return purchaseActs(id, record);
  return kind === "Customer" ? customerActs(id, record) : [];
};

const ActLine = ({ act }: { act: SandboxAct }) => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const asked = useAskedFor(act.title.toLowerCase());
  const [values, setValues] = useState(() =>
    Object.fromEntries(act.fields.map(({ name, value }) => [name, value])),
  );
  const [problem, setProblem] = useState<string>();
  const send = async () => {
    setProblem(undefined);
    try {
      return { text: await act.run(values, control) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      setProblem(error.message);
      return undefined;
    }
  };
  return (
    <Form isInline onSend={() => void run(send)}>
      <b>{act.title}</b>
      {act.fields.map(({ name, says, choices }, at) => {
        const shared = {
          ref: at === 0 ? asked : undefined,
          value: values[name] ?? "",
          onChange: ({ target }: { target: { value: string } }) =>
            setValues({ ...values, [name]: target.value }),
        };
        return (
          <Field key={name} label={says} isInline>
            {choices ? (
              <select {...shared}>
                {choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            ) : (
              <input {...shared} />
            )}
          </Field>
        );
      })}
      <Act isSmall isSubmit isDisabled={isBusy}>
        {act.go}
      </Act>
      {problem !== undefined && <span className="failed">{problem}</span>}
    </Form>
  );
};

/** Actions of the provider and of the outside world on a record. */
export const SandboxActs = ({ of }: { of: WholeRecord }) => {
  const acts = actsOf(of);
  if (acts.length === 0) return null;
  return (
    <section className={css.sandbox} aria-label="Sandbox">
      {acts.map((act) => (
        <ActLine key={act.title} act={act} />
      ))}
    </section>
  );
};
