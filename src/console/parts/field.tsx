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

/** A form in one line or more; Enter in any of its fields sends it. */
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
    className={isInline ? "inline" : undefined}
    onSubmit={(event: FormEvent) => {
      event.preventDefault();
      onSend();
    }}
  >
    {children}
  </form>
);
