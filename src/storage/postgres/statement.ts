/** A statement with the values of its parameters. */
export interface Text {
  text: string;
  values: readonly unknown[];
}

/** A text without parameters. */
export const plain = (text: string, ...values: unknown[]): Text => ({ text, values });

/**
 * One statement of several steps, which all see the database as it was before: a row is touched by
 * one step alone.
 */
export class Statement {
  readonly #values: unknown[] = [];
  readonly #steps: string[] = [];

  /** Adds a value. @returns the text that stands for it */
  value(value: unknown, type: string): string {
    this.#values.push(value);
    return `$${this.#values.length}::${type}`;
  }

  /** Adds lists of the same length as columns. @returns the text that stands for their rows */
  rows(columns: readonly (readonly [values: readonly unknown[], type: string])[]): string {
    return `unnest(${columns.map(([values, type]) => this.value(values, `${type}[]`)).join(", ")})`;
  }

  step(name: string, text: string): void {
    this.#steps.push(`${name} as (${text})`);
  }

  /** The whole, with what it answers. */
  asking(answer: string): Text {
    return { text: `with ${this.#steps.join(",\n")}\n${answer}`, values: this.#values };
  }
}
