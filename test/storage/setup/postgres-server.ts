import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { Client, type ClientConfig } from "pg";

const DEBIAN = "/usr/lib/postgresql";

/** Newest version first, then what is on the path. */
const folders = () => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  return [
    ...versions.sort((one, other) => other - one).map((version) => `${DEBIAN}/${version}/bin`),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
};

/** The folder with the programs of a PostgreSQL server; undefined where none is installed. */
export const postgresBinaries = (): string | undefined =>
  folders().find((folder) =>
    ["initdb", "postgres"].every((name) => existsSync(join(folder, name))),
  );

export const hasPostgres = () => postgresBinaries() !== undefined;

/** Reports a missing server where everybody sees it. */
export const sayIfSkipped = (what: string) => {
  if (hasPostgres()) return;
  process.stderr.write(
    `\n!!! SKIPPED: ${what}, since there is no PostgreSQL server\n` +
      "!!! apt-get install postgresql, or have initdb and postgres on the path\n\n",
  );
};

/** PostgreSQL does not run as root: who runs it then. */
const runner = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  const account = ["postgres", "nobody"]
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`)))
    .find((line) => line !== undefined);
  const [, , uid, gid] = account?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
};

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const READY = /ready to accept (read-only )?connections/;

/** A PostgreSQL server of its own, on loopback, with its data in a temporary folder. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: Readonly<Record<string, string>>;
  #running: ChildProcessByStdio<null, null, Readable> | undefined;
  #databases = 0;

  private constructor(port: number, settings: Readonly<Record<string, string>>) {
    this.port = port;
    this.#settings = settings;
    this.#folder = mkdtempSync(join(tmpdir(), "service-sim-postgres-"));
    const { uid, gid } = runner();
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid);
    const form = ["--encoding=UTF8", "--locale=C", "--auth=trust", "--username=postgres"];
    execFileSync(this.#program("initdb"), ["-D", this.#data, "--no-sync", ...form], {
      ...runner(),
      cwd: this.#folder,
      stdio: "ignore",
    });
  }

  /** Starts a server that syncs each commit, unless its settings say otherwise. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const server = new PostgresServer(await freePort(), settings);
    await server.begin();
    return server;
  }

  get #data() {
    return join(this.#folder, "data");
  }

  #program(name: string) {
    return join(postgresBinaries() ?? "", name);
  }

  /** Starts it again over the same data, on the same port. */
  async begin(): Promise<void> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: String(this.port),
      unix_socket_directories: "",
      shared_buffers: "16MB",
      autovacuum: "off",
      ...this.#settings,
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const running = spawn(this.#program("postgres"), ["-D", this.#data, ...options], {
      ...runner(),
      cwd: this.#folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#running = running;
    const atExit = () => running.kill("SIGQUIT");
    process.once("exit", atExit);
    running.once("close", () => process.off("exit", atExit));
    await new Promise<void>((resolve, reject) => {
      let said = "";
      running.stderr.setEncoding("utf8").on("data", (text: string) => {
        if (READY.test(said)) return;
        said += text;
        if (READY.test(said)) resolve();
      });
      running.once("close", () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    });
  }

  /** Ends it, all its processes too. */
  async end(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    // Its processes hold the pipe: it closes when the last of them is gone.
    const closed = new Promise((resolve) => running.once("close", resolve));
    running.kill(signal);
    await closed;
  }

  /** Pauses all its processes, or lets them continue. */
  pause(isPaused: boolean): void {
    const parent = this.#running?.pid as number;
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ");
    const pids = [parent, ...children.filter(Boolean).map(Number)];
    for (const pid of pids) process.kill(pid, isPaused ? "SIGSTOP" : "SIGCONT");
  }

  /** Ends it and deletes its data. */
  async delete(): Promise<void> {
    await this.end("SIGQUIT");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The URL of a database, for its superuser unless another role is named. */
  url(database: string, user = "postgres"): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Makes an empty database. @returns its name */
  async database(): Promise<string> {
    this.#databases += 1;
    const name = `sim_${this.#databases}`;
    await this.run(`create database ${name}`);
    return name;
  }

  /** Runs statements as superuser. @returns rows of the last one */
  async run(text: string, database = "postgres"): Promise<Record<string, unknown>[]> {
    const config: ClientConfig = { connectionString: this.url(database) };
    const client = new Client(config);
    await client.connect();
    try {
      const results: unknown = await client.query(text);
      return (results as { rows: Record<string, unknown>[] }).rows;
    } finally {
      await client.end();
    }
  }

  /** Sets a setting of the running server. */
  async set(name: string, value: string): Promise<void> {
    await this.run(`alter system set ${name} = ${value}`);
    await this.reload();
  }

  /** Takes back all that was set. */
  async reset(): Promise<void> {
    await this.run("alter system reset all");
    await this.reload();
  }

  /** Says who may connect how, before the rule that lets everybody in. */
  async allow(rules: readonly string[]): Promise<void> {
    const file = join(this.#data, "pg_hba.conf");
    writeFileSync(file, [...rules, readFileSync(file, "utf8")].join("\n"));
    await this.reload();
  }

  /** Lets it be a replica from its next start on, or no longer. */
  replicate(isReplica: boolean): void {
    const signal = join(this.#data, "standby.signal");
    if (isReplica) writeFileSync(signal, "");
    else rmSync(signal);
  }

  /** Reads the settings again, and waits until a new session has them. */
  async reload(): Promise<void> {
    const since = "select pg_conf_load_time()::text as at";
    const before = (await this.run(since))[0]?.at;
    await this.run("select pg_reload_conf()");
    while ((await this.run(since))[0]?.at === before);
  }
}
