// The second half of the GitHub Action: the summary of a job, and the files that explain its failure.
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

const {
  GITHUB_OUTPUT = "",
  GITHUB_STEP_SUMMARY = "",
  RUNNER_TEMP = "",
  SERVICE_SIM_STORAGE = "",
} = process.env;

const state = SERVICE_SIM_STORAGE.replace(/^file:/, "");

/** What a command prints with --json; nothing when it fails, since the job has its own outcome. */
const asked = (...words) => {
  try {
    return JSON.parse(
      execFileSync("service-sim", [...words, "--json"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
  } catch {
    return undefined;
  }
};

/** Text in a cell of a table, whatever it holds. */
const cell = (value) =>
  `${value}`
    .replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`)
    .replace(/[|`*_[\]\\]/g, "\\$&")
    .replace(/\s+/g, " ");

const table = (head, rows) => [
  `| ${head.join(" | ")} |`,
  `|${head.map(() => "---").join("|")}|`,
  ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
  "",
];

const refusedCalls = () =>
  ["4xx", "5xx"]
    .flatMap((status) => asked("requests", "--status", status, "--limit", "20")?.data ?? [])
    .map(({ id, method, path, status }) => [id, `${method} ${path}`, status]);

const summary = () => {
  const status = asked("status");
  if (!status) return ["### service-sim", "", "It no longer answers: see the end of its log.", ""];
  const { version, seed, fixture, now, webhooks } = status;
  const coverage = asked("coverage", "--every-world");
  const refused = refusedCalls();
  return [
    "### service-sim",
    "",
    ...table(
      ["version", "seed", "fixture", "simulated time", "webhooks accepted", "given up", "coverage"],
      [
        [
          version,
          seed,
          fixture,
          now,
          webhooks.accepted,
          webhooks.givenUp,
          `${coverage?.score ?? 0} %`,
        ],
      ],
    ),
    ...(refused.length === 0 ? [] : table(["refused call", "", "status"], refused)),
  ];
};

/** Copies the log, the capsule of the whole run, and those of failed tests; the state has secrets. */
const keepFiles = () => {
  const folder = join(RUNNER_TEMP, "service-sim-report");
  mkdirSync(folder, { recursive: true });
  for (const name of ["service-sim.log", "service-sim.log.old", "run.capsule"])
    if (existsSync(join(state, name))) cpSync(join(state, name), join(folder, name));
  const failures = join(".service-sim", "failures");
  if (existsSync(failures)) cpSync(failures, join(folder, "failures"), { recursive: true });
  return readdirSync(folder).length > 0 ? folder : "";
};

if (state === "") {
  process.stdout.write("::warning title=service-sim::nothing was started in this job\n");
} else {
  appendFileSync(GITHUB_STEP_SUMMARY, `${summary().join("\n")}\n`);
  // A capsule is whole once its simulator has ended.
  asked("stop");
  appendFileSync(GITHUB_OUTPUT, `files=${keepFiles()}\n`);
}
