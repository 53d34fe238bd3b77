import { Redirect } from "wouter";
import type { Story } from "../../contract/control/why.ts";
import { placeOf } from "../routes.ts";
import { useRead } from "../use-console.ts";
import { Missing } from "./not-found.tsx";

const isWhole = (id: string) => id.includes(":") || id.startsWith("req-");

/** Leads from any id, or its last digits, to the view of its record, webhook or request. */
export const Why = ({ id }: { id: string }) => {
  const path = isWhole(id) ? undefined : `/why/${encodeURIComponent(id)}`;
  const { body, refused } = useRead<Story>(path);
  if (refused) return <Missing id={id} refused={refused} />;
  const whole = isWhole(id) ? id : body?.id;
  return whole === undefined ? null : <Redirect to={placeOf(whole)} replace />;
};
