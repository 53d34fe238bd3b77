import { type FormEvent, useState } from "react";
import type { ListName } from "../../rows/world.ts";
import { useAction, useConsole, useIsLive, useWatched } from "../use-console.ts";

/** Sets where webhooks go. */
const Endpoint = () => {
  const { webhookEndpoint } = useWatched();
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [typed, setTyped] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await control.send("POST", "/call", {
        operationId: "patchConfig",
        body: { webhookEndpoint: typed ?? "" },
      });
      setTyped(undefined);
      return { text: `Webhooks go to ${typed}` };
    });
  };
  return (
    <form className="inline" onSubmit={submit}>
      <label className="field inline">
        <span>endpoint</span>
        <input
          value={typed ?? webhookEndpoint ?? ""}
          placeholder="http://127.0.0.1:3000/hooks"
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <button
        type="submit"
        className="btn small"
        disabled={!isLive || isBusy || typed === undefined}
      >
        Set
      </button>
      <a className="btn small" href="#/webhooks/send">
        Send an example…
      </a>
      <a className="btn small" href="#/webhooks/doctor">
        Doctor…
      </a>
    </form>
  );
};

/** Actions beside a list. */
export const ListActs = ({ name }: { name: ListName }) =>
  name === "deliveries" ? <Endpoint /> : null;
