import { useRef } from "react";
import type { List } from "../../rows/list.ts";
import type { ListName, Rows } from "../../rows/world.ts";
import { safeText } from "../../text/safe-text.ts";
import { useRowContext } from "../use-console.ts";
import { Heads, RowLine, useLayout, useWidth } from "./row-cells.tsx";
import { useCursor } from "./use-cursor.ts";

interface RowListProps<Name extends ListName> {
  list: List<Name>;
  rows: readonly Rows[Name][];
  label: string;
  /** The place to which a row leads. */
  hrefOf(row: Rows[Name]): string;
  /** Shows this many rows and no more. */
  most: number;
}

/** The first rows of a list, the same as on the screen; the keyboard moves within it. */
export const RowList = <Name extends ListName>(props: RowListProps<Name>) => {
  const [ref, width] = useWidth();
  const { list, rows } = props;
  return (
    <div ref={ref}>
      {rows.length === 0 ? (
        <p className="more">{safeText(list.empty)}</p>
      ) : (
        // Rows are drawn once, at the width that they have.
        width !== undefined && <Grid {...props} width={width} />
      )}
    </div>
  );
};

const Grid = <Name extends ListName>({
  list,
  rows,
  label,
  hrefOf,
  most,
  width,
}: RowListProps<Name> & { width: number }) => {
  const context = useRowContext(width);
  const grid = useRef<HTMLDivElement>(null);
  const visible = rows.slice(0, most);
  const hrefAt = (at: number) => visible[at] && hrefOf(visible[at]);
  const total = visible.length;
  const { at, set, onKeyDown } = useCursor({ total, grid, hrefAt, pageRows: () => most });
  const layout = useLayout(list, visible as never, context);
  return (
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      ref={grid}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup">
        <Heads {...layout} />
      </div>
      <div role="rowgroup">
        {visible.map((row, position) => (
          <RowLine
            key={row.id}
            list={list}
            layout={layout}
            context={context}
            row={row as never}
            href={hrefAt(position)}
            position={position}
            isCursor={position === at}
            onFocus={() => set(position)}
          />
        ))}
      </div>
    </div>
  );
};
