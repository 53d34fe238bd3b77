(globalThis as any).__VERSION__ = "test";
const { openFuzzedWorld } = await import("./fuzzed-world.ts");
const { runCampaign, complaintsOf, distinctFindings, heapGrowth } = await import("./campaign.ts");
const w = await openFuzzedWorld((await import("../../dist/simulator.mjs")).createSimulator);
const requests = Number(process.argv[2] ?? 4000);
const r = await runCampaign(w, {
  seed: Number(process.argv[3] ?? 1),
  requests,
  onRound: (n, b) => console.error(n, (b / 1e6).toFixed(1)),
});
console.log(r.tally.byKind, [...r.tally.byStatus], r.seconds, r.tally.requests, heapGrowth(r.heap));
console.log(
  [...r.unreached, ...new Set(r.alarms.map((x) => x.split("\n").slice(0, 2).join(" ")))].join("\n"),
);
for (const { first, count } of distinctFindings(r.tally.findings).slice(0, 80))
  console.log(
    count,
    first.kind,
    first.how,
    first.lane,
    first.at,
    first.operation,
    first.problem.slice(0, 200),
    JSON.stringify(first.bytes.toString("latin1")).slice(0, 330),
  );
await w.close();
process.exit(0);
