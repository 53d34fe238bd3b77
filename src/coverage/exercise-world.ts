import type { SimulatorStatus } from "../contract/control/status.ts";
import { asksProvider, changesToUsual, type ExercisedConfig } from "./exercises/usual-platform.ts";

/** A call of an exercise that must go well. */
type Ask = (method: string, path: string, body?: object) => Promise<{ body: unknown }>;

type Config = ExercisedConfig & Record<string, unknown>;

/** The world that an exercise runs in: what it needs there, and what it gives back in the end. */
export class ExerciseWorld {
  private readonly ask: Ask;
  private readonly change: Ask;
  /** The world's configuration before the first change. */
  private before: Config | undefined;
  private readonly changed = new Set<string>();
  private isOperatorsChanged = false;
  private rateLimit: string | undefined;

  /** @param change like `ask`, for calls that are told of */
  constructor(ask: Ask, change: Ask) {
    this.ask = ask;
    this.change = change;
  }

  /**
   * Changes what exercises cannot work with (spec/coverage.md#settings).
   * @returns the settings of the world
   */
  async prepare(): Promise<SimulatorStatus["settings"]> {
    const { settings } = (await this.ask("GET", "/_sim/status")).body as SimulatorStatus;
    if (settings.rateLimit !== "none") {
      await this.change("PUT", "/_sim/rate-limit", { limit: "none" });
      this.rateLimit = settings.rateLimit;
    }
    const { platform, operator } = changesToUsual(await this.config());
    if (operator) {
      await this.change("PATCH", "/_sim/config", operator);
      this.isOperatorsChanged = true;
    }
    if (platform) {
      this.note(platform);
      await this.change("PATCH", "/config", platform);
    }
    return settings;
  }

  /** Takes note of members of the configuration that an exercise changes. */
  note(changes: object) {
    for (const name of Object.keys(changes)) this.changed.add(name);
  }

  /** Gives the world back what was changed. */
  async giveBack() {
    const { before, changed } = this;
    const body = Object.fromEntries([...changed].map((name) => [name, before?.[name] ?? null]));
    if (changed.size > 0) await this.change("PATCH", "/config", body);
    if (before && this.isOperatorsChanged) await this.giveBackOperators(before);
    const { rateLimit: limit } = this;
    if (limit !== undefined) await this.change("PUT", "/_sim/rate-limit", { limit });
  }

  private giveBackOperators({ supportedCurrencies, isRegulatedFinancialInstitution }: Config) {
    return this.change("PATCH", "/_sim/config", {
      supportedCurrencies: supportedCurrencies
        .filter(asksProvider)
        .map(({ currencyCode, providerRequiredCustomerFields }) => ({
          currencyCode,
          providerRequiredCustomerFields,
        })),
      isRegulatedFinancialInstitution,
    });
  }

  private async config(): Promise<Config> {
    this.before ??= (await this.ask("GET", "/config")).body as Config;
    return this.before;
  }
}
