import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { Act } from "./act.tsx";
import { Form } from "./field.tsx";

/** Elements that Enter means something to, wherever they stand. */
const OWN_ENTER = "a, button, input, select, textarea, summary, [role=grid], [role=listbox]";

/** The clock on the time line keeps the focus while its keys preview a move. */
const KEEPS_FOCUS = "[role=slider]";

const firstOf = (form: HTMLElement) =>
  form.querySelector<HTMLElement>("[data-first]") ??
  form.querySelector<HTMLElement>("[type=submit]");

/** Moves the focus into the sheet that is open, if any. */
export const focusSheet = () => {
  const form = document.querySelector<HTMLElement>("#sheet form");
  if (form) firstOf(form)?.focus();
};

const isLost = (active: Element | null) => active === null || active === document.body;

/** Gives the focus back to where it was; to the head of the view where that is gone. */
const giveBack = (before: Element | null) => {
  if (before instanceof HTMLElement && before.isConnected && !isLost(before)) before.focus();
  if (document.activeElement === before && !isLost(before)) return;
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
};

/**
 * Keeps the focus in a sheet: it comes in when the sheet opens or asks something else, and goes back
 * to where it was when the sheet closes.
 * @param asks what the sheet asks about
 */
const useSheetFocus = (asks: string | undefined) => {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const [own, before] = [form.current, document.activeElement];
    return () => {
      const active = document.activeElement;
      if (isLost(active) || own?.contains(active)) giveBack(before);
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question takes the focus again
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (!form.current || form.current.contains(active) || active?.matches(KEEPS_FOCUS)) return;
    firstOf(form.current)?.focus();
  }, [asks]);
  return form;
};

/** Lets Enter commit where the focus is on nothing that takes it. */
const useEnter = (commit: () => void) => {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented, repeat } = event;
      if (key !== "Enter" || defaultPrevented || repeat) return;
      if (target instanceof Element && target.closest(OWN_ENTER)) return;
      event.preventDefault();
      commit();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
};

/** The form of a sheet: Enter commits it from wherever the focus is. */
export const SheetForm = ({
  onCommit,
  isOff,
  asks,
  children,
}: {
  onCommit(): void;
  /** Nothing can be committed yet, or it is being committed. */
  isOff: boolean;
  asks?: string | undefined;
  children: ReactNode;
}) => {
  const form = useSheetFocus(asks);
  const commit = () => {
    if (!isOff) onCommit();
  };
  useEnter(commit);
  return (
    <Form of={form} onSend={commit}>
      {children}
    </Form>
  );
};

/** The two answers to a sheet. */
export const SheetActs = ({
  commit,
  look,
  isOff,
  onCancel,
}: {
  /** The verb. */
  commit: string;
  look: "time" | "main";
  isOff: boolean;
  onCancel(): void;
}) => (
  <div className="acts">
    <Act isSubmit look={look} isDisabled={isOff} shortcut="enter">
      {commit}
    </Act>
    <Act isLocal shortcut="esc" onAct={() => void onCancel()}>
      Cancel
    </Act>
  </div>
);
