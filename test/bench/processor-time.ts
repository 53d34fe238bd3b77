const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** CPU time of this process for some work: other users of this machine do not count. */
export const processorMsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = processorMs();
  await work();
  return processorMs() - startedMs;
};

/** Wall time of some work, milliseconds; for spans too short for the system's accounting. */
export const wallMsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};
