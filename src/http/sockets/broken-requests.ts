import { STATUS_CODES } from "node:http";
import { REFUSALS } from "../../contract/refusals.ts";

interface Answer {
  status: number;
  code: string;
  message: string;
}

/** Answer to a request with more headers than are taken (spec/errors.md#malformed-requests). */
export const TOO_MANY_HEADERS: Answer = {
  status: 431,
  code: "HEADERS_TOO_LARGE",
  message: "The request has more than 2,000 headers",
};

/**
 * Answers to malformed requests, by the code of the Node.js error
 * (spec/errors.md#malformed-requests).
 */
const ANSWERS: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "HEADERS_TOO_LARGE",
    message: "The request's headers are larger than 16 KiB",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: REFUSALS.PAYLOAD_TOO_LARGE.status,
    code: REFUSALS.PAYLOAD_TOO_LARGE.code,
    message: "The extensions of the body's chunks are larger than 16 KiB",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "REQUEST_TIMEOUT",
    message: "The request took too long to arrive",
  },
};

const NOT_HTTP: Answer = {
  status: REFUSALS.INVALID_REQUEST_FORMAT.status,
  code: REFUSALS.INVALID_REQUEST_FORMAT.code,
  message: "The request is not well-formed HTTP/1.1",
};

/** Bytes that answer a malformed request on its socket, which is closed afterwards. */
export const answerToBroken = ({ code = "" }: NodeJS.ErrnoException): string => {
  const answer = ANSWERS[code] ?? NOT_HTTP;
  const body = JSON.stringify(answer);
  return [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
};
