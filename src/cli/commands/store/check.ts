import { checkStore, type StoreReport } from "../../../storage/postgres/store-check.ts";
import { counted } from "../../../text/layout.ts";
import { type Command, EXIT } from "../../frame/command.ts";
import { startFailure } from "../../frame/simulator-options.ts";
import { storeFailure } from "../../frame/store-failure.ts";
import { wantedStore } from "../../tasks/store-place.ts";
import { type Column, tableLines } from "../../text/table.ts";
import type { Style } from "../../text/terminal.ts";

const COLUMNS: readonly Column[] = [
  { head: "WORLD" },
  { head: "CHANGES", align: "right" },
  { head: "SERVED BY" },
];

export const formatStore = (
  { place, format, worlds, simulators }: StoreReport,
  style: Style,
): string[] => [
  `${style.mark("done")} ${place} is fit to keep worlds: format ${format}, ` +
    `${counted(worlds.length, "world")}, ${counted(simulators.length, "simulator")} running`,
  ...(worlds.length === 0
    ? []
    : tableLines(
        COLUMNS,
        worlds.map(({ name, changes, servedBy = "" }) => [name, String(changes), servedBy]),
        style,
      )),
];

export const command: Command = {
  name: "check",
  summary: "check connection, settings and format of a database, and list its worlds",
  operands: "[url]",
  options: [],
  examples: ["service-sim store check postgres://sim@127.0.0.1/sim"],
  run: async (invocation, terminal) => {
    const { url, hint } = wantedStore(invocation);
    const report = await checkStore(url).catch((error: unknown) => {
      throw storeFailure(error, hint) ?? startFailure(error);
    });
    terminal.document(report);
    terminal.print(...formatStore(report, terminal.style));
    return EXIT.done;
  },
};
