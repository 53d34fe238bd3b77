import { createInterface, type Interface } from "node:readline/promises";
import type { ControlClient } from "../../client/control-client.ts";
import type { ReadEvent } from "../../client/event-reader.ts";
import type { AllRows, ApprovalRow, ChangedRows } from "../../contract/control/feed-rows.ts";
import { money } from "../../text/layout.ts";
import { safeText } from "../../text/safe-text.ts";
import { EXIT } from "../frame/command.ts";
import { waitsBecause } from "../text/because.ts";
import type { Terminal } from "../text/terminal.ts";
import { decisionLines } from "./decided.ts";
import { followActivity } from "./follow.ts";

/** Actions in an event that wait for a person. */
const waitingIn = ({ event, data }: ReadEvent): readonly ApprovalRow[] => {
  const rows: Partial<AllRows> | ChangedRows | undefined = event === "hello" ? data.rows : data;
  if (event !== "hello" && event !== "rows") return [];
  return (rows?.approvals ?? []).filter(({ status }) => status === "PENDING_APPROVAL");
};

/** Asks about waiting actions one after the other, each once. */
class Questions {
  private readonly askedIds = new Set<string>();
  private readonly client: ControlClient;
  private readonly terminal: Terminal;
  private readonly prompt: Interface;
  private last: Promise<void> = Promise.resolve();

  constructor(client: ControlClient, terminal: Terminal, prompt: Interface) {
    this.client = client;
    this.terminal = terminal;
    this.prompt = prompt;
  }

  about(row: ApprovalRow) {
    if (this.askedIds.has(row.id)) return;
    this.askedIds.add(row.id);
    // Open questions end with the prompt.
    this.last = this.last.then(() => this.decide(row)).catch(() => {});
  }

  private async decide(row: ApprovalRow) {
    const { id, agentName, type, amount, currency, to } = row;
    const { style } = this.terminal;
    const what = `${agentName}, ${type} ${money(amount, currency)} to ${to.name ?? to.id}`;
    this.terminal.print(`${style.mark("asks")} ${what}: ${waitsBecause(row.because)}`);
    const answer = await this.prompt.question(
      `approve ${safeText(style.id(id))}? y/n, enter for later  `,
    );
    const verb = { y: "approve", n: "reject" }[answer.trim().toLowerCase()];
    if (verb === undefined) return;
    const path = `/approvals/${encodeURIComponent(id)}/${verb}`;
    this.terminal.print(...decisionLines(await this.client.post(path), verb, style));
  }
}

/**
 * Prints activity line by line and asks about waiting actions, without redrawing the screen.
 * @returns the exit code, when the simulator stops or ctrl-c was pressed
 */
export const watchInLines = async (client: ControlClient, terminal: Terminal): Promise<number> => {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const questions = new Questions(client, terminal, prompt);
  const left = new Promise<number>((resolve) => prompt.once("close", () => resolve(EXIT.done)));
  const watch = (event: ReadEvent) => {
    for (const row of waitingIn(event)) questions.about(row);
  };
  try {
    return await Promise.race([left, followActivity(client, terminal, { isAll: true, watch })]);
  } finally {
    prompt.close();
  }
};
