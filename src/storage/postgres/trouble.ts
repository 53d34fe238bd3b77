import { StoreRefused, StoreTrouble } from "../port/store-trouble.ts";

/** A failure as PostgreSQL, its client or a socket tells it. */
interface Failure {
  message: string;
  /** SQLSTATE of an answer of the server; a name such as `ECONNREFUSED` of a socket. */
  code?: string;
  /** Only answers of the server have one. */
  severity?: string;
}

const failureOf = (error: unknown): Failure =>
  error instanceof Error ? (error as Error & Failure) : { message: String(error) };

/** The server's own code of an answer; undefined when a connection failed without one. */
export const answerCode = (error: unknown): string | undefined => {
  const { code, severity } = failureOf(error);
  return severity === undefined ? undefined : code;
};

/** Answers after which nothing is left of a statement, in whichever language the server speaks. */
const UNDONE = /^(2[0-9]|40P01|40001|42|55P03|57014)/;

/** Whether an answer says that a statement was not done: others may have come behind its commit. */
export const isUndone = (error: unknown): boolean => {
  const { code, severity } = failureOf(error);
  if (severity === undefined || code === undefined) return false;
  return UNDONE.test(code) || (severity === "ERROR" && !code.startsWith("08"));
};

/** Sentences about the store, by the code of its answer. */
const SENTENCES: Record<string, string> = {
  "23503": "The store has not all parts that were to be kept",
  "25006": "The store takes no writes",
  "40001": "The store was changed meanwhile",
  "40P01": "The store was changed meanwhile",
  "53100": "The disk of the store is full",
  "53200": "The store has no memory left",
  "53300": "The store has no connection left",
  "57014": "The store ended the act",
  "57P01": "The store ended the connection",
  "57P02": "The store crashed",
  "57P03": "The store is starting or stopping",
};

const TIMED_OUT = /timeout/i;

const sentenceOf = (error: unknown): string => {
  const code = answerCode(error);
  const { message } = failureOf(error);
  if (code !== undefined) return SENTENCES[code] ?? `The store refused the act, ${message}`;
  return TIMED_OUT.test(message)
    ? "The store did not answer in time"
    : "The store is not reachable";
};

/**
 * Says what a failure means for an act.
 * @param isSent whether the server may have begun a change
 */
export const troubleOf = (error: unknown, isSent: boolean): StoreTrouble => {
  const mayBeDone = isSent && !isUndone(error);
  const code = answerCode(error);
  const named = code === undefined ? "PostgreSQL" : `PostgreSQL, ${code}`;
  return new StoreTrouble(`${sentenceOf(error)} (${named})`, {
    mayBeDone,
    ...(code !== undefined && { code }),
  });
};

/** Names in a URL, for sentences. */
export interface Named {
  place: string;
  user: string;
  database: string;
}

const TLS_CODES =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH)/;

type Refusal = (named: Named, failure: Failure) => string;

const unauthorized: Refusal = ({ place, user }) =>
  `${place} does not accept the role ${user} with this password: check user and password of the URL`;

const withoutRights: Refusal = ({ place, user, database }, { message }) =>
  `${place} does not let the role ${user} make or use the schema service_sim (${message}): ` +
  `grant create on database ${database} to ${user}, or name the role that made the schema`;

/** Answers of a server at the start that only a person can change. */
const REFUSALS: Record<string, Refusal> = {
  "28P01": unauthorized,
  "28000": ({ place, user }, { message }) =>
    /no encryption|SSL off/i.test(message)
      ? `${place} takes the role ${user} only over TLS, or not at all: add ?sslmode=verify-full to the URL`
      : `${place} does not let the role ${user} in (${message}): check the URL and pg_hba.conf`,
  "3D000": ({ place, database }) =>
    `${place} has no database ${database}: make it with createdb, or name another in the URL`,
  "42501": withoutRights,
};

/** Says why there is no connection, before a server has answered. */
const unconnected = ({ place }: Named, { message, code = "" }: Failure): string => {
  if (/password must be a/.test(message))
    return `${place} wants a password, and the URL has none: write postgres://user:password@host/database`;
  if (/does not support SSL/.test(message))
    return `${place} does not speak TLS, which the URL wants: leave out sslmode, or switch ssl on in postgresql.conf`;
  if (TLS_CODES.test(code))
    return `The certificate of ${place} is not accepted (${code}): name its authority with sslrootcert=<file> in the URL`;
  if (TIMED_OUT.test(message))
    return `${place} does not answer: check host and port of the URL, and the network between`;
  const said = code === "" ? message : code;
  return `${place} is not reachable (${said}): check host and port of the URL, and that PostgreSQL runs`;
};

/** Says why a start is refused; a trouble that passes by itself stays one. */
export const refusalOf = (error: unknown, named: Named): StoreRefused | StoreTrouble => {
  const failure = failureOf(error);
  const code = answerCode(error);
  if (code === undefined) return new StoreRefused(`${unconnected(named, failure)}.`);
  const refusal = REFUSALS[code];
  if (refusal === undefined) return troubleOf(error, false);
  return new StoreRefused(`${refusal(named, failure)}.`);
};

/** Whether an act was refused because something has its name already. */
export const isTaken = (error: unknown): boolean =>
  error instanceof StoreTrouble && error.code === "23505";

/** Whether an act was refused because a part and what holds it did not fit together. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StoreTrouble && error.code === "23503";
