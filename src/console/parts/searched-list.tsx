import { useEffect, useState } from "react";
import { inGroups } from "../../contract/core/digit-groups.ts";
import type { List } from "../../rows/list.ts";
import { listNamed } from "../../rows/lists.ts";
import type { ListedName, ListedRows } from "../../rows/world.ts";
import { safeText } from "../../text/safe-text.ts";
import { rememberList } from "../came-from.ts";
import { useQueryValue } from "../routes.ts";
import { LongList } from "./long-list.tsx";
import { searchesOf } from "./quick-searches.ts";
import search from "./search.module.css";
import { Search } from "./search.tsx";
import { Segments } from "./segments.tsx";
import { useRows } from "./use-rows.ts";

/** Typing rests this long before it is searched for, real milliseconds. */
const TYPED_MS = 150;

const useTyped = (text: string) => {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return typed;
};

interface SearchedListProps<Name extends ListedName> {
  name: Name;
  title: string;
  hrefOf(row: ListedRows[Name]): string;
  /** Words that every row must match beside those typed. */
  only?: string;
}

/** A list with its search: all its records, in the grammar of the screen. */
export const SearchedList = <Name extends ListedName>({
  name,
  title,
  hrefOf,
  only = "",
}: SearchedListProps<Name>) => {
  const [filter, setFilter] = useQueryValue("q");
  const list = listNamed(name) as unknown as List<Name>;
  const query = [only, useTyped(filter).trim()].filter(Boolean).join(" ");
  const part = useRows(name, query);
  const { total, known } = part;
  useEffect(() => rememberList(() => known().map(hrefOf)), [known, hrefOf]);
  const { hint, quick } = searchesOf(name);
  const order = filter.trim() === "" ? list.order : "found";
  return (
    <>
      <div className={search.filter}>
        {quick.length > 0 && (
          <Segments
            label={`Which ${title.toLowerCase()}`}
            of={quick}
            isChosen={(one) => one === filter.trim()}
            onChoose={setFilter}
          />
        )}
        <Search
          label={`Search ${title.toLowerCase()}`}
          value={filter}
          placeholder={hint}
          onChange={setFilter}
        />
        <span className="d" role="status">
          {total === undefined ? "" : `${inGroups(total)} ${order}`}
        </span>
      </div>
      {total === 0 && (
        <p className="more">
          {filter.trim() === ""
            ? safeText(list.empty)
            : "Nothing found. Type part of a name or an id, an amount such as 250.00, or status:failed"}
        </p>
      )}
      {total !== undefined && total > 0 && (
        <LongList key={name} list={list} part={part} total={total} label={title} hrefOf={hrefOf} />
      )}
    </>
  );
};
