import css from "./search.module.css";

/** A field for words to look for; `/` leads to it. */
export const Search = ({
  label,
  value,
  placeholder,
  onChange,
}: {
  label: string;
  value: string;
  placeholder: string;
  onChange(value: string): void;
}) => (
  <label className={css.search}>
    <span className="vh">{label}</span>
    <input
      type="search"
      value={value}
      placeholder={placeholder}
      onChange={({ target }) => onChange(target.value)}
    />
    <kbd>/</kbd>
  </label>
);
