import * as z from "zod";
import { CoverageReport, CoverageScope } from "../contract/control/coverage.ts";
import { endpoint } from "./core/control-endpoint.ts";

/** Coverage of a world by its callers and receivers (spec/coverage.md#report). */
export const coverageEndpoints = [
  endpoint({
    operationId: "coverage",
    summary: "Coverage of calls and receivers, and one line for each missing item",
    method: "GET",
    path: "/coverage",
    query: { of: CoverageScope.optional() },
    replies: [200, CoverageReport],
    refuses: [],
    handle: ({ query: { of = "world" } }, _call, { coverage }) => coverage.report(of),
  }),
  endpoint({
    operationId: "clearCoverage",
    summary: "Reset the counts",
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
