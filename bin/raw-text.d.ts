/** The text of a file, included in the bundle. */
declare module "*?raw" {
  const text: string;
  export default text;
}
