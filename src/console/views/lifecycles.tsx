import type { LifecycleTable, LifecycleTables } from "../../contract/control/lifecycles.ts";
import { Pane, Title } from "../parts/pane.tsx";
import { Scroll } from "../parts/scroll.tsx";
import story from "../story/story.module.css";
import { useRead } from "../use-console.ts";

type Move = LifecycleTable["moves"][number];

const gridOf = ({ states }: LifecycleTable) => ({
  gridTemplateColumns: `repeat(${states.length}, minmax(0, 1fr))`,
  "--n": states.length,
});

/** An arrow from the state that a move leaves to the one that it leads to. */
const Arrow = ({ of: { from, on, to }, states }: { of: Move; states: readonly string[] }) => {
  const [start, end] = [states.indexOf(from), states.indexOf(to)];
  const [first, last] = [Math.min(start, end), Math.max(start, end)];
  return (
    <div
      className={`${story.move} ${end < start ? story.back : ""}`}
      data-route={`${from} → ${to}`}
      style={{
        gridColumn: `${first + 1} / ${last + 2}`,
        marginInline: `${50 / (last - first + 1)}%`,
      }}
    >
      <span>
        {on}
        <span className="vh">
          {" "}
          from {from} to {to}
        </span>
      </span>
    </div>
  );
};

const Hook = ({ type }: { type: string | undefined }) => (
  <div className={story.hooks}>
    {type !== undefined && (
      <a className="m" href={`#/reference/webhooks/${type}`}>
        {type}
      </a>
    )}
  </div>
);

/** States as columns, moves as arrows between them: no arrow crosses a name. */
const Picture = ({ of }: { of: LifecycleTable }) => {
  const { starts, startEmits, ends, states, moves } = of;
  return (
    <section className={`${story.story} ${story.lifecycle}`} aria-label={`Lifecycle: ${of.name}`}>
      <div className={story.heads}>
        <div className={story.money} style={gridOf(of)}>
          {states.map((state) => (
            <div key={state}>
              <b>{state}</b>
              <span className="d">
                {[state === starts && "starts", ends.includes(state) && "final"]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            </div>
          ))}
        </div>
        <div>webhook</div>
      </div>
      {startEmits !== undefined && (
        <div className={story.step}>
          <div className={story.money} style={gridOf(of)}>
            <div
              className={`${story.move} ${story.signed}`}
              style={{ gridColumn: "1 / 2" }}
              data-route={starts}
            >
              <span>create</span>
            </div>
          </div>
          <Hook type={startEmits} />
        </div>
      )}
      {moves.map((move) => (
        <div key={`${move.from} ${move.on}`} className={story.step}>
          <div className={story.money} style={gridOf(of)}>
            <Arrow of={move} states={states} />
          </div>
          <Hook type={move.emits} />
        </div>
      ))}
    </section>
  );
};

/** Every lifecycle of the service, drawn from its table. */
export const Lifecycles = () => {
  const { body } = useRead<LifecycleTables>("/lifecycles");
  return (
    <>
      <Title>Lifecycles</Title>
      <p className="say">A move without an arrow is refused. Arrows that go back are dashed.</p>
      {body?.data.map((one) => (
        <Pane key={one.name} title={one.name} isQuiet>
          <Scroll label={one.name}>
            <Picture of={one} />
          </Scroll>
        </Pane>
      ))}
    </>
  );
};
