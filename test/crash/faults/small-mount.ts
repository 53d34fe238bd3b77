import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { Workplace } from "../../setup/cli.ts";

/** Result of filling a real file system; everything listed as wrong is a defect. */
export interface MountReport {
  acknowledged: number;
  refused: number;
  wrong: string[];
  /** Reason why this system mounts nothing. */
  skipped?: string;
}

const SIZE = "320k";
const MOST_WRITES = 2_000;
const ENOUGH_REFUSED = 5;
const START = "--storage file:disk/state --clock manual --seed mount";

const mounted = (path: string, work: () => Promise<MountReport>): Promise<MountReport> => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", path], { stdio: "pipe" });
  } catch (error) {
    const skipped = (error as Error).message.split("\n").at(-2) ?? "mount fails";
    return Promise.resolve({ acknowledged: 0, refused: 0, wrong: [], skipped });
  }
  return work().finally(() => execFileSync("umount", ["-l", path], { stdio: "pipe" }));
};

/**
 * Fills a small mount with a running simulator, makes room, continues, kills it and makes the mount
 * read-only for one start: each acknowledged write is there after a restart.
 */
export const fillMount = async (): Promise<MountReport> => {
  const place = new Workplace();
  const path = place.file("disk");
  mkdirSync(path);
  try {
    return await mounted(path, () => fill(place));
  } finally {
    await place.close();
    rmSync(path, { recursive: true, force: true });
  }
};

const fill = async (place: Workplace): Promise<MountReport> => {
  const report: MountReport = { acknowledged: 0, refused: 0, wrong: [] };
  const kept: string[] = [];
  const ballast = place.file("disk", "ballast");
  writeFileSync(ballast, Buffer.alloc(64 * 1024));
  let cli = await place.start(START);
  const write = async () => {
    const { status, body } = await cli.call("POST", "/customers", { customerType: "INDIVIDUAL" });
    if (status === 201) kept.push(body.id);
    else report.refused += 1;
    if (status !== 201 && status !== 503) report.wrong.push(`a write was answered ${status}`);
    return status;
  };
  for (let at = 0; at < MOST_WRITES && report.refused < ENOUGH_REFUSED; at += 1) await write();
  if (report.refused === 0) report.wrong.push("the mount never became full");
  rmSync(ballast);
  let goesOn = false;
  for (let at = 0; at < MOST_WRITES && !goesOn; at += 1) goesOn = (await write()) === 201;
  if (!goesOn) report.wrong.push("no write was taken after there was room");
  await cli.stop("SIGKILL");
  execFileSync("mount", ["-o", "remount,ro", place.file("disk")], { stdio: "pipe" });
  const refused = await place.run(`start --port 0 --json ${START}`);
  if (refused.code !== 4)
    report.wrong.push(`a read-only directory ends start with ${refused.code}`);
  execFileSync("mount", ["-o", "remount,rw", place.file("disk")], { stdio: "pipe" });
  cli = await place.start(START);
  for (const id of kept) {
    const { status } = await cli.call("GET", `/customers/${id}`);
    if (status !== 200) report.wrong.push(`${id} was acknowledged and is ${status}`);
  }
  await cli.stop();
  return { ...report, acknowledged: kept.length };
};
