import type { Decided } from "../../contract/control/approvals.ts";
import type { ApprovalRow } from "../../contract/control/feed-rows.ts";
import { money } from "../../text/layout.ts";
import { go, placeOf } from "../routes.ts";
import { useAction, useConsole } from "../use-console.ts";

type ApprovalSubject = Pick<ApprovalRow, "id" | "amount" | "currency">;

const outcomeText = ({ action, because, balances }: Decided) => {
  if (because) return `${action.status}: ${because.says}; nothing moved`;
  const [balance] = balances;
  const moved =
    balance === undefined
      ? ""
      : `, ${money(balance.before, balance.currency)} → ${money(balance.after, balance.currency)}`;
  return `${action.status}${moved}`;
};

/** A person's answers to agents' actions. */
export const useDecisions = () => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const decide = (id: string, how: "approve" | "reject", body: object) =>
    run(async () => {
      const path = `/approvals/${encodeURIComponent(id)}/${how}`;
      return { text: outcomeText(await control.send<Decided>("POST", path, body)) };
    });
  return {
    isBusy,
    approve: ({ id }: ApprovalSubject) => void decide(id, "approve", {}),
    reject: ({ id }: ApprovalSubject, reason: string) =>
      decide(id, "reject", reason.trim() === "" ? {} : { reason: reason.trim() }),
    /** Opens the action with its field for a reason. */
    openReject: ({ id }: ApprovalSubject) => go(`${placeOf(id)}?reject=now`),
  };
};
