import { useEffect, useState } from "react";
import { NoAnswer } from "../../client/send.ts";
import { Refused } from "../control.ts";
import { useConsole } from "../use-console.ts";

interface ReadOnce<Body> {
  path: string;
  body?: Body;
  isMissing: boolean;
}

/** Reads what no change of the world changes: once, when a page opens. */
export const useReadOnce = <Body>(path: string | undefined): Partial<ReadOnce<Body>> => {
  const { control } = useConsole();
  const [read, setRead] = useState<ReadOnce<Body>>();
  useEffect(() => {
    if (path === undefined) return;
    let isOver = false;
    const load = async () => {
      try {
        const body = await control.get<Body>(path);
        if (!isOver) setRead({ path, body, isMissing: false });
      } catch (error) {
        if (error instanceof Refused && !isOver) setRead({ path, isMissing: true });
        else if (!(error instanceof Refused || error instanceof NoAnswer)) throw error;
      }
    };
    void load();
    return () => {
      isOver = true;
    };
  }, [control, path]);
  return read && read.path === path ? read : {};
};
