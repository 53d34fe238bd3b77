import { StoreRefused } from "../port/store-trouble.ts";
import type { Connections, Unanswered } from "./connection.ts";
import { plain } from "./statement.ts";
import { refusalOf } from "./trouble.ts";

/** Settings as the present session has them: a role and a database may have their own. */
interface Settings {
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  standbys: string;
  is_replica: boolean;
  read_only: string;
  encoding: string;
  version: number;
}

const READ = plain(`
  select current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as standbys,
    pg_is_in_recovery() as is_replica,
    current_setting('default_transaction_read_only') as read_only,
    current_setting('server_encoding') as encoding,
    current_setting('server_version_num')::int as version`);

interface Rule {
  isBroken: (settings: Settings) => boolean;
  expected: string;
  found: (settings: Settings) => string;
  /** Loss that it would bring, and the remedy. */
  says: string;
  /** The others only keep the store from being used now, which each act is told. */
  losesData?: true;
}

/** The oldest PostgreSQL that the tests have run on. */
const OLDEST = 150_000;

/** Conditions under which nothing acknowledged is lost. */
const RULES: readonly Rule[] = [
  {
    isBroken: ({ fsync }) => fsync !== "on",
    expected: "fsync on",
    found: ({ fsync }) => fsync,
    says: "a power cut may take or damage everything. Set fsync = on in postgresql.conf and reload it",
    losesData: true,
  },
  {
    isBroken: ({ full_page_writes }) => full_page_writes !== "on",
    expected: "full_page_writes on",
    found: ({ full_page_writes }) => full_page_writes,
    says: "a power cut may leave half a page. Set full_page_writes = on in postgresql.conf and reload it",
    losesData: true,
  },
  {
    isBroken: ({ synchronous_commit }) => synchronous_commit === "off",
    expected: "synchronous_commit on",
    found: ({ synchronous_commit }) => synchronous_commit,
    says: "a crash may take the last second. Set it to on for the server, and reset it for this role and database",
    losesData: true,
  },
  {
    isBroken: ({ synchronous_commit, standbys }) =>
      standbys !== "" && ["local", "remote_write"].includes(synchronous_commit),
    expected: "synchronous_commit on, since synchronous_standby_names is set,",
    found: ({ synchronous_commit }) => synchronous_commit,
    says: "a failover may take what was acknowledged. Set it to on for the server, and reset it for this role and database",
    losesData: true,
  },
  {
    isBroken: ({ is_replica }) => is_replica,
    expected: "the primary server",
    found: () => "a replica",
    says: "a replica takes no writes. Name the primary in the URL",
  },
  {
    isBroken: ({ read_only }) => read_only === "on",
    expected: "default_transaction_read_only off",
    found: ({ read_only }) => read_only,
    says: "the store takes no writes. Set it to off for the server, and reset it for this role and database",
  },
  {
    isBroken: ({ encoding }) => encoding !== "UTF8",
    expected: "a database in UTF8",
    found: ({ encoding }) => encoding,
    says: "other encodings do not have every text. Make one with createdb --encoding=UTF8 --template=template0",
  },
  {
    isBroken: ({ version }) => version < OLDEST,
    expected: `PostgreSQL ${OLDEST / 10_000} or newer`,
    found: ({ version }) => String(Math.floor(version / 10_000)),
    says: "older servers were never tried. Update the server, or name another in the URL",
  },
];

const refuseBroken = (settings: Settings, rules: readonly Rule[], place: string) => {
  const rule = rules.find(({ isBroken }) => isBroken(settings));
  if (rule === undefined) return;
  throw new StoreRefused(
    `Expected ${rule.expected} but found ${rule.found(settings)} at ${place}: ${rule.says}.`,
  );
};

/** Reads the settings at a start. @throws StoreRefused, StoreTrouble */
export const requireSettings = async (connections: Connections): Promise<void> => {
  try {
    const { rows } = await connections.raw<Settings & { [key: string]: unknown }>(READ);
    refuseBroken(rows[0] as Settings, RULES, connections.named.place);
  } catch (error) {
    const { name, cause } = error as Unanswered;
    throw name === "Unanswered" ? refusalOf(cause, connections.named) : error;
  }
};

/** Reads them again while worlds are open. @throws StoreRefused when they lose data, StoreTrouble */
export const requireSafeSettings = async (connections: Connections): Promise<void> => {
  const { rows } = await connections.ask<Settings & { [key: string]: unknown }>(READ, {
    isRead: true,
  });
  const rules = RULES.filter(({ losesData }) => losesData);
  refuseBroken(rows[0] as Settings, rules, connections.named.place);
};
