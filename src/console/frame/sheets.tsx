import { AdvanceSheet, RewindSheet } from "../time/sheets.tsx";
import { useConsole, useSheet } from "../use-console.ts";
import { ConfirmSheet, KeysSheet } from "./dialogs.tsx";
import { GoTo } from "./go-to.tsx";

/** The sheet below the time line, which leaves the line in reach. */
export const LineSheet = () => {
  const sheet = useSheet();
  return (
    <div className="under">
      {sheet?.kind === "advance" && <AdvanceSheet to={sheet.to} />}
      {sheet?.kind === "rewind" && <RewindSheet to={sheet.to} before={sheet.before} />}
    </div>
  );
};

/** The sheet over the whole page. */
export const ModalSheet = () => {
  const { openSheet } = useConsole();
  const sheet = useSheet();
  const close = () => openSheet(undefined);
  if (sheet?.kind === "confirm") return <ConfirmSheet of={sheet} onClose={close} />;
  if (sheet?.kind === "keys") return <KeysSheet onClose={close} />;
  if (sheet?.kind === "go-to") return <GoTo onClose={close} />;
  return null;
};
