import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { chooseScheme, chosenScheme, SCHEMES } from "../color-scheme.ts";
import { hasLetterKeys, LIST_KEYS, PAGE_KEYS, setLetterKeys } from "../keys.ts";
import { Act } from "../parts/act.tsx";
import { Segments } from "../parts/segments.tsx";
import { SheetActs, SheetForm } from "../parts/sheet-form.tsx";
import { type Sheet, useAction } from "../use-console.ts";
import css from "./dialogs.module.css";

/** A question or a list over the page; Escape closes it. */
export const Dialog = ({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose(): void;
  children: ReactNode;
}) => {
  const ref = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: the browser then gives the focus back to where it was.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} aria-label={title} onCancel={onClose} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
};

/** Asks before an action whose effects are not in sight. */
export const ConfirmSheet = ({
  of: { title, says, go, run: deed },
  onClose,
}: {
  of: Extract<Sheet, { kind: "confirm" }>;
  onClose(): void;
}) => {
  const { isBusy, run } = useAction();
  const commit = () =>
    void run(async () => {
      await deed();
      onClose();
      return undefined;
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <SheetForm isOff={isBusy} onCommit={commit}>
        <p className="say">{says}</p>
        <SheetActs commit={go} look="main" isOff={isBusy} onCancel={onClose} />
      </SheetForm>
    </Dialog>
  );
};

/** All keys, whether letters act, and the colors of the page. */
export const KeysSheet = ({ onClose }: { onClose(): void }) => {
  const [isOn, setOn] = useState(hasLetterKeys);
  const [scheme, setScheme] = useState(chosenScheme);
  return (
    <Dialog title="Keys and colors" onClose={onClose}>
      <label className={css.check}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            setLetterKeys(target.checked);
            setOn(target.checked);
          }}
        />{" "}
        single letters act
      </label>
      <div className="acts">
        <Segments
          label="Colors"
          of={SCHEMES}
          isChosen={(one) => one === scheme}
          onChoose={(one) => {
            chooseScheme(one);
            setScheme(one);
          }}
        />
      </div>
      <table>
        <tbody>
          {PAGE_KEYS.map(({ keys, does, says }) => (
            <tr key={does}>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{says}</td>
            </tr>
          ))}
          {LIST_KEYS.map(([keys, says]) => (
            <tr key={keys}>
              <td>
                <kbd>{keys}</kbd>
              </td>
              <td>{says}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="acts">
        <Act isLocal onAct={() => void onClose()}>
          Close
        </Act>
      </div>
    </Dialog>
  );
};
