import type { Answer, Parsed, TestSimulator } from "./test-simulator.ts";

export const basic = (user: string, secret: string) => `Basic ${btoa(`${user}:${secret}`)}`;

/** An API token, and calls with it. */
export interface HeldToken {
  id: string;
  clientId: string;
  clientSecret: string;
  permissions: string[];
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Calls with the id and secret of a token; the answer is checked as any other. */
export const calledWith =
  ({ raw }: TestSimulator, authorization: string): HeldToken["call"] =>
  (method, path, body) =>
    raw(method, path, {
      headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

const hold = (world: TestSimulator, token: Parsed): HeldToken => ({
  ...token,
  call: calledWith(world, basic(token.clientId, token.clientSecret)),
});

/** Makes a token with exactly these permissions, by the token that a simulator starts with. */
export const createToken = async (
  world: TestSimulator,
  permissions: readonly string[],
  name = "ci",
): Promise<HeldToken> => {
  const { status, body } = await world.call("POST", "/tokens", { name, permissions });
  if (status !== 201) throw new Error(`Expected a token but found ${JSON.stringify(body)}`);
  return hold(world, body);
};
