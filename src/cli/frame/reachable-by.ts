import { isLoopbackName } from "../../http/loopback.ts";

const EVERY_ADDRESS = /^(0\.0\.0\.0|::|\[::\])?$/;

/**
 * Says who can reach a simulator that listens beyond loopback, and what its control surface asks
 * for; nothing on loopback.
 * @param token where the control token is found, or the token itself where no file has it
 */
export const reachableBy = (host: string, token: { file: string } | { text: string }) => {
  if (isLoopbackName(host)) return undefined;
  const who = EVERY_ADDRESS.test(host)
    ? "anyone who can reach this machine over a network"
    : `anyone who can reach ${host}`;
  const where = "file" in token ? `the controlToken of ${token.file}` : token.text;
  return `${who}; /_sim asks for ${where}`;
};
