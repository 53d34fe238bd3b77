import type { Page } from "playwright-core";

/** Runs in the page: what is too wide, cut without a sign, out of reach or covered. */
const faultsOfLayout = async (): Promise<string[]> => {
  // What measures itself is drawn again after a change of the window.
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  const found: string[] = [];
  const nameOf = (one: Element) => {
    const words = (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 40);
    const { className } = one;
    const classes = typeof className === "string" ? className.trim().replace(/\s+/g, ".") : "";
    return `${one.tagName.toLowerCase()}${classes && `.${classes}`} “${words}”`;
  };
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth)
    found.push(`the document is ${root.scrollWidth - innerWidth} px too wide`);
  const isSeen = (one: Element) =>
    one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    one.getBoundingClientRect().width > 1 &&
    one.closest(".vh, .lanes-tip, .shell-skip, [aria-hidden=true]") === null;
  /** An area that scrolls has more than is in sight, and says so by its bar. */
  const scrolls = (one: Element) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    return [overflowX, overflowY].some((way) => way === "auto" || way === "scroll");
  };
  const hides = (one: Element) => {
    const { overflowX } = getComputedStyle(one);
    return overflowX === "hidden" || overflowX === "clip";
  };
  const scrollerOf = (one: Element) => {
    for (let up = one.parentElement; up; up = up.parentElement)
      if (up !== document.body && up !== root && scrolls(up)) return up;
    return null;
  };
  const ownText = (one: Element) =>
    [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
  for (const one of document.body.querySelectorAll("*")) {
    if (!isSeen(one)) continue;
    const { textOverflow } = getComputedStyle(one);
    if (hides(one) && one.scrollWidth > one.clientWidth + 1 && one.textContent?.trim()) {
      const hasTitle = one.closest("[title]") !== null || one.querySelector("[title]") !== null;
      if (textOverflow !== "ellipsis") found.push(`${nameOf(one)} is cut`);
      else if (!hasTitle) found.push(`${nameOf(one)} is cut without a title`);
    }
    if (!ownText(one) || scrollerOf(one)) continue;
    const { left, right } = one.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1) found.push(`${nameOf(one)} leaves the window`);
  }
  const controls = "a[href], button, input, select, textarea, summary, [role=slider]";
  for (const one of document.querySelectorAll(controls)) {
    if (!isSeen(one)) continue;
    const scroller = scrollerOf(one);
    one.scrollIntoView({ block: "center", inline: "center" });
    const { left, right, top, bottom, width } = one.getBoundingClientRect();
    if (!scroller && (left < -1 || right > innerWidth + 1)) found.push(`${nameOf(one)} is outside`);
    // Marks of the time line stand as near as their instants do.
    if (one.closest(".time-line-plane")) continue;
    const at = [left + Math.min(width, 12) / 2, (top + bottom) / 2] as const;
    const hit = document.elementFromPoint(...at);
    if (hit && hit !== one && !one.contains(hit) && !hit.contains(one) && !hit.closest("label"))
      found.push(`${nameOf(one)} is covered by ${nameOf(hit)}`);
  }
  scrollTo(0, 0);
  return [...new Set(found)];
};

/** Faults of the layout of a view as it stands, one line each. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(faultsOfLayout);
