import * as z from "zod";
import { CoverageReport, CoverageScope } from "../contract/control/coverage.ts";
import { endpoint } from "./core/control-endpoint.ts";

/** Coverage of a world by its callers and receivers (spec/coverage.md#report). */
export const coverageEndpoints = [
  endpoint({
    operationId: "coverage",
    summary: "Items that callers and receivers have met, and one line for each that is missing",
    method: "GET",
    path: "/coverage",
    query: { of: CoverageScope.optional() },
    replies: [200, CoverageReport],
    refuses: [],
    handle: ({ query: { of = "world" } }, _call, { coverage }) => coverage.report(of),
  }),
  endpoint({
    operationId: "clearCoverage",
    summary: "Count again from here",
    method: "DELETE",
    path: "/coverage",
    query: { of: CoverageScope.optional() },
    replies: [204, z.null()],
    refuses: [],
    handle: ({ query: { of = "world" } }, _call, { coverage }) => {
      coverage.clear(of);
    },
  }),
];
