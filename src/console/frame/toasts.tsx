import { useEffect, useState } from "react";
import { Act } from "../parts/act.tsx";
import { Lines } from "../parts/text.tsx";
import type { Toast } from "../use-console.ts";
import css from "./toasts.module.css";

/** Time that a message stays in sight, real milliseconds; one with an undo stays until the next act. */
const TOAST_MS = 8_000;

/** Most messages at a time: the oldest goes. */
const MOST = 3;

export interface ShownToast extends Toast {
  id: number;
}

let toastCount = 0;

/** Messages and what adds and drops them. */
export const useToasts = () => {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const [acts] = useState(() => ({
    drop: (id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)),
    toast: (toast: Toast) => {
      toastCount += 1;
      const id = toastCount;
      setToasts((all) => [...all.slice(1 - MOST), { ...toast, id }]);
    },
    endUndo: () => setToasts((all) => all.filter(({ undo }) => !undo)),
  }));
  return { toasts, ...acts };
};

/** Drops a message after its time, of which a hidden tab takes none. */
const useExpiry = ({ id, undo }: ShownToast, drop: (id: number) => void) => {
  useEffect(() => {
    if (undo) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(() => drop(id), TOAST_MS);
    };
    count();
    document.addEventListener("visibilitychange", count);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", count);
    };
  }, [id, undo, drop]);
};

const OneToast = ({ of, drop }: { of: ShownToast; drop(id: number): void }) => {
  const { id, text, isFailure, undo } = of;
  useExpiry(of, drop);
  const takeBack = () => {
    drop(id);
    undo?.run();
  };
  return (
    <div className={`${css.toast} ${isFailure ? "failed" : ""}`}>
      <Lines text={text} />
      {undo && (
        <Act isSmall onAct={takeBack}>
          {undo.label}
        </Act>
      )}
      <Act isSmall isLocal look="quiet" label="Close the message" onAct={() => drop(id)}>
        ✕
      </Act>
    </div>
  );
};

/** Messages of what was just done, or why it failed. */
export const Toasts = ({ of, drop }: { of: readonly ShownToast[]; drop(id: number): void }) => (
  <div className={css.toasts} role="status" aria-live="polite">
    {of.map((toast) => (
      <OneToast key={toast.id} of={toast} drop={drop} />
    ))}
  </div>
);
