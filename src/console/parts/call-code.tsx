import { useState } from "react";
import { Code } from "./code.tsx";
import { Pane } from "./pane.tsx";
import seg from "./seg.module.css";
import { type CodedCall, SNIPPETS } from "./snippets.ts";

/** A call as code to copy, in one of several languages. */
export const CallCode = ({ of }: { of: CodedCall }) => {
  const [language, setLanguage] = useState<keyof typeof SNIPPETS>("curl");
  const text = SNIPPETS[language](of);
  return (
    <Pane
      title="As code"
      isQuiet
      end={
        <span className={seg.seg}>
          {(Object.keys(SNIPPETS) as (keyof typeof SNIPPETS)[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === language}
              onClick={() => setLanguage(name)}
            >
              {name}
            </button>
          ))}
        </span>
      }
    >
      <Code text={text} label={`As ${language}`} what={`it as ${language}`} />
    </Pane>
  );
};
