import { expect, test, vi } from "vitest";
import { databaseFigures } from "./database-figures.ts";
import { figuresOf } from "./figures.ts";
import { measureFigure } from "./measurement.ts";
import type { Workplace } from "./workplace.ts";

vi.mock("../storage/setup/postgres-server.ts", () => ({ hasPostgres: () => false }));

const namesOf = (length: "short" | "usual") =>
  figuresOf(length)
    .map(({ name }) => name)
    .filter((name) => name.includes("PostgreSQL"));

test("--only PostgreSQL measures the figures of the database", () => {
  expect(namesOf("usual")).toEqual([
    "POST /quotes, 50 connections, PostgreSQL",
    "GET /quotes/{id}, 50 connections, PostgreSQL",
    "POST /quotes, 50 connections, three processes on PostgreSQL",
    "GET /quotes/{id}, 50 connections, three processes on PostgreSQL",
    "POST /quotes, 50 connections, three processes on PostgreSQL, a world each",
    "GET /quotes/{id}, 50 connections, three processes on PostgreSQL, a world each",
    "CPU time of a GET /quotes/{id} that hops, on PostgreSQL",
    "from kill -9 of a world's process to the next good GET, on PostgreSQL",
    "the first call of a world of 10,000 records on PostgreSQL",
    "resident memory, 10,000 worlds in PostgreSQL",
    "an idle world's memory, on PostgreSQL",
  ]);
});

test("a short run leaves them out", () => {
  expect(namesOf("short")).toEqual([]);
});

test.each(databaseFigures)("$name is skipped where there is no PostgreSQL", async (figure) => {
  const workplace = { endAll: async () => {} } as unknown as Workplace;
  expect(await measureFigure(figure, workplace)).toMatchObject({
    state: "SKIPPED",
    why: "no PostgreSQL",
  });
});
