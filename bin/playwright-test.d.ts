/** The part of @playwright/test that our fixtures use: it is the package of those who use them. */
declare module "@playwright/test" {
  interface TestInfo {
    file: string;
    title: string;
    titlePath: string[];
    retry: number;
    repeatEachIndex: number;
    status?: string;
    expectedStatus: string;
  }
  type Use<Value> = (value: Value) => Promise<void>;
  type Fixtures<Own, All> = {
    [Name in keyof Own]:
      | ((all: All, use: Use<Own[Name]>, info: TestInfo) => Promise<void>)
      | [Own[Name], { option: true; scope: "worker" }]
      | [(all: All, use: Use<Own[Name]>) => Promise<void>, { scope: "worker" }];
  };
  export interface PlaywrightTestArgs {}
  export interface PlaywrightTestOptions {}
  export interface PlaywrightWorkerArgs {}
  export interface PlaywrightWorkerOptions {}
  export interface TestType<TestArgs, WorkerArgs> {
    extend<Test, Worker>(
      fixtures: Fixtures<Test & Worker, Test & Worker & TestArgs & WorkerArgs>,
    ): TestType<TestArgs & Test, WorkerArgs & Worker>;
  }
  export interface Expect<Matchers = object> {
    extend<Own>(matchers: Own): Expect<Matchers & Own>;
  }
  export const test: TestType<
    PlaywrightTestArgs & PlaywrightTestOptions,
    PlaywrightWorkerArgs & PlaywrightWorkerOptions
  >;
  export const expect: Expect;
}
