import { createServer } from "node:net";

/**
 * Functions in front of the blocks of a page. Refused calls end the script, and packages are there
 * already. A receiver stays beside the lines after it, as in a terminal of its own; its output is
 * printed at the end.
 * @param run shell words that run what stands behind `npx` in a block
 */
export const prelude = (run: string) => `
npm() { [ "$1" = ci ] || command npm "$@"; }
curl() { command curl --fail-with-body "$@"; }
npx() {
  case "\${2-} \${3-}" in
    "webhooks receive") shift 3; receive "$@" ;;
    *) ${run} "$@" ;;
  esac
}
export -f npx
receive() {
  set -m
  ${run} service-sim webhooks receive --port "$RECEIVER_PORT" "$@" > received.txt 2>&1 &
  set +m
  trap "kill -- -$!; cat received.txt" EXIT
  until grep -qs "receives at" received.txt; do kill -0 $!; done
}
`;

/** The test command of the project: it reads the platform's configuration. */
export const TEST_PROGRAM = `
const { SERVICE_SIM_API_URL: api, SERVICE_SIM_CLIENT_ID: id, SERVICE_SIM_CLIENT_SECRET: secret } =
  process.env;
const headers = { authorization: "Basic " + btoa(id + ":" + secret) };
const { status } = await fetch(api + "/config", { headers });
console.log("e2e", status);
`;

/** A port that nothing listened on a moment ago. */
export const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" && address ? address.port : 0;
};
