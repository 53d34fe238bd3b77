import css from "./segments.module.css";
/** A choice of one among few, all in sight. */
export const Segments = <Value,>({
  label,
  of,
  isChosen,
  onChoose,
}: {
  /** Name of the choice, for screen readers. */
  label: string;
  of: readonly (readonly [value: Value, says: string])[];
  isChosen(value: Value): boolean;
  onChoose(value: Value): void;
}) => (
  <fieldset className={css.segments}>
    <legend className="vh">{label}</legend>
    {of.map(([value, says], place) => (
      <button
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places, and may say the same
        key={place}
        type="button"
        aria-pressed={isChosen(value)}
        onClick={() => onChoose(value)}
      >
        {says}
      </button>
    ))}
  </fieldset>
);
