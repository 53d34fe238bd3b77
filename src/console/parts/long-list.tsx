import { useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { List } from "../../rows/list.ts";
import type { ListedName, ListedRows } from "../../rows/world.ts";
import { useRowContext } from "../use-console.ts";
import css from "./long-list.module.css";
import { Heads, RowLine, useLayout, useWidth } from "./row-cells.tsx";
import { useCursor } from "./use-cursor.ts";
import type { ListedPart, Sight } from "./use-rows.ts";

const ROW_PX = 29;

/** Rows that decide the widths of columns before any are in sight. */
const FIRST_ROWS = 60;

interface LongListProps<Name extends ListedName> {
  list: List<Name>;
  part: ListedPart<ListedRows[Name]>;
  total: number;
  label: string;
  /** The place to which a row leads. */
  hrefOf(row: ListedRows[Name]): string;
}

/**
 * A list of any length: rows in sight stand in the page, and the one with the cursor always does. New
 * rows in front do not shift the rest.
 */
export const LongList = <Name extends ListedName>({
  list,
  part,
  total,
  label,
  hrefOf,
}: LongListProps<Name>) => {
  const [ref, width] = useWidth();
  const context = useRowContext(width);
  const grid = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualizerHandle>(null);
  const [isAtTop, setAtTop] = useState(true);
  const [sight, setSight] = useState<Sight>({ from: 0, to: FIRST_ROWS - 1 });
  const hrefAt = (place: number) => {
    const row = part.at(place);
    return row && hrefOf(row);
  };
  const seen = (): Sight => {
    const { scrollOffset = 0, viewportSize = 0 } = handle.current ?? {};
    const from = handle.current?.findItemIndex(scrollOffset) ?? 0;
    return { from, to: handle.current?.findItemIndex(scrollOffset + viewportSize) ?? from };
  };
  const { at, focused, set, onKeyDown } = useCursor({
    total,
    grid,
    hrefAt,
    pageRows: () => {
      const { viewportSize = 0 } = handle.current ?? {};
      return Math.max(1, Math.floor(viewportSize / (handle.current?.getItemSize(0) || ROW_PX)) - 1);
    },
    reveal: (place) => handle.current?.scrollToIndex(place, { align: "nearest" }),
  });
  const { look } = part;
  useEffect(() => look(sight), [look, sight]);
  const places = useMemo(() => new Uint8Array(total), [total]);
  const inSight: ListedRows[Name][] = [];
  for (let place = sight.from; place <= Math.min(sight.to, total - 1); place += 1) {
    const row = part.at(place);
    if (row) inSight.push(row);
  }
  const layout = useLayout(list, inSight, context);
  const onScroll = (offset: number) => {
    setAtTop(offset < ROW_PX);
    const now = seen();
    setSight((before) => (before.from === now.from && before.to === now.to ? before : now));
  };
  return (
    <div ref={ref}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        ref={grid}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup">
          <Heads {...layout} />
        </div>
        <div className={css.scroller} role="rowgroup" ref={scroller}>
          <Virtualizer
            ref={handle}
            data={places}
            scrollRef={scroller}
            itemSize={ROW_PX}
            shift={!isAtTop}
            keepMounted={focused === undefined || focused === at ? [at] : [at, focused]}
            onScroll={onScroll}
          >
            {(_, place) => (
              <RowLine
                // From the end of the list: there a row stays as new ones come in front.
                key={total - 1 - place}
                list={list}
                layout={layout}
                context={context}
                row={part.at(place)}
                href={hrefAt(place)}
                position={place}
                isCursor={place === at}
                onFocus={() => set(place)}
              />
            )}
          </Virtualizer>
        </div>
      </div>
    </div>
  );
};
