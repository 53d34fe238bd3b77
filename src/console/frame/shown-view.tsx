import { lazy, Suspense, useEffect } from "react";
import { useLocation } from "wouter";
import { safeLine } from "../../text/safe-text.ts";
import { Loading } from "../parts/pane.tsx";
import { NotFound } from "../views/not-found.tsx";
import { ALL_VIEWS, viewAt } from "../views/views.tsx";

/** Each view as a component; one that is loaded is a script of its own. */
const COMPONENTS = new Map(
  ALL_VIEWS.map((row) => [
    row,
    "view" in row ? row.view : lazy(async () => ({ default: await row.load() })),
  ]),
);

/** Time for the first view to be drawn before the others are loaded, real milliseconds. */
const FIRST_VIEW_MS = 500;

/** Loads all views before somebody asks for one. */
export const loadViews = () => {
  const timer = setTimeout(() => {
    for (const row of ALL_VIEWS) if ("load" in row) void row.load();
  }, FIRST_VIEW_MS);
  return () => clearTimeout(timer);
};

const PAGE = "service-sim";

/** The view of the place in the address. */
export const ShownView = () => {
  const [place] = useLocation();
  const at = viewAt(place);
  const name = at && (at.id === "" ? at.view.says : `${at.view.says} ${safeLine(at.id).slice(-6)}`);
  useEffect(() => {
    document.title = name === undefined ? PAGE : `${name} · ${PAGE}`;
  }, [name]);
  const View = at && COMPONENTS.get(at.view);
  if (!at || !View) return <NotFound />;
  return (
    <Suspense fallback={<Loading />}>
      <View of={at.view.path.replace("/:id", "")} id={at.id} />
    </Suspense>
  );
};
