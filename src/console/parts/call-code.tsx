import { useState } from "react";
import { Code } from "./code.tsx";
import { Pane } from "./pane.tsx";
import { Segments } from "./segments.tsx";
import { type CodedCall, SNIPPETS } from "./snippets.ts";

type Language = keyof typeof SNIPPETS;
const LANGUAGES = Object.keys(SNIPPETS) as Language[];

/** A call as code to copy, in one of several languages. */
export const CallCode = ({ of }: { of: CodedCall }) => {
  const [language, setLanguage] = useState<Language>("curl");
  const text = SNIPPETS[language](of);
  return (
    <Pane
      title="As code"
      isQuiet
      end={
        <Segments
          label="Language"
          of={LANGUAGES.map((name) => [name, name])}
          isChosen={(name) => name === language}
          onChoose={setLanguage}
        />
      }
    >
      <Code text={text} label={`As ${language}`} what={`it as ${language}`} />
    </Pane>
  );
};
