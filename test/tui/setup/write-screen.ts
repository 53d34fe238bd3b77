import { writeFileSync } from "node:fs";
import { frameOf } from "../../../src/tui/frame.ts";
import { FRAMES } from "./frame-cases.ts";
import { pictureOf } from "./screen-picture.ts";

/** The picture of the guide; `npm run screen` rewrites it. */
export const SCREEN_FILE = "src/docs/screen.svg";

/**
 * Draws the picture.
 * @returns the SVG text of the frame that the guide shows
 */
export const screenPicture = () => {
  const scene = FRAMES.find(({ name }) => name === "80x24-approve")?.scene();
  if (!scene) throw new Error("Expected a frame 80x24-approve but found none");
  return pictureOf(frameOf(scene), scene.size.columns);
};

if (process.argv[1]?.endsWith("write-screen.ts")) writeFileSync(SCREEN_FILE, screenPicture());
