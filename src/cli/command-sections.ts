import type { CommandGroup } from "./frame/command.ts";
import type { CommandTable } from "./frame/command-table.ts";

/** Commands that the help shows under one heading. */
export interface CommandSection {
  heading: string;
  commands: CommandTable;
}

/** The commands of a folder, under one word. */
const group = (command: CommandGroup) => async () => ({ command });

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
      scenario: group({
        name: "scenario",
        summary: "write scenarios: record",
        subcommands: {
          record: () => import("./commands/scenario/record.ts"),
        },
      }),
      worlds: group({
        name: "worlds",
        summary: "show, create, fork and remove worlds of one simulator",
        subcommands: {
          list: () => import("./commands/worlds/list.ts"),
          create: () => import("./commands/worlds/create.ts"),
          fork: () => import("./commands/worlds/fork.ts"),
          remove: () => import("./commands/worlds/remove.ts"),
        },
      }),
      fork: () => import("./commands/fork.ts"),
      demo: () => import("./commands/demo.ts"),
      doctor: () => import("./commands/doctor.ts"),
      store: group({
        name: "store",
        summary: "check, upgrade or copy a store of worlds: check, upgrade, copy",
        subcommands: {
          check: () => import("./commands/store/check.ts"),
          upgrade: () => import("./commands/store/upgrade.ts"),
          copy: () => import("./commands/store/copy.ts"),
        },
      }),
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
      timers: group({
        name: "timers",
        summary: "show pending timers; fire, postpone or cancel one",
        alone: "list",
        subcommands: {
          list: () => import("./commands/timers/list.ts"),
          fire: () => import("./commands/timers/fire.ts"),
          postpone: () => import("./commands/timers/postpone.ts"),
          cancel: () => import("./commands/timers/cancel.ts"),
        },
      }),
      rewind: () => import("./commands/rewind.ts"),
      snapshot: group({
        name: "snapshot",
        summary:
          "save the world under a name and return to it: save, load, list, export, import, remove",
        subcommands: {
          save: () => import("./commands/snapshot/save.ts"),
          load: () => import("./commands/snapshot/load.ts"),
          list: () => import("./commands/snapshot/list.ts"),
          export: () => import("./commands/snapshot/export.ts"),
          import: () => import("./commands/snapshot/import.ts"),
          remove: () => import("./commands/snapshot/remove.ts"),
        },
      }),
      diff: () => import("./commands/diff.ts"),
    },
  },
  {
    heading: "Webhooks",
    commands: {
      webhooks: group({
        name: "webhooks",
        summary:
          "set the endpoint, show sent webhooks, test receivers: endpoint, list, trigger, vector, hold, listen, receive, doctor",
        subcommands: {
          endpoint: () => import("./commands/webhooks/endpoint.ts"),
          list: () => import("./commands/webhooks/list.ts"),
          show: () => import("./commands/webhooks/show.ts"),
          resend: () => import("./commands/webhooks/resend.ts"),
          wait: () => import("./commands/webhooks/wait.ts"),
          trigger: () => import("./commands/webhooks/trigger.ts"),
          vector: () => import("./commands/webhooks/vector.ts"),
          hold: () => import("./commands/webhooks/hold.ts"),
          release: () => import("./commands/webhooks/release.ts"),
          duplicate: () => import("./commands/webhooks/duplicate.ts"),
          reorder: () => import("./commands/webhooks/reorder.ts"),
          delay: () => import("./commands/webhooks/delay.ts"),
          drop: () => import("./commands/webhooks/drop.ts"),
          troubles: () => import("./commands/webhooks/troubles.ts"),
          lift: () => import("./commands/webhooks/lift.ts"),
          listen: () => import("./commands/webhooks/listen.ts"),
          receive: () => import("./commands/webhooks/receive.ts"),
          doctor: () => import("./commands/webhooks/doctor.ts"),
          key: () => import("./commands/webhooks/key.ts"),
        },
      }),
    },
  },
  {
    heading: "Money and agents",
    commands: {
      outcomes: group({
        name: "outcomes",
        summary: "print every magic value; set the next outcome",
        alone: "list",
        subcommands: {
          list: () => import("./commands/outcomes/list.ts"),
          next: () => import("./commands/outcomes/next.ts"),
          lift: () => import("./commands/outcomes/lift.ts"),
        },
      }),
      approvals: group({
        name: "approvals",
        summary: "approve or reject agents' actions: list, approve, reject, mode",
        subcommands: {
          list: () => import("./commands/approvals/list.ts"),
          approve: () => import("./commands/approvals/approve.ts"),
          reject: () => import("./commands/approvals/reject.ts"),
          mode: () => import("./commands/approvals/mode.ts"),
        },
      }),
      policy: group({
        name: "policy",
        summary: "explain an agent's policy: explain, rows",
        subcommands: {
          explain: () => import("./commands/policy/explain.ts"),
          rows: () => import("./commands/policy/rows.ts"),
        },
      }),
      faults: group({
        name: "faults",
        summary: "inject errors, latency, lost and damaged responses: add, list, clear, limit",
        subcommands: {
          add: () => import("./commands/faults/add.ts"),
          list: () => import("./commands/faults/list.ts"),
          clear: () => import("./commands/faults/clear.ts"),
          limit: () => import("./commands/faults/limit.ts"),
        },
      }),
    },
  },
  {
    heading: "Keys",
    commands: {
      keys: group({
        name: "keys",
        summary: "create a client key pair, decrypt data sealed to it, rotate the webhook key",
        subcommands: {
          create: () => import("./commands/keys/create.ts"),
          open: () => import("./commands/keys/open.ts"),
          seal: () => import("./commands/keys/seal.ts"),
          rotate: () => import("./commands/keys/rotate.ts"),
        },
      }),
      sign: () => import("./commands/sign.ts"),
      passkey: group({
        name: "passkey",
        summary: "use a passkey without a browser: create, assert",
        subcommands: {
          create: () => import("./commands/passkey/create.ts"),
          assert: () => import("./commands/passkey/assert.ts"),
        },
      }),
      oidc: group({
        name: "oidc",
        summary: "issue sign-in tokens for tests: token",
        subcommands: { token: () => import("./commands/oidc/token.ts") },
      }),
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
