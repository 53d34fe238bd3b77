/** Variables from which a program under test learns its simulator. */
export const environmentOf = (instance: {
  url: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  webhookPublicKey: string;
}): Record<string, string> => ({
  SERVICE_SIM_URL: instance.url,
  SERVICE_SIM_API_URL: instance.apiUrl,
  SERVICE_SIM_CLIENT_ID: instance.clientId,
  SERVICE_SIM_CLIENT_SECRET: instance.clientSecret,
  SERVICE_SIM_WEBHOOK_PUBLIC_KEY: instance.webhookPublicKey,
});

/**
 * Variables that are not named after an option. `env` and `exec` set the first five for a program
 * under test.
 */
export const OTHER_VARIABLES = {
  SERVICE_SIM_URL: "where the simulator is: what `--url` is unless it is given",
  SERVICE_SIM_API_URL: "where the platform's operations are",
  SERVICE_SIM_CLIENT_ID: "user name of HTTP Basic",
  SERVICE_SIM_CLIENT_SECRET: "its password",
  SERVICE_SIM_WEBHOOK_PUBLIC_KEY: "PEM of the key that verifies webhooks",
  SERVICE_SIM_CONTROL_TOKEN: "bearer token of `/_sim` at an address given with `--url`",
  NO_COLOR: "set to anything: no colours",
  FORCE_COLOR: "set to anything but 0: colours off a terminal too",
} as const;
