import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Virtualizer } from "virtua";
import type { Column, RowContext } from "../../rows/column.ts";
import { matches, termsOf } from "../../rows/filter.ts";
import type { List } from "../../rows/list.ts";
import type { ListName, Rows } from "../../rows/world.ts";
import { safeText } from "../../text/safe-text.ts";
import { go } from "../routes.ts";
import { useRowContext } from "../use-console.ts";
import { Piece } from "./text.tsx";

/** Rows whose cells decide how wide the columns are. */
const MEASURED_ROWS = 60;

const textOf = <Row,>(column: Column<Row>, row: Row, context: RowContext) => {
  const cell = column.cell(row, context);
  return typeof cell === "string" ? cell : cell.text;
};

const shown = <Row,>(columns: readonly Column<Row>[], { width }: RowContext) =>
  columns.filter(({ from = 0, below = Infinity }) => width >= from && width < below);

const cellsOf = <Row,>(column: Column<Row>, rows: readonly Row[], context: RowContext) => {
  const texts = rows.slice(0, MEASURED_ROWS).map((row) => textOf(column, row, context).length);
  return Math.max(column.min ?? 0, column.head.length, 2, ...texts);
};

/** Cells that a column keeps when it is cut. */
const LEAST_CUT = 8;

/** Cells between two columns. */
const GAP = 2;

/** Lines too narrow for all columns show what fits, and the row in words below it. */
const isTooNarrow = <Row,>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  context: RowContext,
) => {
  const cells = columns.map((column) => (column.cut ? LEAST_CUT : cellsOf(column, rows, context)));
  return cells.reduce((sum, one) => sum + one + GAP, -GAP) > context.width;
};

/** The columns that fit into a narrow line; one that is cut is told by the words. */
const fitting = <Row,>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  context: RowContext,
) => {
  let left = context.width;
  return columns.filter((column) => {
    if (column.cut) return false;
    left -= cellsOf(column, rows, context) + GAP;
    return left >= 0;
  });
};

const templateOf = <Row,>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  context: RowContext,
) =>
  columns
    .map((column) => {
      if (column.cut) return "minmax(8ch, 1fr)";
      return `${cellsOf(column, rows, context)}ch`;
    })
    .join(" ");

const useWidth = () => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(1000);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
};

/** The rows of a list that fit a filter, in the grammar of the screen. */
export const filtered = <Name extends ListName>(
  list: List<Name>,
  rows: readonly Rows[Name][],
  filter: string,
): readonly Rows[Name][] => {
  const terms = termsOf(filter);
  return terms.length === 0 ? rows : rows.filter((row) => matches(terms, list.fields(row)));
};

interface RowListProps<Name extends ListName> {
  list: List<Name>;
  rows: readonly Rows[Name][];
  label: string;
  /** The place to which a row leads. */
  hrefOf(row: Rows[Name]): string;
  /** Shows this many rows and no more; all of them scroll by default. */
  most?: number;
  /** Called when the last row comes into sight. */
  onEnd?(): void;
}

/** Rows that a key moves the cursor by; the first and the last lie as far as it takes. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  g: -Infinity,
  Home: -Infinity,
  G: Infinity,
  End: Infinity,
};

/** The row with the cursor: one Tab stop for the whole list, and keys within it. */
const useCursor = (
  ids: readonly string[],
  grid: RefObject<HTMLDivElement | null>,
  open: (place: number) => void,
) => {
  const [cursor, setCursor] = useState<string>();
  const at = Math.max(0, cursor === undefined ? 0 : ids.indexOf(cursor));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") return open(at);
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const id = ids[Math.min(ids.length - 1, Math.max(0, at + step))];
    if (id === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setCursor(id);
    grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus();
  };
  return { at, setCursor, onKeyDown };
};

const classOf = ({ align, cut }: { align?: "left" | "right"; cut?: "end" | "middle" }) =>
  [align === "right" && "r", cut && "cut"].filter(Boolean).join(" ") || undefined;

const Heads = <Row,>({
  columns,
  template,
}: {
  columns: readonly Column<Row>[];
  template: string;
}) => (
  <div role="row" className="row heads" style={{ gridTemplateColumns: template }}>
    {columns.map((column, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: several columns have no head
      <span key={place} role="columnheader" className={classOf(column)}>
        {column.head || <span className="vh">mark</span>}
      </span>
    ))}
  </div>
);

/** Rows of one list, the same as on the screen; the keyboard moves within it. */
export const RowList = <Name extends ListName>({
  list,
  rows,
  label,
  hrefOf,
  most,
  onEnd,
}: RowListProps<Name>) => {
  const [ref, width] = useWidth();
  const context = useRowContext(width);
  const grid = useRef<HTMLDivElement>(null);
  const visible = most === undefined ? rows : rows.slice(0, most);
  const ids = useMemo(() => visible.map(({ id }) => id), [visible]);
  const { at, setCursor, onKeyDown } = useCursor(ids, grid, (place) => {
    const one = visible[place];
    if (one) go(hrefOf(one));
  });
  const all = shown(list.columns, context);
  const isNarrow = isTooNarrow(all, visible, context);
  const columns = isNarrow ? fitting(all, visible, context) : all;
  const template = templateOf(columns, visible, context);
  const row = (one: Rows[Name], position: number) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys of all rows
    <div
      key={one.id}
      role="row"
      aria-rowindex={position + 2}
      className={`row leads ${isNarrow ? "narrow" : ""}`}
      data-row={one.id}
      tabIndex={position === at ? 0 : -1}
      style={{ gridTemplateColumns: template }}
      title={safeText(list.explain(one, context))}
      onFocus={() => setCursor(one.id)}
      onClick={() => go(hrefOf(one))}
    >
      {columns.map((column, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several columns have no head
        <span key={place} role="gridcell" className={classOf(column)}>
          <Piece of={column.cell(one, context)} />
        </span>
      ))}
      {isNarrow && (
        <span role="gridcell" className="words">
          {safeText(list.explain(one, context))}
        </span>
      )}
    </div>
  );
  if (visible.length === 0)
    return (
      <div className="rowlist" ref={ref}>
        <p className="more">{safeText(list.empty)}</p>
      </div>
    );
  return (
    <div className="rowlist" ref={ref}>
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        ref={grid}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup">
          <Heads columns={columns} template={template} />
        </div>
        {most === undefined ? (
          <Windowed rows={visible} onEnd={onEnd} row={row} />
        ) : (
          <div role="rowgroup">{visible.map(row)}</div>
        )}
      </div>
    </div>
  );
};

const ROW_PX = 29;

/** Rows of which only those in sight stand in the page; new ones in front do not shift the rest. */
const Windowed = <Row,>({
  rows,
  row,
  onEnd,
}: {
  rows: readonly Row[];
  row(one: Row, position: number): ReactElement;
  onEnd: (() => void) | undefined;
}) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtTop, setAtTop] = useState(true);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = () => {
      setAtTop(element.scrollTop < ROW_PX);
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (left < 10 * ROW_PX) onEnd?.();
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  }, [onEnd]);
  return (
    <div className="scroller" role="rowgroup" ref={scroller}>
      <Virtualizer data={rows} scrollRef={scroller} itemSize={ROW_PX} shift={!isAtTop}>
        {row}
      </Virtualizer>
    </div>
  );
};
