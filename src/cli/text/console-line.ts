import type { Terminal } from "./terminal.ts";

/** Client of the simulator that shows the console. */
interface Linking {
  consoleLink(id: string): string;
}

/** Last line of a detail: the place in the console that shows it. */
export const consoleLine = (client: Linking, id: string, { style }: Pick<Terminal, "style">) =>
  style.color.dim(`console    ${client.consoleLink(id)}`);
