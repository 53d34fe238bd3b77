/** Commands of views that have one, by the first part of their place. */
const COMMANDS: Readonly<Record<string, string>> = {
  approvals: "service-sim approvals",
  webhooks: "service-sim webhooks",
  requests: "service-sim requests",
  inbox: "service-sim inbox",
  timers: "service-sim timers",
  worlds: "service-sim worlds",
  snapshots: "service-sim snapshot list",
  faults: "service-sim faults",
  outcomes: "service-sim outcomes",
  lifecycles: "service-sim lifecycles",
  coverage: "service-sim coverage",
  guides: "service-sim docs",
  reference: "service-sim docs",
};

/** Commands of the tools that stand among the webhooks. */
const WEBHOOK_TOOLS: Readonly<Record<string, string>> = {
  doctor: "service-sim webhooks doctor",
  send: "service-sim webhooks trigger",
};

/** Views of the simulator rather than of one of its worlds. */
const WITHOUT_WORLD: ReadonlySet<string> = new Set([
  ...["worlds", "outcomes", "lifecycles", "guides", "reference"],
]);

const plainCommandOf = (path: string, origin: string): string => {
  const [, view = "", ...rest] = path.split("/");
  const named = rest.length === 0 ? undefined : decodeURIComponent(rest.join("/"));
  if (view === "webhooks" && named !== undefined)
    return WEBHOOK_TOOLS[named] ?? `service-sim webhooks show ${named}`;
  if (view === "reference")
    return /^\w+$/.test(named ?? "") ? `service-sim docs ${named}` : "service-sim docs";
  if (view === "ledger" && named === undefined) return `curl -s ${origin}/_sim/ledger`;
  if (named !== undefined) return `service-sim why ${named}`;
  return COMMANDS[view] ?? "service-sim tui";
};

/**
 * The command that shows in a terminal what a place shows.
 * @param world by default the starting one
 */
export const commandOf = (
  path: string,
  { origin, world }: { origin: string; world: string | undefined },
): string => {
  const command = plainCommandOf(path, origin);
  const [, view = ""] = path.split("/");
  if (world === undefined || WITHOUT_WORLD.has(view)) return command;
  return command.startsWith("curl")
    ? `${command}?world=${encodeURIComponent(world)}`
    : `${command} --world ${world}`;
};
