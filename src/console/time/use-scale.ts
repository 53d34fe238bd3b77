import { useState } from "react";
import { type Scale, scaleIn } from "./scale.ts";

/** Each world has its own. */
const nameFor = (world: string | undefined) => `service-sim scale ${world ?? ""}`;

/** The scale of a world's time line; it stays where somebody put it until the tab is closed. */
export const useScale = (world: string | undefined): [Scale, (scale: Scale) => void] => {
  const [scale, setScale] = useState(() => scaleIn(sessionStorage.getItem(nameFor(world))));
  const choose = (chosen: Scale) => {
    sessionStorage.setItem(nameFor(world), JSON.stringify(chosen));
    setScale(chosen);
  };
  return [scale, choose];
};
