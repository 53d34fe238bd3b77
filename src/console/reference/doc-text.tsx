import { lazy, Suspense, useEffect } from "react";
import { topicsAt } from "../../contract/core/doc-sections.ts";
import { useReadOnce } from "./read-once.ts";

/** The parser comes with the first page that somebody reads. */
const Markdown = lazy(() => import("./markdown.tsx"));

/** A page of the documents, by its place. */
export interface ReadDoc {
  topic: string;
  text: string | undefined;
  isMissing: boolean;
}

/** Reads the page that a place such as `/guides/cards` means. */
export const useDoc = (view: string, name: string): ReadDoc => {
  const [first = "", second] = topicsAt(view, name);
  const own = useReadOnce<string>(`/docs/${first}`);
  const other = useReadOnce<string>(own.isMissing && second ? `/docs/${second}` : undefined);
  return {
    topic: own.body === undefined ? (second ?? first) : first,
    text: own.body ?? other.body,
    isMissing: own.isMissing === true && (second === undefined || other.isMissing === true),
  };
};

/** Markdown of the documents; the section of an address is shown and gets the focus. */
export const DocText = ({ text, topic, at }: { text: string; topic: string; at?: string }) => (
  <Suspense fallback={null}>
    <Markdown text={text} topic={topic} />
    {at !== undefined && at !== "" && <Shown at={at} />}
  </Suspense>
);

/** Is drawn once the text stands. */
const Shown = ({ at }: { at: string }) => {
  useEffect(() => {
    const heading = document.getElementById(at);
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  }, [at]);
  return null;
};
