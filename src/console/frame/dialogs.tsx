import { type ReactNode, useEffect, useRef, useState } from "react";
import { hasLetterKeys, LIST_KEYS, PAGE_KEYS, setLetterKeys } from "../keys.ts";
import { type Sheet, useAction } from "../use-console.ts";

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
  useEffect(() => {
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
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="say">{says}</p>
      <div className="acts">
        <button
          type="button"
          className="btn go"
          disabled={isBusy}
          onClick={() =>
            void run(async () => {
              await deed();
              onClose();
              return undefined;
            })
          }
        >
          {go}
        </button>
        <button type="button" className="btn" onClick={onClose}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
};

/** All keys, and whether letters act. */
export const KeysSheet = ({ onClose }: { onClose(): void }) => {
  const [isOn, setOn] = useState(hasLetterKeys);
  return (
    <Dialog title="Keys" onClose={onClose}>
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
      <label className="check">
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
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
};
