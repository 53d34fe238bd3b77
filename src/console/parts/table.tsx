import type { ReactNode } from "react";
import { Scroll } from "./scroll.tsx";

/** A table that may be wider than the window. */
export const Table = ({
  label,
  heads,
  children,
}: {
  label: string;
  /** Names of the columns, with the class of each: `r` stands at the right, `vh` is read aloud alone. */
  heads?: readonly (readonly [says: string, look?: "r" | "vh"])[];
  /** The rows. */
  children: ReactNode;
}) => (
  <Scroll label={label}>
    <table>
      {heads && (
        <thead>
          <tr>
            {heads.map(([says, look]) => (
              <th key={says} className={look === "r" ? "r" : undefined}>
                {look === "vh" ? <span className="vh">{says}</span> : says}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  </Scroll>
);
