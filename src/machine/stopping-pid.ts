let stopping = process.pid;

/** The process that a signal to stop goes to: this one, or the one that it is a worker of. */
export const stoppingPid = (): number => stopping;

/** Takes the pid of the process that this one is a worker of. */
export const workFor = (pid: number): void => {
  stopping = pid;
};
