import { expect, test } from "vitest";
import { worldPerTest } from "../api/setup/world-per-test.ts";

const world = worldPerTest();

interface Row {
  match: string;
  ends: string;
  afterMs: number;
  timeline: { then: string }[];
}

/** Match, end and events of a verification; all events come at once. */
const LISTED: Record<string, [match: string, ends: string, told: string[]][]> = {
  verification: [
    ["001", "PENDING", ["verification IN_PROGRESS", "PENDING"]],
    ["002", "REJECTED", ["PENDING", "verification REJECTED", "REJECTED"]],
    ["incomplete", "RESOLVE_ERRORS", ["verification RESOLVE_ERRORS"]],
    ["individual", "APPROVED", ["verification APPROVED", "APPROVED"]],
    ["otherwise", "APPROVED", ["PENDING", "verification APPROVED", "APPROVED"]],
  ],
  beneficialOwner: [
    ["001", "PENDING", ["PENDING"]],
    ["002", "REJECTED", ["REJECTED"]],
    ["otherwise", "APPROVED", ["APPROVED"]],
  ],
};

test.each(Object.keys(LISTED))("every row of %s is listed with how it ends", async (name) => {
  const { body } = await world().control("GET", "/outcomes");
  const { rows } = body.data.find(({ group }: { group: string }) => group === name);
  expect(rows.every(({ afterMs }: Row) => afterMs === 0)).toBe(true);
  const listed = rows.map(({ match, ends, timeline }: Row) => [
    match,
    ends,
    timeline.map(({ then }) => then),
  ]);
  expect(listed).toEqual(LISTED[name]);
});
