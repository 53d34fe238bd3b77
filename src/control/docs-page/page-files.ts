import { TextReply } from "../../http/message/text-reply.ts";
import { PAGE_HEADERS } from "../core/page-policy.ts";
import style from "./page.css?raw";
import script from "./page.js?raw";

const FILES = new Map([
  ["page.css", new TextReply(style, "text/css; charset=utf-8", PAGE_HEADERS)],
  ["page.js", new TextReply(script, "text/javascript; charset=utf-8", PAGE_HEADERS)],
]);

/** A file of the docs: a page holds no script and no style, which its policy would refuse. */
export const pageFile = (name: string): TextReply | undefined => FILES.get(name);
