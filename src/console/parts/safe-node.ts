import type { ReactNode } from "react";
import { safeText } from "../../text/safe-text.ts";

/** Content of a part of a page, with its texts made harmless; elements stay. */
export const safeNode = (node: ReactNode): ReactNode => {
  if (typeof node === "string") return safeText(node);
  return Array.isArray(node) ? node.map(safeNode) : node;
};
