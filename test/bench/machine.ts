import { availableParallelism, loadavg } from "node:os";

/** Machine of a run; loads are averages of a minute, before and after. */
export interface Machine {
  date: string;
  node: string;
  cores: number;
  load: { before: number; after: number };
}

/** Running processes, over a minute; more than the bench's own means that others disturb it. */
const loadOfMinute = () => Number((loadavg()[0] ?? 0).toFixed(1));

/** Runs work and describes the machine that it ran on. */
export const onMachine = async <Result>(
  work: () => Promise<Result>,
): Promise<{ machine: Machine; result: Result }> => {
  const before = loadOfMinute();
  const result = await work();
  const load = { before, after: loadOfMinute() };
  const date = new Date().toISOString().slice(0, 10);
  const machine = { date, node: process.version, cores: availableParallelism(), load };
  return { machine, result };
};

export const sentenceOf = ({ date, node, cores, load }: Machine) =>
  `${date}, Node.js ${node}, ${cores} cores, load ${load.before} before and ${load.after} after`;
