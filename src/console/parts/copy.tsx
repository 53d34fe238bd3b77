import { useConsole } from "../use-console.ts";
import { Act } from "./act.tsx";

/** Copies a text, and says so. */
export const useCopy = () => {
  const { toast } = useConsole();
  return async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ text: `Copied ${what}` });
    } catch {
      toast({ text: `The browser did not allow copying: ${text}`, isFailure: true });
    }
  };
};

/** A small button that copies a text. */
export const Copy = ({ text, what, label }: { text: string; what: string; label: string }) => {
  const copy = useCopy();
  return (
    <Act isSmall isLocal onAct={() => void copy(text, what)}>
      {label}
    </Act>
  );
};
