/** One documented error: the code and HTTP status it becomes, what is wrong, and what to do next. */
export interface RefusalRow {
  status: number;
  code: string;
  says: string;
  next: string;
}

export const row = (
  [status, code]: readonly [number, string],
  says: string,
  next: string,
): RefusalRow => ({ status, code, says, next });
