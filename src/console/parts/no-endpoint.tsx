import { useState } from "react";
import { stateWords } from "../../rows/deliveries.ts";
import { useWatched } from "../use-console.ts";
import { Act } from "./act.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import css from "./no-endpoint.module.css";

/** Says that a webhook was not sent, as there is no endpoint, and has a field to set one. */
export const NoEndpoint = () => {
  const { webhookEndpoint } = useWatched();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={css.line}>
      <span className="d">{stateWords("UNDELIVERABLE")}</span>
      {webhookEndpoint === undefined && !isOpen && (
        <Act isSmall onAct={() => setOpen(true)}>
          Set endpoint
        </Act>
      )}
      {isOpen && <EndpointForm onEnd={() => setOpen(false)} next="resend this one to deliver it" />}
    </div>
  );
};
