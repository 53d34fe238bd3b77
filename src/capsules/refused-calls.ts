import type { RefusedCall } from "../contract/control/recordings.ts";
import { defined } from "../contract/core/defined.ts";
import { redactJson, redactPath } from "../http/log/redaction.ts";
import type { RequestLine } from "./capsule-lines.ts";

const errorIn = (text: string | undefined) => {
  try {
    const body = JSON.parse(redactJson(text ?? "{}").text);
    // Errors of the control surface stand in a member.
    const { code, message, details } = body.error ?? body;
    return defined({ code, message, reason: details?.reason });
  } catch {
    return {};
  }
};

/** A call that was refused, without secrets. */
export const skippedCall = (
  { id = "", method, url }: Pick<RequestLine, "id" | "method" | "url">,
  { status, text }: { status: number; text: string | undefined },
): RefusedCall => {
  const path = redactPath(new URL(url).pathname).text.replaceAll("%3A", ":");
  return { requestId: id, method, path, status, ...errorIn(text) };
};
