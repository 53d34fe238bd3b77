import type { SimulatorOptions } from "../../simulator.ts";
import {
  type InstanceFile,
  instanceDirectory,
  needsNoFolder,
  writeInstance,
} from "../frame/instance-file.ts";
import { startFailure } from "../frame/simulator-options.ts";
import type { Terminal } from "../text/terminal.ts";

/** The end of leaving the file by which commands find a simulator. */
export interface InstanceFileEnd {
  /** Pid of the simulator that they find instead. */
  other?: number | undefined;
  /** Reason why there is no file. */
  unwritten?: string;
}

/** Notes about a simulator that commands cannot find. */
export const hiddenNotes = ({ url }: InstanceFile, unwritten: string | undefined) =>
  unwritten === undefined
    ? []
    : [
        `commands cannot find this simulator: this folder is not writable (${unwritten}); ` +
          `add --url ${url}`,
      ];

/** The instance file of a simulator, which is written again when its folder or its key is new. */
export class LeftInstance {
  readonly directory: string;
  private readonly storage: SimulatorOptions["storage"];
  private readonly terminal: Terminal;
  private instance: InstanceFile | undefined;

  constructor(storage: SimulatorOptions["storage"], terminal: Terminal) {
    this.storage = storage;
    this.directory = instanceDirectory(storage);
    this.terminal = terminal;
  }

  readonly callbacks = {
    onWebhookKey: (webhookPublicKey: string) => {
      if (this.instance) this.instance = { ...this.instance, webhookPublicKey };
      this.writeAgain();
    },
    onStateMadeAgain: () => this.writeAgain(),
  };

  /**
   * Writes the file. A simulator in memory goes without one where it cannot be written.
   * @throws CommandError for one that has a state directory
   */
  async leave(instance: InstanceFile): Promise<InstanceFileEnd> {
    try {
      const other = writeInstance(this.directory, instance);
      this.instance = instance;
      return { other };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (needsNoFolder(this.storage, error)) return { unwritten: code ?? message };
      throw startFailure(error);
    }
  }

  /** The simulator continues, so a file that is not written again fails nothing. */
  private writeAgain() {
    try {
      if (this.instance) writeInstance(this.directory, this.instance);
    } catch (error) {
      const { message } = error as Error;
      this.terminal.activity(`error  instance.json was not written again: ${message}`);
    }
  }
}
