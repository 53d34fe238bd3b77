/** Deepest nesting of JSON that is read from others: code that walks it calls itself. */
export const MAX_NESTING = 64;

/** Whether JSON text is nested too deeply, told before a parser or anything else walks it. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > MAX_NESTING) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
};
