import { symlinkSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasPostgres, PostgresServer } from "../storage/setup/postgres-server.ts";
import { ROOT } from "./build.ts";
import { Skipped } from "./figure.ts";
import type { Workplace } from "./workplace.ts";

/** A server as it is installed, in place of the small one of tests. */
const SETTINGS = { shared_buffers: "128MB", autovacuum: "on" };

/**
 * Puts the packages of the repository beside the measured program, as users do with `pg`.
 * @returns takes them away again: other figures measure the program alone
 */
const linkPackages = ({ build }: Workplace): (() => void) => {
  const modules = join(dirname(dirname(build.library)), "node_modules");
  symlinkSync(join(ROOT, "node_modules"), modules);
  return () => unlinkSync(modules);
};

/**
 * Measures with a PostgreSQL server of its own, which outlives the processes that use it.
 * @throws Skipped where none is installed
 */
export const onPostgres = async <Result>(
  workplace: Workplace,
  measure: (server: PostgresServer) => Promise<Result>,
): Promise<Result> => {
  if (!hasPostgres()) throw new Skipped("no PostgreSQL");
  const unlink = linkPackages(workplace);
  try {
    const server = await PostgresServer.start(SETTINGS);
    try {
      return await measure(server);
    } finally {
      await workplace.endAll();
      await server.delete();
    }
  } finally {
    unlink();
  }
};

/** The URL of a new database, as the option `--storage` takes it. */
export const newDatabase = async (server: PostgresServer): Promise<string> =>
  server.url(await server.database());

/** Options of a process that shares a database, and stops without a drain. */
export const SHARING = ["--peer", "127.0.0.1:0", "--drain", "0s"] as const;
