import type { Batch, Holding, NewWorld, Writing } from "../engine/store-engine.ts";
import { addKept, worldHolder } from "./holder-steps.ts";
import { Statement, type Text } from "./statement.ts";

const addBorn = (statement: Statement, { facts, ...world }: NewWorld, when: string) => {
  const values = [
    statement.value(facts.name, "text"),
    statement.value(facts.from ?? null, "text"),
    statement.value(facts.isLate === true, "boolean"),
    statement.value(world.timeline, "bigint"),
    statement.value(world.owner, "text"),
    "1",
    statement.value(world.seq, "bigint"),
    statement.value(world.dueAtMs, "double precision"),
  ];
  return `insert into service_sim.world (name, from_world, is_late, timeline, owner, fence, seq, due)
    select ${values.join(", ")} ${when}`;
};

/** Changes and callers of a world that is made by the step `by`. */
const addOwn = (
  statement: Statement,
  { facts, timeline, batch, callers }: NewWorld,
  by: string,
) => {
  if (batch !== undefined)
    statement.step(
      "first_changes",
      `insert into service_sim.journal (timeline, last, first, changes)
       select ${statement.value(timeline, "bigint")}, ${statement.value(batch.last, "bigint")},
         ${statement.value(batch.first, "bigint")}, ${statement.value(batch.lines, "text")}
       where exists (select from ${by})`,
    );
  if (callers.length > 0)
    statement.step(
      "first_callers",
      `insert into service_sim.caller (key, world)
       select key, ${statement.value(facts.name, "text")}
       from ${statement.rows([[callers, "text"]])} n(key)
       where exists (select from ${by}) on conflict do nothing`,
    );
};

/** Makes a world unless there is one of its name; it answers with a row when it was made. */
export const creating = (world: NewWorld): Text => {
  const statement = new Statement();
  const born = addBorn(statement, world, "on conflict (name) do nothing returning name");
  statement.step("head", born);
  addOwn(statement, world, "head");
  addKept(statement, { keep: world.keep });
  return statement.asking("select name from head");
};

/** Columns of the world that a write changes: a release has the last word on its next timer. */
const changesOfHead = (statement: Statement, { switchTo, release }: Writing): string => {
  const dueAtMs = release?.dueAtMs === undefined ? switchTo?.dueAtMs : release.dueAtMs;
  return [
    "fence = w.fence + 1",
    ...(switchTo === undefined
      ? []
      : [
          `timeline = ${statement.value(switchTo.timeline, "bigint")}`,
          `seq = ${statement.value(switchTo.seq, "bigint")}`,
        ]),
    ...(release === undefined
      ? []
      : ["owner = null", `summary = ${statement.value(release.summary ?? null, "text")}`]),
    ...(dueAtMs === undefined ? [] : [`due = ${statement.value(dueAtMs, "double precision")}`]),
  ].join(", ");
};

/**
 * Changes rows of a world under the guard of its holding, which is its first step. It is one
 * statement: its owner may stop forever in the middle of it, and the next one waits for nothing. A
 * second write that waits behind it sees another fence, and so writes nothing by an old view.
 */
export const writing = (holding: Holding, changes: Writing): Text => {
  const statement = new Statement();
  const name = statement.value(holding.name, "text");
  const guard = `w.name = ${name} and w.owner = ${statement.value(holding.owner, "text")}
    and w.fence = ${statement.value(holding.fence, "bigint")}
    and w.timeline = ${statement.value(holding.timeline, "bigint")}
    and w.seq = ${statement.value(holding.seq, "bigint")} returning w.name`;
  const head = changes.remove
    ? `delete from service_sim.world w where ${guard}`
    : `update service_sim.world w set ${changesOfHead(statement, changes)} where ${guard}`;
  statement.step("head", head);

  const callers = changes.remove ? [] : changes.switchTo?.callers;
  if (callers !== undefined)
    statement.step(
      "called_before",
      `delete from service_sim.caller c where c.world = ${name} and exists (select from head)
       and c.key <> all(${statement.value(callers, "text[]")})`,
    );
  if (callers !== undefined && callers.length > 0)
    statement.step(
      "called",
      `insert into service_sim.caller (key, world) select n.key, ${name}
       from ${statement.rows([[callers, "text"]])} n(key)
       where exists (select from head) on conflict do nothing`,
    );

  const { fork, keep = [], drop = [], items = [] } = changes;
  if (fork !== undefined) {
    const born = { ...fork, owner: holding.owner };
    statement.step(
      "fork",
      `${addBorn(statement, born, "where exists (select from head)")} returning name`,
    );
    addOwn(statement, born, "fork");
  }
  addKept(statement, {
    keep: [...keep, ...(fork?.keep ?? [])],
    drop: changes.remove ? [...drop, worldHolder(holding.name)] : drop,
    items,
  });
  return statement.asking(
    `select (select count(*)::int from head) as written,
       (select owner from service_sim.world where name = ${name}) as owner`,
  );
};

const addCallers = (statement: Statement, batches: readonly Batch[]) => {
  const keysOf = (which: "made" | "dropped") =>
    batches.flatMap(({ name, callers }) => {
      const dropped = new Set(which === "made" ? callers?.dropped : []);
      return (callers?.[which] ?? [])
        .filter((key) => !dropped.has(key))
        .map((key) => ({ name, key }));
    });
  const rowsOf = (keys: readonly { name: string; key: string }[]) =>
    statement.rows([
      [keys.map(({ name }) => name), "text"],
      [keys.map(({ key }) => key), "text"],
    ]);
  const made = keysOf("made");
  if (made.length > 0)
    statement.step(
      "called",
      `insert into service_sim.caller (key, world) select n.key, n.name
       from ${rowsOf(made)} n(name, key) join head using (name) on conflict do nothing`,
    );
  const dropped = keysOf("dropped");
  if (dropped.length > 0)
    statement.step(
      "called_before",
      `delete from service_sim.caller c using ${rowsOf(dropped)} n(name, key) join head using (name)
       where c.world = n.name and c.key = n.key`,
    );
};

const addFiles = (statement: Statement, batches: readonly Batch[]) => {
  const files = batches.flatMap(({ name, files: own = [] }) => own.map((sha) => ({ name, sha })));
  if (files.length === 0) return;
  const rows = statement.rows([
    [files.map(({ name }) => name), "text"],
    [files.map(({ name }) => worldHolder(name)), "text"],
    [files.map(({ sha }) => sha), "text"],
  ]);
  // A file that is gone is missed when it is read: the journal continues.
  statement.step(
    "held",
    `insert into service_sim.holds (holder, sha) select n.holder, n.sha
     from ${rows} n(name, holder, sha) join head using (name) join service_sim.part using (sha)
     on conflict do nothing`,
  );
};

/**
 * Appends to several worlds at once: one row a world. The update of a world's row is check and lock
 * in one; a world that has another owner, fence, timeline or seq is left out.
 */
export const appending = (owner: string, batches: readonly Batch[]): Text => {
  const statement = new Statement();
  const rows = batches.map(({ name, fence, timeline, first, last, lines, dueAtMs }) => {
    const values = [
      statement.value(name, "text"),
      statement.value(fence, "bigint"),
      statement.value(timeline, "bigint"),
      statement.value(first, "bigint"),
      statement.value(last, "bigint"),
      statement.value(lines, "text"),
      statement.value(dueAtMs !== undefined, "boolean"),
      statement.value(dueAtMs ?? null, "double precision"),
    ];
    return `(${values.join(", ")})`;
  });
  statement.step(
    "batch",
    `select * from (values ${rows.join(", ")})
     b(name, fence, timeline, first, last, changes, sets_due, due)`,
  );
  statement.step(
    "head",
    `update service_sim.world w
     set seq = b.last, due = case when b.sets_due then b.due else w.due end
     from batch b where w.name = b.name and w.owner = ${statement.value(owner, "text")}
     and w.fence = b.fence and w.timeline = b.timeline and w.seq = b.first - 1
     returning w.name, w.timeline`,
  );
  statement.step(
    "written",
    `insert into service_sim.journal (timeline, last, first, changes)
     select b.timeline, b.last, b.first, b.changes from batch b join head using (name)`,
  );
  addCallers(statement, batches);
  addFiles(statement, batches);
  return statement.asking("select name from head");
};
