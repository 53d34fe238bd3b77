import { listhenFor } from "../../http/sockets/listen.ts";
import type { Invocation } from "./command.ts";
import { startFailure } from "./simulator-options.ts";
import { type Where, wantedPorts } from "./wanted-port.ts";

const conveniencesOf = ({ options }: Invocation) => {
  const { https, qr, tunnel } = options;
  const wanted = {
    open: false,
    https: https === true,
    qr: qr === true && options.json !== true && options.log !== "json",
    tunnel: tunnel === true,
  };
  return Object.values(wanted).some(Boolean) ? { conveniences: wanted } : {};
};

/** The address of a start, with the extras that it asks for. */
export const whereToListen = (invocation: Invocation): Where => ({
  ...wantedPorts(invocation),
  host: String(invocation.options.host),
  ...conveniencesOf(invocation),
});

/** Refuses extras that cannot be served before anything is opened. */
export const requireExtras = ({ conveniences }: Where) => {
  try {
    if (conveniences) listhenFor(conveniences, (extra) => `--${extra}`);
  } catch (error) {
    throw startFailure(error);
  }
};
