/** Texts that still wait for their editor; nothing is added here, and each that is mended leaves. */
export const WAITING_TEXTS: readonly { file: string; text: string }[] = [
  { file: "src/console/reference/operation-page.tsx", text: "may be left out" },
  { file: "src/console/reference/schema-view.tsx", text: "may be left out" },
  { file: "src/console/reference/try-it.tsx", text: "may be left out" },
  {
    file: "src/console/views/faults.tsx",
    text: "None is on: every call is answered as it should be",
  },
  { file: "src/console/views/faults.tsx", text: "… struck" },
  { file: "src/console/views/outcomes.tsx", text: "The next one takes …" },
  {
    file: "src/console/views/outcomes.tsx",
    text: "The ending of an identifier decides how things go.",
  },
  { file: "src/console/views/outcomes.tsx", text: "Next one" },
  { file: "src/console/views/snapshots.tsx", text: "Keep the present state" },
  { file: "src/console/views/worlds.tsx", text: "the starting one" },
];
