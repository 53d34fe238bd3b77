import type { CommandTable } from "./frame/command-table.ts";

/** Commands that the help shows under one heading. */
export interface CommandSection {
  heading: string;
  commands: CommandTable;
}

/**
 * Every command under its heading, loaded only when it is called: the README promises a short
 * start-up time.
 */
export const COMMAND_SECTIONS: readonly CommandSection[] = [
  {
    heading: "Run",
    commands: {
      start: () => import("./commands/start.ts"),
      stop: () => import("./commands/stop.ts"),
      status: () => import("./commands/status.ts"),
      wait: () => import("./commands/wait.ts"),
      exec: () => import("./commands/exec.ts"),
      record: () => import("./commands/record.ts"),
      replay: () => import("./commands/replay.ts"),
      env: () => import("./commands/env.ts"),
      reset: () => import("./commands/reset.ts"),
      run: () => import("./commands/run.ts"),
      scenario: () => import("./commands/scenario.ts"),
      worlds: () => import("./commands/worlds.ts"),
      fork: () => import("./commands/fork.ts"),
      demo: () => import("./commands/demo.ts"),
      doctor: () => import("./commands/doctor.ts"),
    },
  },
  {
    heading: "Call and watch",
    commands: {
      api: () => import("./commands/api.ts"),
      requests: () => import("./commands/requests.ts"),
      why: () => import("./commands/why.ts"),
      coverage: () => import("./commands/coverage.ts"),
      tui: () => import("./commands/tui.ts"),
      inbox: () => import("./commands/inbox.ts"),
    },
  },
  {
    heading: "Time",
    commands: {
      advance: () => import("./commands/advance.ts"),
      clock: () => import("./commands/clock.ts"),
      timers: () => import("./commands/timers.ts"),
      rewind: () => import("./commands/rewind.ts"),
      snapshot: () => import("./commands/snapshot.ts"),
      diff: () => import("./commands/diff.ts"),
    },
  },
  {
    heading: "Webhooks",
    commands: {
      webhooks: () => import("./commands/webhooks.ts"),
    },
  },
  {
    heading: "Money and agents",
    commands: {
      outcomes: () => import("./commands/outcomes.ts"),
      approvals: () => import("./commands/approvals.ts"),
      policy: () => import("./commands/policy.ts"),
      faults: () => import("./commands/faults.ts"),
    },
  },
  {
    heading: "Keys",
    commands: {
      keys: () => import("./commands/keys.ts"),
      sign: () => import("./commands/sign.ts"),
      passkey: () => import("./commands/passkey.ts"),
      oidc: () => import("./commands/oidc.ts"),
    },
  },
  {
    heading: "Files and documents",
    commands: {
      seed: () => import("./commands/seed.ts"),
      docs: () => import("./commands/docs.ts"),
      operations: () => import("./commands/operations.ts"),
      openapi: () => import("./commands/openapi.ts"),
      lifecycles: () => import("./commands/lifecycles.ts"),
      brand: () => import("./commands/brand.ts"),
      revisions: () => import("./commands/revisions.ts"),
      capture: () => import("./commands/capture.ts"),
      conform: () => import("./commands/conform.ts"),
      reference: () => import("./commands/reference.ts"),
      completion: () => import("./commands/completion.ts"),
    },
  },
];

/** Every command by its name, in the order of the sections. */
export const COMMANDS: CommandTable = Object.assign(
  {},
  ...COMMAND_SECTIONS.map(({ commands }) => commands),
);
