import { type FormEvent, useState } from "react";
import type { CreatedWorld, WorldList } from "../../contract/control/worlds.ts";
import { inGroups } from "../../contract/core/digit-groups.ts";
import { Pane, Title } from "../parts/pane.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { Mark } from "../parts/text.tsx";
import { useAction, useConsole, useIsLive, useRead, useWatched } from "../use-console.ts";

/** All worlds of the simulator, to switch between, fork and compare. */
export const Worlds = () => {
  const { control, worldName, switchWorld, openSheet } = useConsole();
  const { world } = useWatched();
  const { body, again } = useRead<WorldList>("/worlds");
  const { run, isBusy } = useAction();
  const isLive = useIsLive();
  const [name, setName] = useState("");
  const here = worldName ?? world;
  const fork = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const made = await control.send<CreatedWorld>("POST", "/worlds", {
        from: `world:${here}`,
        ...(name !== "" && { name }),
      });
      setName("");
      again();
      return {
        text: `${made.name} is a fork of ${here}`,
        undo: { label: "Switch to it", run: () => switchWorld(made.name) },
      };
    });
  };
  const remove = (gone: string) =>
    openSheet({
      kind: "confirm",
      title: `Remove world ${gone}?`,
      says: "Its records are gone then; worlds forked from it stay.",
      go: "Remove it",
      run: async () => {
        await control.send("DELETE", `/worlds/${encodeURIComponent(gone)}`);
        again();
      },
    });
  return (
    <>
      <Title>Worlds</Title>
      <form className="inline" onSubmit={fork}>
        <label className="field inline">
          <span>name of a fork of {here}</span>
          <input
            value={name}
            placeholder="left out, one is given"
            onChange={({ target }) => setName(target.value)}
          />
        </label>
        <button type="submit" className="btn" disabled={!isLive || isBusy}>
          Fork
        </button>
      </form>
      <Pane title="All" note={body?.data.length}>
        <Scroll label="All worlds">
          <table>
            <thead>
              <tr>
                <th>world</th>
                <th>clock</th>
                <th className="r">records</th>
                <th>from</th>
                <th>credentials</th>
                <th>
                  <span className="vh">acts</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {body?.data.map((row) => (
                <tr key={row.name} className={row.name === here ? "at" : ""}>
                  <td className="m b">{row.name}</td>
                  <td className="m">{row.now.slice(0, 19).replace("T", " ")}</td>
                  <td className="r m">{inGroups(row.records)}</td>
                  <td>{row.isStarting ? "the starting one" : row.from}</td>
                  <td className="m">{row.clientId}</td>
                  <td className="r">
                    {row.name === here ? (
                      <span className="done">
                        <Mark name="done" /> shown
                      </span>
                    ) : (
                      <>
                        <button
                          type="button"
                          className="btn small"
                          onClick={() => switchWorld(row.isStarting ? undefined : row.name)}
                        >
                          Switch
                        </button>{" "}
                        <a
                          className="btn small"
                          href={`#/diff?from=world:${here}&to=world:${row.name}`}
                        >
                          Diff
                        </a>{" "}
                        {!row.isStarting && (
                          <button
                            type="button"
                            className="btn small"
                            disabled={!isLive}
                            onClick={() => remove(row.name)}
                          >
                            Remove…
                          </button>
                        )}
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </Pane>
      {body?.damaged?.map(({ name: damaged, found }) => (
        <p key={damaged} className="failed">
          <Mark name="failed" /> {damaged}: {found}
        </p>
      ))}
    </>
  );
};
