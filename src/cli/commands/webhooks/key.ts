import type { ShownKeys } from "../../../contract/control/webhook-keys.ts";
import { CLIENT_OPTIONS, type Command, EXIT } from "../../frame/command.ts";
import { findInstance, reach } from "../../frame/reach.ts";

export const command: Command = {
  name: "key",
  summary: "print the public key that verifies X-Service-Signature, as PEM",
  options: CLIENT_OPTIONS,
  examples: ["service-sim webhooks key > webhook.pem"],
  run: async (invocation, terminal) => {
    const { client } = findInstance(invocation);
    const keys = await reach(client.get<ShownKeys>("/webhooks/keys"));
    terminal.document(keys);
    if (!terminal.json) terminal.exact(keys.current.publicKey);
    return EXIT.done;
  },
};
