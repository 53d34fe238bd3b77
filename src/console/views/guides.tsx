import type { DocTopic, DocTopics } from "../../contract/control/docs.ts";
import { docPlace } from "../../contract/core/doc-sections.ts";
import pane from "../parts/pane.module.css";
import { Loading, Pane, Title } from "../parts/pane.tsx";
import search from "../parts/search.module.css";
import { Search } from "../parts/search.tsx";
import { DocText, useDoc } from "../reference/doc-text.tsx";
import { useReadOnce } from "../reference/read-once.ts";
import { useQueryValue } from "../routes.ts";
import css from "./guides.module.css";

/** Groups of pages, in the order in which somebody new reads them. */
const GROUPS = [
  { folder: "guide", says: "Guides" },
  { folder: "spec", says: "Specification" },
  { folder: "more", says: "More" },
  { folder: "decisions", says: "Decisions" },
] as const;

const folderOf = ({ topic }: DocTopic) => (topic.includes("/") ? topic.split("/")[0] : "more");

const Topic = ({ of: { topic, title, heading, anchor } }: { of: DocTopic }) => (
  <li>
    <a className="link" href={`#${docPlace(topic, anchor)}`}>
      {title}
    </a>{" "}
    <span className="d">{heading}</span>
  </li>
);

/** All pages, or those that have the words of a search. */
export const Topics = () => {
  const [q, setQ] = useQueryValue("q");
  const { body } = useReadOnce<DocTopics>(
    `/docs${q === "" ? "" : `?query=${encodeURIComponent(q)}`}`,
  );
  const groups = body && Map.groupBy(body.data, folderOf);
  return (
    <>
      <Title>Guides</Title>
      <div className={search.filter}>
        <Search
          label="Search the guides and the specification"
          value={q}
          placeholder="Search, for example: signature"
          onChange={setQ}
        />
      </div>
      {body?.data.length === 0 && <p className="more">No page contains these words</p>}
      {GROUPS.map(({ folder, says }) => {
        const topics = groups?.get(folder);
        return (
          topics && (
            <Pane key={folder} title={says} isQuiet note={topics.length}>
              <ul className={`${css.guides} ${css.pages}`}>
                {topics.map((one) => (
                  <Topic key={one.topic} of={one} />
                ))}
              </ul>
            </Pane>
          )
        );
      })}
    </>
  );
};

const titleOf = (text: string, topic: string) => /^# (.+)$/m.exec(text)?.[1] ?? topic;

/** One page of the documents. */
export const DocPage = ({ view, name }: { view: string; name: string }) => {
  const { topic, text, isMissing } = useDoc(view, name);
  const [at] = useQueryValue("at");
  if (isMissing) return <Title>There is no page {name}</Title>;
  if (text === undefined) return <Loading />;
  return (
    <>
      <p className={pane.crumb}>
        <a className="link" href="#/guides">
          All pages
        </a>
      </p>
      <Title>{titleOf(text, topic)}</Title>
      <DocText text={text} topic={topic} at={at} />
    </>
  );
};
