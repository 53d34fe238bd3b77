import type { FormEvent, KeyboardEvent, ReactNode, Ref } from "react";
import css from "./field.module.css";

/** A named control of a form: the name stands before or above what it is given as a child. */
export const Field = ({
  label,
  isInline = false,
  children,
}: {
  label: string;
  /** The name stands beside the control. */
  isInline?: boolean;
  children: ReactNode;
}) => (
  <label className={`${css.field} ${isInline ? css.inline : ""}`}>
    <span>{label}</span>
    {children}
  </label>
);

/** Controls for which the browser has Enter do something already. */
const OWN_ENTER = "a, button, input, textarea, summary";

/** Sends the form by Enter on a control that ignores it, and by ctrl or cmd with it on any. */
const sendByEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key !== "Enter" || event.defaultPrevented || event.repeat) return;
  const isOwn = event.target instanceof Element && event.target.closest(OWN_ENTER) !== null;
  if (isOwn && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
};

/**
 * A form in one line or more; Enter in any of its fields sends it, ctrl or cmd with Enter in those of
 * several lines.
 */
export const Form = ({
  onSend,
  isInline = false,
  of,
  children,
}: {
  onSend(): void;
  isInline?: boolean;
  of?: Ref<HTMLFormElement>;
  children: ReactNode;
}) => (
  <form
    ref={of}
    className={isInline ? css.inline : undefined}
    onKeyDown={sendByEnter}
    onSubmit={(event: FormEvent) => {
      event.preventDefault();
      onSend();
    }}
  >
    {children}
  </form>
);
