import type { WholeCall } from "../../contract/control/requests.ts";

type Named = Pick<WholeCall, "operation">;

/** Verbs that operation ids begin with; the rest is the noun. */
const VERB =
  /^(agent)?(Create|Get|List|Patch|Put|Delete|Update|Upload|Execute|Verify|Redeem|Simulate|Receive|Claim|Cancel|Approve|Reject|Export|Refresh|Challenge)(?=[A-Z])/i;

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The resource of an operation: `customer` for `createCustomer`. */
const nounOf = ({ operation = "step" }: Named) =>
  lowerFirst(operation.replace(VERB, "")).replace(/[^A-Za-z0-9_-]/g, "") || "step";

/** Gives each step a name of its own: `customer`, then `customer2`. */
export class StepNames {
  private readonly taken = new Set<string>();

  of(call: Named): string {
    const noun = nounOf(call);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? noun : `${noun}${count}`;
      if (this.taken.has(name)) continue;
      this.taken.add(name);
      return name;
    }
  }
}
