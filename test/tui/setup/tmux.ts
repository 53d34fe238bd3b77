import { execFileSync, spawnSync } from "node:child_process";

/** Whether this machine has the terminal that these tests drive. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

let count = 0;

/** A real terminal of its own, with a shell in it. */
export class RealTerminal {
  private readonly name: string;

  constructor(folder: string, { columns, rows }: { columns: number; rows: number }) {
    count += 1;
    this.name = `service-sim-${process.pid}-${count}`;
    const size = ["-x", `${columns}`, "-y", `${rows}`];
    const shell = "env -u CI PS1='$ ' LANG=C.UTF-8 sh";
    this.tmux("-f", "/dev/null", "new-session", "-d", ...size, "-c", folder, shell);
    this.tmux("set-option", "-g", "escape-time", "0");
  }

  /** Types a line and presses Enter. */
  line(text: string) {
    this.tmux("send-keys", "-l", text);
    this.keys("Enter");
  }

  /** Presses keys by tmux's names for them. */
  keys(...keys: string[]) {
    this.tmux("send-keys", ...keys);
  }

  resize(columns: number, rows: number) {
    this.tmux("resize-window", "-x", `${columns}`, "-y", `${rows}`);
  }

  screen() {
    return this.tmux("capture-pane", "-p");
  }

  /** The printed lines; those that the terminal had to wrap are whole again. */
  unwrapped() {
    return this.tmux("capture-pane", "-p", "-J", "-S", "-").split("\n");
  }

  /** Whether the alternate screen is on, and whether the cursor is shown. */
  state() {
    const [alternate, cursor] = this.tmux("display", "-p", "#{alternate_on} #{cursor_flag}")
      .trim()
      .split(" ");
    return { isAlternate: alternate === "1", hasCursor: cursor === "1" };
  }

  close() {
    spawnSync("tmux", ["-L", this.name, "kill-server"]);
  }

  private tmux(...args: string[]) {
    return execFileSync("tmux", ["-L", this.name, ...args], { encoding: "utf8" });
  }
}
