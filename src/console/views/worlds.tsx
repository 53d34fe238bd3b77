import { useState } from "react";
import type { CreatedWorld, WorldList } from "../../contract/control/worlds.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { Act, ActLink } from "../parts/act.tsx";
import { Field, Form } from "../parts/field.tsx";
import { Pane, Title } from "../parts/pane.tsx";
import { Table } from "../parts/table.tsx";
import { Damaged, Mark } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useRead, useWatched } from "../use-console.ts";

type Row = WorldList["data"][number];

/** Makes a copy of the world that is shown. */
const Fork = ({ here, onMade }: { here: string; onMade(): void }) => {
  const { control, switchWorld } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [name, setName] = useState("");
  const fork = () =>
    void run(async () => {
      const made = await control.send<CreatedWorld>("POST", "/worlds", {
        from: `world:${here}`,
        ...(name !== "" && { name }),
      });
      setName("");
      onMade();
      return {
        text: `Forked ${here} as ${made.name}`,
        undo: { label: `Switch to ${made.name}`, run: () => switchWorld(made.name) },
      };
    });
  return (
    <Form isInline onSend={fork}>
      <Field isInline label="Name (optional)">
        <input value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Act isSubmit isDisabled={!isLive || isBusy}>
        Fork {here}
      </Act>
    </Form>
  );
};

const RowActs = ({ of: row, here, again }: { of: Row; here: string; again(): void }) => {
  const { control, switchWorld, openSheet } = useConsole();
  const { name, isStarting } = row;
  if (name === here)
    return (
      <span className="done">
        <Mark name="done" /> current
      </span>
    );
  const remove = () =>
    openSheet({
      kind: "confirm",
      title: `Remove world ${name}?`,
      says: "Its records are deleted. Worlds forked from it stay.",
      go: "Remove world",
      run: async () => {
        await control.send("DELETE", `/worlds/${encodeURIComponent(name)}`);
        again();
      },
    });
  return (
    <>
      <Act isSmall isLocal onAct={() => switchWorld(isStarting ? undefined : name)}>
        Switch
      </Act>{" "}
      <ActLink href={`#/diff?from=world:${here}&to=world:${name}`}>Diff</ActLink>{" "}
      {!isStarting && (
        <Act isSmall onAct={remove}>
          Remove…
        </Act>
      )}
    </>
  );
};

/** All worlds of the simulator, to switch between, fork and compare. */
export const Worlds = () => {
  const { worldName } = useConsole();
  const { world } = useWatched();
  const { body, again } = useRead<WorldList>("/worlds");
  const here = worldName ?? world;
  return (
    <>
      <Title>Worlds</Title>
      <Fork here={here} onMade={again} />
      <Pane title="All" note={body?.data.length}>
        <Table
          label="All worlds"
          heads={[
            ["world"],
            ["clock"],
            ["records", "r"],
            ["from"],
            ["client id"],
            ["actions", "vh"],
          ]}
        >
          {body?.data.map((row) => (
            <tr key={row.name} className={row.name === here ? "at" : ""}>
              <td className="m b">{row.name}</td>
              <td className="m">{row.now.slice(0, 19).replace("T", " ")}</td>
              <td className="r m">{inGroups(row.records)}</td>
              <td>{row.isStarting ? "default" : row.from}</td>
              <td className="m">{row.clientId}</td>
              <td className="r">
                <RowActs of={row} here={here} again={again} />
              </td>
            </tr>
          ))}
        </Table>
      </Pane>
      <Damaged of={body?.damaged} />
    </>
  );
};
