import { leadsTo } from "../../contract/closest-operation.ts";
import type { Brand } from "../../contract/core/brand-words.ts";
import { defined } from "../../contract/core/defined.ts";
import { OPERATIONS_OF_ANY_REVISION } from "../../contract/operations.ts";
import { redactJson, redactPath, redactQuery, secretsInQuery } from "../../http/log/redaction.ts";
import type { RecordedCall } from "../../scripts/record-scenario.ts";

/** A call that went through a proxy, its texts decoded. */
export interface Exchanged {
  at: Date;
  method: string;
  /** Below the base path of the target. */
  path: string;
  query: string;
  status: number;
  requestText: string;
  responseText: string;
}

/** A call without its secrets, and the secrets. */
export interface CapturedCall {
  call: RecordedCall;
  secrets: readonly string[];
}

/** Turns a call into one of the request log's form, in our own words and without its secrets. */
export const capturedCall = (
  { at, method, path, query, status, requestText, responseText }: Exchanged,
  { id, brand }: { id: string; brand: Brand | undefined },
): CapturedCall => {
  const own = (text: string) => brand?.inward(text) ?? text;
  const place = redactPath(own(path));
  const sent = redactJson(own(requestText));
  const got = redactJson(own(responseText));
  const operation = OPERATIONS_OF_ANY_REVISION.find(
    (one) => one.method === method && leadsTo(own(path), one),
  )?.operationId;
  return {
    call: {
      id,
      at: at.toISOString(),
      method,
      path: place.text,
      status,
      ...defined({ operation }),
      ...(query !== "" && { query: redactQuery(query) }),
      ...(requestText !== "" && { requestBody: sent.text }),
      ...(responseText !== "" && { responseBody: got.text }),
    },
    secrets: [
      ...place.secrets,
      ...sent.secrets,
      ...got.secrets,
      ...secretsInQuery(new URLSearchParams(query)),
    ],
  };
};
