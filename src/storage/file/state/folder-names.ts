/** Names that some platforms keep for devices, with or without an extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/;

/** Stands beside a name that cannot be a folder's; no name of a world or a snapshot has it. */
const ESCAPE = "=";

/** Folder name for a world or a snapshot; some platforms refuse device names and a last dot. */
export const folderNameOf = (name: string): string =>
  `${DEVICE.test(name) ? ESCAPE : ""}${name}${name.endsWith(".") ? ESCAPE : ""}`;

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The name that a folder stands for; nothing for a foreign folder. */
export const nameOfFolder = (folder: string): string | undefined => {
  const name = folder.replace(/^=/, "").replace(/=$/, "");
  return NAME.test(name) && folderNameOf(name) === folder ? name : undefined;
};
