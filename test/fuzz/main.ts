import { campaignOptions, index, wholeNumber } from "../setup/campaign-options.ts";
import { FORMS, formCalled, type ServerForm, seedOfForm, sharesOf } from "./forms.ts";
import type { ServedState } from "./fuzzed-world.ts";
import { ServedProcess } from "./served-process.ts";

// Sources that a build would fill in.
Object.assign(globalThis, { __VERSION__: "fuzz" });
const { runCampaign, complaintsOf, heapGrowth } = await import("./wire-campaign.ts");
const { servedOperations } = await import("./described-operations.ts");
const { linesOf, serverLines } = await import("./report.ts");
const { shrunkFindings } = await import("./shrink.ts");
type Target = import("./wire-campaign.ts").Target;

interface Values {
  requests: number;
  seed: number;
  form?: string;
  lane?: number;
  serve?: true;
}

const values = campaignOptions<Values>({
  script: "fuzz",
  does: "Sends valid, boundary, invalid and hostile requests from both OpenAPI documents over sockets.",
  options: [
    {
      flags: "--requests <n>",
      summary: "requests in all; a lane that has begun is finished",
      read: wholeNumber,
      preset: 200_000,
    },
    {
      flags: "--seed <n>",
      summary: "decides every request, and which form is first",
      read: wholeNumber,
      preset: 1,
    },
    {
      flags: "--form <name>",
      summary: "this form of the server alone",
      choices: FORMS.map(({ name }) => name),
    },
    { flags: "--lane <n>", summary: "repeats one lane, as a finding says", read: index },
    { flags: "--serve", summary: "serves a form until it is stopped, to repeat a finding by hand" },
  ],
  examples: ["--requests 20000", "--seed 7 --form all --lane 97"],
});

/** From this many requests of a form on the heap is judged: earlier, caches still fill. */
const JUDGED_REQUESTS = 25_000;
const BYTES_PER_MEGABYTE = 1e6;

interface Share {
  form: ServerForm;
  requests: number;
}

const opened = async ({ name }: ServerForm) => {
  const server = new ServedProcess("test/fuzz/served.ts", [name]);
  const world = await server.next<Omit<Target, "state">>();
  const target: Target = { ...world, state: () => server.ask<ServedState>("state") };
  return { server, target };
};

/** Runs the share of one form; returns everything wrong with it. */
const runForm = async ({ form, requests }: Share): Promise<string[]> => {
  const seed = values.seed;
  const { server, target } = await opened(form);
  try {
    const operations = await servedOperations(target, form.base);
    const report = await runCampaign(target, {
      seed: seedOfForm(seed, form),
      requests,
      operations,
      ...(values.lane !== undefined && { lane: values.lane }),
      onRound: (sent, heapBytes) => {
        const megabytes = (heapBytes / BYTES_PER_MEGABYTE).toFixed(1);
        process.stderr.write(`\r${form.name}: ${sent} requests, heap ${megabytes} MB `);
      },
    });
    process.stderr.write("\n");
    const reopened = form.isOnDisk ? await server.ask<string[]>("reopen") : [];
    const growth = heapGrowth(report.heap);
    const shrunk = await shrunkFindings(target, report.tally.findings);
    const told = { seed, form: form.name, operations: operations.length, growth, shrunk };
    console.log(linesOf(report, told).join("\n"));
    const judgesHeap = requests >= JUDGED_REQUESTS;
    return [...complaintsOf(report, { judgesHeap }), ...reopened];
  } finally {
    await server.end();
  }
};

const run = async (): Promise<number> => {
  const form = values.form === undefined ? undefined : formCalled(values.form);
  const asked = { seed: values.seed, requests: values.requests };
  const complaints: string[] = [];
  for (const share of form ? [{ form, requests: asked.requests }] : sharesOf(asked))
    for (const complaint of await runForm(share))
      complaints.push(`${share.form.name}: ${complaint}`);
  for (const complaint of complaints) console.error(complaint);
  return complaints.length > 0 ? 1 : 0;
};

/** Serves a form, and tells how it is called. */
const serve = async () => {
  const { target } = await opened(formCalled(values.form ?? "plain"));
  console.log(serverLines(target).join("\n"));
};

if (values.serve) await serve();
else process.exit(await run());
