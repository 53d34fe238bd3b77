import type { FormEvent, ReactNode } from "react";

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
  <label className={`field ${isInline ? "inline" : ""}`}>
    <span>{label}</span>
    {children}
  </label>
);

/** A form in one line or more; Enter in a field sends it, ctrl Enter in a text of several lines. */
export const Form = ({
  onSend,
  isInline = false,
  children,
}: {
  onSend(): void;
  isInline?: boolean;
  children: ReactNode;
}) => (
  <form
    className={isInline ? "inline" : "form"}
    onKeyDown={(event) => {
      const isText = event.target instanceof HTMLTextAreaElement;
      if (isText && event.key === "Enter" && (event.ctrlKey || event.metaKey))
        event.currentTarget.requestSubmit();
    }}
    onSubmit={(event: FormEvent) => {
      event.preventDefault();
      onSend();
    }}
  >
    {children}
  </form>
);
