import { useConsole } from "../use-console.ts";

/** Copies a text, and says so. */
export const useCopy = () => {
  const { toast } = useConsole();
  return async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ text: `Copied ${what}` });
    } catch {
      toast({ text: `The browser did not let it be copied: ${text}`, isFailure: true });
    }
  };
};

/** A small button that copies a text. */
export const Copy = ({ text, what, label }: { text: string; what: string; label: string }) => {
  const copy = useCopy();
  return (
    <button type="button" className="btn small" onClick={() => void copy(text, what)}>
      {label}
    </button>
  );
};
