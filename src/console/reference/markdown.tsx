import { Marked, type Token, type Tokens } from "marked";
import type { ReactNode } from "react";
import { anchorOf, docPlace } from "../../contract/core/doc-sections.ts";
import { safeText } from "../../text/safe-text.ts";
import { Code } from "../parts/code.tsx";
import { Scroll } from "../parts/scroll.tsx";
import css from "./markdown.module.css";

const markdown = new Marked({ gfm: true });

/** Topics of pages; files beside the documents, such as the license, are none. */
const PAGE = /^(?:(?:spec|guide|decisions)\/[\w-]+|[a-z][\w-]*)$/;

/** A link of one page to another as a place of the console; undefined where nothing is served. */
export const hrefOf = (href: string, topic: string): string | undefined => {
  if (/^https?:/i.test(href)) return href;
  const { protocol, pathname, hash } = new URL(href, `http://docs/${topic}.md`);
  if (!/^https?:$/.test(protocol) || !pathname.endsWith(".md")) return undefined;
  const linked = pathname.slice(1, -".md".length);
  if (!PAGE.test(linked)) return undefined;
  return `#${docPlace(linked, hash === "" ? undefined : decodeURIComponent(hash.slice(1)))}`;
};

interface Of<One> {
  of: One;
  /** The page that the text is from: its links are relative to it. */
  topic: string;
}

const Link = ({ of: { href, tokens }, topic }: Of<Tokens.Link>) => {
  const to = hrefOf(href, topic);
  const inner = <Inline of={tokens} topic={topic} />;
  return to === undefined ? (
    inner
  ) : (
    <a className="link" href={to}>
      {inner}
    </a>
  );
};

/** A text in one line: where a line of the source ends says nothing. */
const inLine = (text: string) => safeText(text.replace(/\s*\n\s*/g, " "));

const textOf = (token: Token) =>
  inLine("text" in token && typeof token.text === "string" ? token.text : token.raw);

const InlineOne = ({ of, topic }: Of<Token>): ReactNode => {
  const inner = () => <Inline of={("tokens" in of && of.tokens) || []} topic={topic} />;
  switch (of.type) {
    case "link":
      return <Link of={of as Tokens.Link} topic={topic} />;
    case "strong":
      return <strong>{inner()}</strong>;
    case "em":
      return <em>{inner()}</em>;
    case "codespan":
      return <code>{textOf(of)}</code>;
    case "br":
      return <br />;
    case "html":
      return inLine(of.raw);
    default:
      return "tokens" in of && of.tokens ? inner() : textOf(of);
  }
};

const Inline = ({ of, topic }: Of<readonly Token[]>) =>
  of.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text never change places
    <InlineOne key={at} of={token} topic={topic} />
  ));

/** The text of a cell without its marks: it names the table. */
const plain = ({ text = "" }: { text?: string } = {}) =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");

const Table = ({ of: { header, rows }, topic }: Of<Tokens.Table>) => (
  <Scroll label={`Table: ${plain(header[0])}, ${plain(rows[0]?.[0])} …`}>
    <table>
      <thead>
        <tr>
          {header.map((cell, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
            <th key={at} scope="col">
              <Inline of={cell.tokens} topic={topic} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never change places
          <tr key={line}>
            {row.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never change places
              <td key={at}>
                <Inline of={cell.tokens} topic={topic} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);

const List = ({ of: { ordered, start, items }, topic }: Of<Tokens.List>) => {
  const shown = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items never change places
    <li key={at}>
      <Blocks of={item.tokens} topic={topic} />
    </li>
  ));
  return ordered ? <ol start={Number(start || 1)}>{shown}</ol> : <ul>{shown}</ul>;
};

const Heading = ({ of: { depth, text, tokens }, topic }: Of<Tokens.Heading>) => {
  const Level = depth === 2 ? "h2" : "h3";
  return (
    <Level id={anchorOf(text)} tabIndex={-1}>
      <Inline of={tokens} topic={topic} />
    </Level>
  );
};

const Block = ({ of, topic }: Of<Token>): ReactNode => {
  switch (of.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "heading":
      return <Heading of={of as Tokens.Heading} topic={topic} />;
    case "code":
      return <Code text={(of as Tokens.Code).text} label="Code" what="the code" />;
    case "table":
      return <Table of={of as Tokens.Table} topic={topic} />;
    case "list":
      return <List of={of as Tokens.List} topic={topic} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks of={(of as Tokens.Blockquote).tokens} topic={topic} />
        </blockquote>
      );
    // The text of an item in a list without empty lines.
    case "text":
      return <InlineOne of={of} topic={topic} />;
    default:
      return (
        <p>
          <InlineOne of={of} topic={topic} />
        </p>
      );
  }
};

const Blocks = ({ of, topic }: Of<readonly Token[]>) =>
  of.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text never change places
    <Block key={at} of={token} topic={topic} />
  ));

/**
 * Markdown as elements. Its first heading is left out: the view around it shows that.
 * @param topic of the page that the text is from
 */
export default function Markdown({ text, topic }: { text: string; topic: string }) {
  const tokens = markdown.lexer(text);
  const first = tokens.findIndex(({ type }) => type === "heading");
  return (
    <div className={css.prose}>
      <Blocks of={tokens.filter((_, at) => at !== first)} topic={topic} />
    </div>
  );
}
