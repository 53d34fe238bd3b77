import type { ListedName } from "../../rows/world.ts";
import { Title } from "../parts/pane.tsx";
import { SearchedList } from "../parts/searched-list.tsx";
import { Segments } from "../parts/segments.tsx";
import { placeOf, useQueryValue } from "../routes.ts";

interface Place {
  title: string;
  /** Its lists, each with the word on its switch. */
  lists: readonly (readonly [name: ListedName, says: string])[];
  /** Words that each row must match. */
  only?: string;
}

const PLACES: Readonly<Record<string, Place>> = {
  "/customers": { title: "Customers", lists: [["customers", "customers"]] },
  "/accounts": {
    title: "Accounts",
    lists: [
      ["internalAccounts", "internal"],
      ["externalAccounts", "external"],
    ],
  },
  "/wallets": {
    title: "Wallets",
    lists: [["internalAccounts", "wallets"]],
    only: "type:EMBEDDED_WALLET",
  },
  "/cards": {
    title: "Cards",
    lists: [
      ["cards", "cards"],
      ["purchases", "purchases"],
    ],
  },
  "/agents": {
    title: "Agents",
    lists: [
      ["agents", "agents"],
      ["approvals", "actions"],
    ],
  },
};

const hrefOf = ({ id }: { id: string }) => placeOf(id);

/** Records of a place, in one or two lists. */
export const RecordsView = ({ of }: { of: string }) => {
  const { title, lists, only } = PLACES[of] ?? { title: of, lists: [["customers", "customers"]] };
  const [kind, setKind] = useQueryValue("kind");
  const name = lists.find(([one]) => one === kind)?.[0] ?? lists[0]?.[0] ?? "customers";
  return (
    <>
      <Title
        beside={
          lists.length > 1 && (
            <Segments label="Kind" of={lists} isChosen={(one) => one === name} onChoose={setKind} />
          )
        }
      >
        {title}
      </Title>
      <SearchedList
        key={name}
        name={name}
        title={title}
        hrefOf={hrefOf}
        {...(only !== undefined && { only })}
      />
    </>
  );
};
