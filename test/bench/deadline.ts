/**
 * Waits for a promise up to a limit.
 * @throws when the limit is over
 */
export const within = async <Value>(
  limitMs: number,
  awaited: string,
  promise: Promise<Value>,
): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`Expected ${awaited} within ${limitMs} ms but found nothing`);
    timer = setTimeout(() => reject(error), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};
