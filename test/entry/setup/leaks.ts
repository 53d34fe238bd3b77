import { cameThrough, PLANTS } from "../../setup/plants.ts";
import { basic } from "../../setup/tokens.ts";
import type { Product } from "./product.ts";

const PLANTED = "sk_sim_PLANTED4711field";

/** Planted characters that come through the escaping of texts. */
export const unescaped = ({ safeText }: Pick<Product, "safeText">): string[] =>
  PLANTS.flatMap((plant) => cameThrough(safeText(`a${plant}z`)));

/** Ways in which a caller sends a secret by mistake. */
const WAYS: readonly { path: string; body?: string }[] = [
  { path: `/quotes/${PLANTED}` },
  { path: `/customers?cursor=${PLANTED}` },
  { path: "/customers", body: JSON.stringify({ customerType: "NONE", fullName: PLANTED }) },
  { path: "/customers", body: JSON.stringify({ customerType: "NONE", password: PLANTED }) },
];

/** Lines of the log, and of what it is told, that repeat a secret. */
export const leakedSecrets = async ({
  createSimulator,
}: Pick<Product, "createSimulator">): Promise<string[]> => {
  const lines: string[] = [];
  const onActivity = (activity: unknown) => void lines.push(JSON.stringify(activity));
  const sim = await createSimulator({ clock: "manual", onActivity });
  try {
    for (const { path, body } of WAYS) {
      const headers = {
        authorization: basic(sim.clientId, sim.clientSecret),
        "content-type": "application/json",
      };
      const init = body === undefined ? { headers } : { method: "POST", headers, body };
      await sim.fetch(new Request(sim.apiUrl + path, init));
    }
    const list = await sim.fetch(new Request(`${sim.controlUrl}/requests`));
    const { data } = await list.json();
    lines.push(JSON.stringify(data));
    for (const { id } of data)
      lines.push(await (await sim.fetch(new Request(`${sim.controlUrl}/requests/${id}`))).text());
  } finally {
    await sim.close();
  }
  return lines.filter((line) => line.includes("4711"));
};
