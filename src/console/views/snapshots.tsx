import { useState } from "react";
import type { Snapshots as Kept } from "../../contract/control/snapshots.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { Act, ActLink } from "../parts/act.tsx";
import { Field, Form } from "../parts/field.tsx";
import { Pane, Title } from "../parts/pane.tsx";
import { Table } from "../parts/table.tsx";
import { Damaged } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useRead, useWatched } from "../use-console.ts";

const placeOf = (name: string) => `/snapshots/${encodeURIComponent(name)}`;

const Save = ({ onSaved }: { onSaved(): void }) => {
  const { control } = useConsole();
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [name, setName] = useState("");
  const save = () =>
    void run(async () => {
      await control.send("PUT", placeOf(name), {});
      setName("");
      onSaved();
      return { text: `Saved as ${name}` };
    });
  return (
    <Form isInline onSend={save}>
      <Field isInline label="Name">
        <input value={name} required onChange={({ target }) => setName(target.value)} />
      </Field>
      <Act isSubmit isDisabled={!isLive || isBusy || name === ""}>
        Save snapshot
      </Act>
    </Form>
  );
};

const RowActs = ({ name, again }: { name: string; again(): void }) => {
  const { control, worldName, openSheet } = useConsole();
  const { world } = useWatched();
  const restore = () =>
    openSheet({
      kind: "confirm",
      title: `Restore snapshot ${name}?`,
      says: "The world goes back to it. What happened since is lost, unless you save it first.",
      go: "Restore snapshot",
      run: () => control.send("POST", `${placeOf(name)}/restore`, {}),
    });
  const remove = () =>
    openSheet({
      kind: "confirm",
      title: `Remove snapshot ${name}?`,
      says: "It can't be restored afterwards. The world stays as it is.",
      go: "Remove snapshot",
      run: async () => {
        await control.send("DELETE", placeOf(name));
        again();
      },
    });
  return (
    <>
      <Act isSmall onAct={restore}>
        Restore…
      </Act>{" "}
      <ActLink
        href={`#/diff?from=snapshot:${encodeURIComponent(name)}&to=world:${worldName ?? world}`}
      >
        Diff
      </ActLink>{" "}
      <Act isSmall onAct={remove}>
        Remove…
      </Act>
    </>
  );
};

/** States of the world saved under a name, to restore and to compare. */
export const Snapshots = () => {
  const { body, again } = useRead<Kept>("/snapshots");
  return (
    <>
      <Title>Snapshots</Title>
      <Save onSaved={again} />
      <Pane title="Saved" note={body?.data.length}>
        {body?.data.length === 0 && (
          <p className="more">No snapshots yet. A rewind and a reset save one first.</p>
        )}
        <Table label="Snapshots">
          {body?.data.map(({ name, now, records }) => (
            <tr key={name}>
              <td className="m b">{name}</td>
              <td className="m">{now.slice(0, 19).replace("T", " ")}</td>
              <td className="r">{inGroups(records)} records</td>
              <td className="r">
                <RowActs name={name} again={again} />
              </td>
            </tr>
          ))}
        </Table>
      </Pane>
      <Damaged of={body?.damaged} />
    </>
  );
};
