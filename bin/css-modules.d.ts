/** Names of the classes of a module, as the build writes them. */
declare module "*.module.css" {
  const css: Readonly<Record<string, string>>;
  export default css;
}
declare module "*.css";
