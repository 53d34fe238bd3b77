import type { WorldAccess } from "./reached-world.ts";

/** Facts that `connect` cannot learn from the simulator; each has a variable of the environment. */
export interface ConnectOptions {
  /** Name of a world; left out for the default world. `SERVICE_SIM_WORLD`. */
  world?: string;
  /** `SERVICE_SIM_CLIENT_ID` */
  clientId?: string;
  /** Needed by `call` alone. `SERVICE_SIM_CLIENT_SECRET` */
  clientSecret?: string;
  /** Asked for beyond loopback. `SERVICE_SIM_CONTROL_TOKEN` */
  controlToken?: string;
}

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const nonEmpty = (value: string | undefined) => (value === "" ? undefined : value);

const originOf = (url: string) => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new TypeError(
      `Expected the URL of a simulator, such as http://127.0.0.1:4747, but found "${url}"`,
    );
  return new URL(url).origin;
};

/**
 * Finds out the address of a simulator and its caller. The environment's credentials belong to the simulator that
 * it names: they are not taken to another one.
 * @throws TypeError when neither names a simulator
 */
export const placeOf = (
  environment: Environment,
  url: string | undefined,
  options: ConnectOptions,
): Omit<WorldAccess, "clientId"> & { origin: string; clientId?: string | undefined } => {
  const named = nonEmpty(environment.SERVICE_SIM_URL) ?? nonEmpty(environment.SERVICE_SIM_API_URL);
  const wanted = url ?? named;
  if (wanted === undefined)
    throw new TypeError(
      "Expected the URL of a simulator but found none: pass it to connect, or set " +
        'SERVICE_SIM_URL, as service-sim exec and eval "$(service-sim env)" do',
    );
  const origin = originOf(wanted);
  const isNamed = named === undefined || originOf(named) === origin;
  const own = (name: string) => (isNamed ? nonEmpty(environment[name]) : undefined);
  const world = options.world ?? own("SERVICE_SIM_WORLD");
  return {
    origin,
    world,
    // The client id of a named world is what that world says it is.
    clientId: options.clientId ?? (world === undefined ? own("SERVICE_SIM_CLIENT_ID") : undefined),
    clientSecret: options.clientSecret ?? own("SERVICE_SIM_CLIENT_SECRET"),
    controlToken: options.controlToken ?? own("SERVICE_SIM_CONTROL_TOKEN"),
  };
};
