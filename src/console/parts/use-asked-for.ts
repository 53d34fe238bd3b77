import { useCallback, useEffect, useState } from "react";
import { useQueryValue } from "../routes.ts";

/**
 * Focuses an element when the address asks for its act by `?act=`, and takes the question out of the
 * address: a copied link asks for nothing.
 * @returns the element's ref
 */
export const useAskedFor = <Control extends HTMLElement>(act: string) => {
  const [asked, setAsked] = useQueryValue("act");
  const [control, setControl] = useState<Control | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the setter is another one at each drawing
  useEffect(() => {
    if (asked !== act || !control) return;
    control.focus();
    setAsked("");
  }, [asked, act, control]);
  return useCallback((of: Control | null) => setControl(of), []);
};
