import { spawnSync } from "node:child_process";

/** A place to run in: what is set up before a command, as lines of a shell. */
export interface Place {
  place: string;
  /** Variables; an empty text is set too. */
  env?: Record<string, string>;
  /** Lines of sh in the folder of the test, before the command starts. */
  before?: string;
  /** Redirections of the command: `<&-`. */
  streams?: string;
  /** Words in front of the command, such as `setpriv`. */
  as?: string;
}

/** Nobody's id on most systems, and one that no list of users has. */
export const NOBODY = "setpriv --reuid 65534 --regid 65534 --clear-groups";
const UNLISTED = "setpriv --reuid 54321 --regid 54321 --clear-groups";

/** Whether rows with another uid can run: as root, and where that uid can read this checkout. */
export const canChangeUser = () =>
  process.getuid?.() === 0 &&
  spawnSync("sh", ["-c", `${NOBODY} test -r bin/service-sim.js`]).status === 0;

const HOMES: Place[] = [
  "/dev/null",
  "/proc",
  "/nonexistent",
  "",
  "relative",
  "/",
  `/tmp/${"deep/".repeat(40)}`,
].map((home) => ({
  place: `HOME=${home.length > 40 ? "40 folders that are missing" : home}`,
  env: { HOME: home, XDG_CACHE_HOME: "" },
}));

const CACHES: Place[] = ["/proc/self", "/dev/null"].map((home) => ({
  place: `XDG_CACHE_HOME=${home}`,
  env: { XDG_CACHE_HOME: home },
}));

const FOLDERS: Place[] = [
  { place: "a working folder that is gone", before: "mkdir gone; cd gone; rmdir ../gone" },
  {
    place: "a working folder that is gone, with coverage",
    before: "mkdir gone; cd gone; rmdir ../gone",
    env: { SERVICE_SIM_COVERAGE_DIR: "counts" },
  },
  { place: "a coverage folder in a file", env: { SERVICE_SIM_COVERAGE_DIR: "/dev/null/counts" } },
  { place: "a coverage folder in /proc", env: { SERVICE_SIM_COVERAGE_DIR: "/proc/counts" } },
];

const TEMPORARY: Place[] = ["/nonexistent", "/dev/null", ""].map((folder) => ({
  place: `TMPDIR=${folder}`,
  env: { TMPDIR: folder },
}));

const MASKS: Place[] = ["000", "077", "777"].map((mask) => ({
  place: `umask ${mask}`,
  before: `umask ${mask}`,
}));

const STREAMS: Place[] = ["<&-", ">&- 2>&-", "<&- >&- 2>&-", "2>&-"].map((streams) => ({
  place: `streams ${streams}`,
  streams,
}));

const NODE_OPTIONS: Place[] = [
  "--throw-deprecation --pending-deprecation",
  "--trace-warnings",
  "--unhandled-rejections=strict",
  "--disable-proto=throw",
  "--stack-trace-limit=0",
  "--disallow-code-generation-from-strings",
  "--enable-source-maps",
  "--preserve-symlinks --preserve-symlinks-main",
  "--max-old-space-size=128",
].map((options) => ({ place: `NODE_OPTIONS=${options}`, env: { NODE_OPTIONS: options } }));

const LOCALES: Place[] = [
  { TERM: "dumb" },
  { TERM: "" },
  { TERM: "nonsense" },
  { LANG: "C", LC_ALL: "C" },
  { LANG: "tr_TR.UTF-8" },
  { LANG: "ar_EG.UTF-8", LC_ALL: "nonsense" },
  { TZ: "Asia/Kathmandu" },
  { TZ: "nonsense" },
  { TZ: ":/nonexistent" },
].map((env) => ({ place: JSON.stringify(env), env }));

/** Rows for root, who can become somebody else. */
export const FOR_ROOT: Place[] = [
  { place: "the home of root, as nobody", as: NOBODY, env: { HOME: "/root", XDG_CACHE_HOME: "" } },
  { place: "a folder of root, as nobody", as: NOBODY, before: "chmod 755 . .." },
  { place: "a folder that cannot be searched, as nobody", as: NOBODY, before: "chmod 700 . .." },
  { place: "a user without a name", as: `env -u HOME -u XDG_CACHE_HOME ${UNLISTED}` },
  {
    place: "a temporary folder of root, as nobody",
    as: NOBODY,
    before: "chmod 755 .; mkdir -m 755 tmp; export TMPDIR=$PWD/tmp",
  },
  { place: "a mask without rights, as nobody", as: NOBODY, before: "chmod 777 . ..; umask 777" },
];

/** Places of different kinds do not hide what another one breaks. */
export const KINDS: readonly (readonly Place[])[] = [
  [...HOMES, ...CACHES, ...FOLDERS, ...TEMPORARY, ...MASKS],
  [...NODE_OPTIONS, ...STREAMS],
  LOCALES,
];

const joined = (places: readonly Place[]): Place => ({
  ...Object.assign({}, ...places),
  place: places.map(({ place }) => place).join(", "),
  env: Object.assign({}, ...places.map(({ env }) => env)),
});

/** The places that have their turn at the same time; a kind that has run out has none. */
export const together = (kinds: typeof KINDS): Place[] =>
  Array.from({ length: Math.max(...kinds.map(({ length }) => length)) }, (_, at) =>
    joined(kinds.flatMap((places) => places[at] ?? [])),
  );
