import { expect, test } from "vitest";
import { peerTableOf } from "./peer-report.ts";

test("a table of peers has rates with their ratios, and why others have none", () => {
  const rate = (perSecond: number, ratio: number, processorUs: number) => ({
    perSecond,
    ratio,
    processorUs,
  });
  expect(
    peerTableOf([
      {
        name: "ours",
        readyMs: 287.4,
        residentMiB: 73.1,
        get: rate(16_400, 0.338, 59.2),
        post: rate(3_400, 0.078, 319.4),
      },
      { name: "another", why: "java is not installed" },
    ]),
  ).toEqual([
    "SERVER   READY   RESIDENT  GET A QUOTE                POST /QUOTES",
    "ours     287 ms  73.1 MiB  16,400/s (0.338, 59.2 µs)  3,400/s (0.078, 319 µs)",
    "another  -       -         -                          not measured: java is not installed",
  ]);
});
