import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workplace } from "../../setup/cli.ts";

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

/** Folder of the scripts, beside files that may be completed. */
let place: Workplace;

beforeAll(async () => {
  place = new Workplace();
  mkdirSync(place.file("worlds"));
  for (const name of ["mine.json", "my key.pem"]) writeFileSync(place.file("worlds", name), "");
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, stderr } = await place.shell(`service-sim completion ${shell} > ${shell}-script`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
});

afterAll(() => place.close());

/** Typed text up to the cursor, and words that must and must not be offered there. */
const CASES = [
  { typed: "sta", offers: ["start", "status"], hides: ["stop"] },
  { typed: "", offers: ["start", "webhooks", "completion"], hides: ["list", "--port"] },
  { typed: "webhooks ", offers: ["list", "show", "resend", "wait"], hides: ["start"] },
  { typed: "webhooks list --st", offers: ["--state"], hides: ["--type", "--status"] },
  { typed: "webhooks list --state G", offers: ["GIVEN_UP"], hides: ["WAITING"] },
  { typed: "webhooks wait --count ", offers: [], hides: ["--type"] },
  { typed: "start --cl", offers: ["--clock", "--client-id"], hides: ["--crypto"] },
  { typed: "start --clock ", offers: ["real", "manual"], hides: ["--port"] },
  { typed: "start --clock=ma", offers: ["manual"], hides: ["real"] },
  { typed: "start --fsync --ca", offers: ["--card-events"], hides: ["--clock"] },
  { typed: "start --webhook-key worlds/m", offers: ["mine.json", "my key.pem"], hides: [] },
  { typed: "seed worlds/mi", offers: ["mine.json"], hides: ["my key.pem"] },
  { typed: "clock fr", offers: ["freeze"], hides: ["run"] },
  { typed: "completion ", offers: ["bash", "zsh", "fish"], hides: ["start"] },
  { typed: "exec --clock manual -- nod", offers: ["node"], hides: ["--now"] },
  { typed: "api G", offers: ["GET"], hides: ["POST", "--pick"] },
  { typed: "requests --operation createQ", offers: ["createQuote"], hides: ["getQuote"] },
  { typed: "faults add --operation createQ", offers: ["createQuote"], hides: ["getQuote"] },
  { typed: "api createQ", offers: ["createQuote"], hides: ["getQuote"] },
  { typed: "api GET /quo", offers: ["/quotes/{quoteId}"], hides: ["/quotes", "getQuote"] },
  {
    typed: "api POST /quotes",
    offers: ["/quotes", "/quotes/{quoteId}/execute"],
    hides: ["/quotes/{quoteId}"],
  },
  { typed: "api GET /customers --he", offers: ["--header"], hides: ["--data"] },
  { typed: "help we", offers: ["webhooks"], hides: ["wait"] },
  {
    typed: "outcomes next umaLookup.",
    offers: ["umaLookup.unknown", "umaLookup.otherwise"],
    hides: ["umaLookup.person", "umaLookup.customer"],
  },
  { typed: "stop --u", offers: ["--url"], hides: ["--port"] },
] as const;

interface Case {
  typed: string;
  offers: readonly string[];
  hides: readonly string[];
}

const check = (offered: readonly string[], { typed, offers, hides }: Case) => {
  for (const word of offers) expect(offered, typed).toContain(word);
  for (const word of hides) expect(offered, typed).not.toContain(word);
  if (offers.length === 0) expect(offered, typed).toEqual([]);
};

/** Line behind the offers of a case, where one shell is asked about all of them. */
const END = "== end of a case ==";

/** Checks what a shell has printed: the offers of each case, and a line behind them. */
const checkAll = (stdout: string, wordIn: (line: string) => string) => {
  const answers = stdout.split(`${END}\n`);
  expect(answers).toHaveLength(CASES.length + 1);
  for (const [at, one] of CASES.entries())
    check(answers[at]?.split("\n").filter(Boolean).map(wordIn) ?? [], one);
};

/** bash splits the line, also at the equals sign, before it calls the function. */
const BASH = `
. ./bash-script
COMP_WORDS=(service-sim)
for word in "$@"; do
  if [[ $word != "${END}" ]]; then COMP_WORDS+=("$word"); continue; fi
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _service_sim 2>&1
  printf '%s\\n' "\${COMPREPLY[@]}" "$word"
  COMP_WORDS=(service-sim)
done`;

const wordsOf = (typed: string) => typed.split(/ |(=)/).filter((word) => word !== undefined);

describe("bash", () => {
  const ask = async (words: readonly string[]) => {
    const run = place.spawn(["bash", "--norc", "-c", BASH, "bash", ...words]);
    const { stdout, stderr } = await run.ended;
    expect(stderr).toBe("");
    return stdout;
  };

  test("after each text it offers what may follow", async () => {
    const words = CASES.flatMap(({ typed }) => [...wordsOf(typed), END]);
    checkAll(await ask(words), (word) => word.replace(/^worlds\//, ""));
  });

  test("what stands on the line is never run", async () => {
    const words = ["$(touch ran)", "--seed", "`touch ran`", "", END];
    expect((await ask(words)).trim()).toBe(END);
    const { stdout } = await place.shell("ls");
    expect(stdout).not.toContain("ran\n");
  });

  test("it may be taken in twice, and is tied to the name of the program", async () => {
    const { stdout, stderr } = await place.spawn([
      "bash",
      "--norc",
      "-uc",
      ". ./bash-script; . ./bash-script; complete -p service-sim",
    ]).ended;
    expect({ stdout, stderr }).toEqual({
      stdout: "complete -F _service_sim service-sim\n",
      stderr: "",
    });
  });
});

/** Makes zsh write its offers into a file; then creates the file `over`. */
const ZSH_RECORDER = `
PROMPT= LISTMAX=10000
autoload -Uz compinit && compinit -u -D
source ./zsh-script
compadd() {
  [[ " $*" == *" -"[OAD]" "* ]] && { builtin compadd "$@"; return }
  local -a found
  builtin compadd -A found "$@"
  print -rl -- $found >> offered
  builtin compadd "$@"
}
finish() { : > over }
record() { comppostfuncs=(finish); zle complete-word }
zle -N record
bindkey '^T' record
: > ready`;

/** Types each line into one zsh at a terminal of its own. */
const ZSH = `
zmodload zsh/zpty zsh/zselect
rm -f ready
zpty -b shell zsh -f -i
zpty -w shell 'source ./recorder'
await() { until [[ -e $1 ]]; do zpty -r -t shell seen; zselect -t 2; done }
await ready
for typed in "$@"; do
  rm -f offered over
  zpty -w -n shell $'\\025'"service-sim $typed"$'\\024'
  await over
  [[ -e offered ]] && cat offered
  print -r -- "${END}"
done`;

describe.skipIf(!isThere("zsh"))("zsh (skipped where there is none)", () => {
  test("after each text it offers what may follow", async () => {
    writeFileSync(place.file("recorder"), ZSH_RECORDER);
    const typed = CASES.map((one) => one.typed);
    const { stdout, stderr } = await place.spawn(["zsh", "-f", "-c", ZSH, "zsh", ...typed]).ended;
    expect(stderr).toBe("");
    checkAll(stdout.replaceAll("\\", ""), (word) => word);
  });
});

const FISH = `
source ./fish-script
for typed in $argv
  complete -C "service-sim $typed"
  echo "${END}"
end`;

describe.skipIf(!isThere("fish"))("fish (skipped where there is none)", () => {
  test("after each text it offers what may follow", async () => {
    const typed = CASES.map((one) => one.typed);
    const { stdout, stderr } = await place.spawn(["fish", "-c", FISH, ...typed], {
      env: { HOME: place.path, XDG_CONFIG_HOME: place.path, XDG_DATA_HOME: place.path },
    }).ended;
    expect(stderr).toBe("");
    checkAll(stdout, (row) => (row.split("\t")[0] ?? "").replace(/^(worlds\/|--clock=)/, ""));
  });
});

test.each([
  { words: "completion csh", found: 'Expected bash, zsh or fish but found "csh"' },
  { words: "completion toString", found: 'Expected bash, zsh or fish but found "toString"' },
])("$words is refused", async ({ words, found }) => {
  const { code, stdout, stderr } = await place.run(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(found);
});
