import { type FormEvent, useState } from "react";
import type { Snapshots as Kept } from "../../contract/control/snapshots.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { Pane, Title } from "../parts/pane.tsx";
import { Mark } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useRead, useWatched } from "../use-console.ts";

/** States kept under a name, to restore and to compare. */
export const Snapshots = () => {
  const { control, worldName } = useConsole();
  const { world } = useWatched();
  const { body, again } = useRead<Kept>("/snapshots");
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [name, setName] = useState("");
  const at = (one: string) => `/snapshots/${encodeURIComponent(one)}`;
  const save = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await control.send("PUT", at(name), {});
      setName("");
      again();
      return { text: `Kept as ${name}` };
    });
  };
  const restore = (one: string) =>
    void run(async () => {
      await control.send("POST", `${at(one)}/restore`, {});
      return { text: `The world is as it was in ${one}` };
    });
  const remove = (one: string) =>
    void run(async () => {
      await control.send("DELETE", at(one));
      again();
      return { text: `${one} is removed` };
    });
  return (
    <>
      <Title>Snapshots</Title>
      <form className="inline" onSubmit={save}>
        <label className="field inline">
          <span>name</span>
          <input value={name} required onChange={({ target }) => setName(target.value)} />
        </label>
        <button type="submit" className="btn" disabled={!isLive || isBusy || name === ""}>
          Keep the present state
        </button>
      </form>
      <Pane title="Kept" note={body?.data.length}>
        {body?.data.length === 0 && (
          <p className="more">None yet; a rewind and a reset keep one by themselves</p>
        )}
        <table>
          <tbody>
            {body?.data.map(({ name: one, now, records }) => (
              <tr key={one}>
                <td className="m b">{one}</td>
                <td className="m">{now.slice(0, 19).replace("T", " ")}</td>
                <td className="r m">{inGroups(records)} records</td>
                <td className="r">
                  <button
                    type="button"
                    className="btn small"
                    disabled={!isLive || isBusy}
                    onClick={() => restore(one)}
                  >
                    Restore
                  </button>{" "}
                  <a
                    className="btn small"
                    href={`#/diff?from=snapshot:${encodeURIComponent(one)}&to=world:${worldName ?? world}`}
                  >
                    Diff
                  </a>{" "}
                  <button
                    type="button"
                    className="btn small"
                    disabled={!isLive || isBusy}
                    onClick={() => remove(one)}
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Pane>
      {body?.damaged?.map(({ name: damaged, found }) => (
        <p key={damaged} className="failed">
          <Mark name="failed" /> {damaged}: {found}
        </p>
      ))}
    </>
  );
};
