import type { ReactNode, Ref } from "react";
import type { PageAction } from "../keys.ts";
import { type Toast, useAction, useIsLive } from "../use-console.ts";
import css from "./act.module.css";

interface ActProps {
  /** A verb, and what it acts on where that is not in sight. */
  children: ReactNode;
  /** The act: a promise is waited for, one at a time; its end or its failure is said. */
  onAct?: (() => Promise<Toast | undefined>) | (() => void);
  /** `time` moves the clock, `main` is the one that a view is about, `quiet` has no border. */
  look?: "time" | "main" | "plain" | "quiet";
  isSmall?: boolean;
  /** The key that does the same. */
  shortcut?: string | undefined;
  /** The action of the page's keys that this button carries. */
  does?: PageAction | undefined;
  /** Name for screen readers, where the text alone is not enough. */
  label?: string;
  isDisabled?: boolean;
  /** True when it works without an answer of the simulator. */
  isLocal?: boolean;
  /** True when it sends the form around it. */
  isSubmit?: boolean;
  of?: Ref<HTMLButtonElement>;
}

const LOOKS = {
  time: `${css.go} ${css.time}`,
  main: css.go,
  plain: "",
  quiet: css.bare,
} as const;

/** A button. One that needs the simulator is disabled while it does not answer. */
export const Act = ({
  children,
  onAct,
  look = "plain",
  isSmall = false,
  shortcut,
  does,
  label,
  isDisabled = false,
  isLocal = false,
  isSubmit = false,
  of,
}: ActProps) => {
  const { isBusy, run } = useAction();
  const isLive = useIsLive();
  const act = () => {
    const ending = onAct?.();
    if (ending instanceof Promise) void run(() => ending);
  };
  return (
    <button
      type={isSubmit ? "submit" : "button"}
      className={[css.btn, LOOKS[look], isSmall && css.small].filter(Boolean).join(" ")}
      aria-label={label}
      data-does={does}
      ref={of}
      disabled={isDisabled || isBusy || !(isLocal || isLive)}
      onClick={isSubmit ? undefined : act}
    >
      {children}
      {shortcut !== undefined && (
        <>
          {" "}
          <kbd>{shortcut}</kbd>
        </>
      )}
    </button>
  );
};

/** A link that looks like a small button. */
export const ActLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a className={`${css.btn} ${css.small}`} href={href}>
    {children}
  </a>
);
