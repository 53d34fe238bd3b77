import type { ControlClient } from "../client/control-client.ts";
import { NoAnswer } from "../client/send.ts";
import type { Called } from "../contract/control/called.ts";
import { makePayout, type PlatformCall, refusalOf, UNDER_WAY } from "../rows/first-payout.ts";

export const NO_ANSWER = "the simulator does not answer";

class CallRefused extends Error {}

const callPlatform = async <Body>(client: ControlClient, input: PlatformCall): Promise<Body> => {
  const { status, body } = await client.post<Called & { error?: { message: string } }>(
    "/call",
    input,
  );
  if (status >= 400) throw new CallRefused(body.error?.message ?? `it answered ${status}`);
  const refusal = refusalOf(body);
  if (refusal) throw new CallRefused(refusal.message);
  return (body.text === "" ? undefined : JSON.parse(body.text)) as Body;
};

/** Makes a payout, as the console does. @returns words for it, and the quote's id once made */
export const payout = async (
  client: ControlClient,
): Promise<{ says: string; payment?: string }> => {
  try {
    const payment = await makePayout((input) => callPlatform(client, input));
    return { says: UNDER_WAY, payment };
  } catch (error) {
    if (error instanceof NoAnswer) return { says: NO_ANSWER };
    if (error instanceof CallRefused) return { says: `no payout: ${error.message}` };
    throw error;
  }
};
