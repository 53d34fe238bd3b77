import { isLoopbackName } from "../../contract/core/loopback.ts";

const EVERY_ADDRESS = /^(0\.0\.0\.0|::|\[::\])?$/;

/**
 * Describes the access to a simulator that listens beyond loopback; empty on loopback.
 * @param token place of the control token, or the token itself when no file holds it
 */
export const reachableBy = (host: string, token: { file: string } | { text: string }) => {
  if (isLoopbackName(host)) return undefined;
  const who = EVERY_ADDRESS.test(host)
    ? "anyone who can reach this machine over a network"
    : `anyone who can reach ${host}`;
  const where = "file" in token ? `the controlToken of ${token.file}` : token.text;
  return `${who}; /_sim asks for ${where}`;
};
