import { defined } from "../contract/core/defined.ts";
import type { Revision } from "../contract/core/revision-names.ts";
import type { Fixture, FixtureStep } from "../contract/platform/fixtures.ts";
import { isRequest } from "./fixture-check.ts";
import { mapTexts } from "./references.ts";
import type { ScriptPath } from "./script-problem.ts";
import type { ScriptStep } from "./script-run.ts";
import { runsIn } from "./step-revisions.ts";

/** A step of a fixture in the form of a script, and where the fixture says it. */
export interface PlacedStep {
  step: ScriptStep;
  /** The step itself; of a member that stands for a call, that member. */
  path: ScriptPath;
  /** The place that is blamed for an answer. */
  blamed: ScriptPath;
  /** Finds the place of a member of the call's body. */
  member(path: ScriptPath): ScriptPath;
}

const hasProviderFields = (currency: object) =>
  Object.keys(currency).some((name) => name.startsWith("providerRequired"));

/** A body in which nothing is a reference. */
const asItStands = (body: object) =>
  mapTexts(body, [], ({ text }) => text.replaceAll("${", () => "$${")) as Record<string, unknown>;

/** Makes the call that a member of a fixture stands for. */
const standsFor =
  (path: ScriptPath, member = (inBody: ScriptPath): ScriptPath => [...path, ...inBody]) =>
  (line: string, body: object): PlacedStep => {
    const [method, called = ""] = line.split(" ");
    const request = { method: method as "PUT", path: called, body: asItStands(body) };
    return { step: { request }, path, blamed: path, member };
  };

/** Configuration, rates, limits and troubles, which every step finds as they are said to be. */
const stated = ({ config, rates, limits, approvals, troubles = [] }: Fixture): PlacedStep[] => {
  const { supportedCurrencies = [], isRegulatedFinancialInstitution } = config ?? {};
  const { endUserTerms } = config ?? {};
  // The platform's own operation passes over what only the provider sets.
  const provided = {
    ...(supportedCurrencies.some(hasProviderFields) && { supportedCurrencies }),
    ...defined({ isRegulatedFinancialInstitution, endUserTerms }),
  };
  const configured = standsFor(["config"]);
  const inRates = ([_perUsd, ...path]: ScriptPath) => ["rates", ...path];
  return [
    ...(config ? [configured("PATCH /config", config)] : []),
    ...(Object.keys(provided).length > 0 ? [configured("PATCH /_sim/config", provided)] : []),
    ...(approvals
      ? [standsFor(["approvals"], () => ["approvals"])("PUT /_sim/approvals", { mode: approvals })]
      : []),
    ...(rates ? [standsFor(["rates"], inRates)("PUT /_sim/rates", { perUsd: rates })] : []),
    ...(limits ? [standsFor(["limits"])("PATCH /_sim/limits", limits)] : []),
    ...troubles.map((body, at) =>
      standsFor(["troubles", at])("POST /_sim/webhooks/troubles", body),
    ),
  ];
};

/**
 * A fixture as a script: calls for what it states about the world, then its steps. A fixture says the
 * status that a call expects inside of it; a script says it beside.
 */
export const scriptOf = (fixture: Fixture, revision: Revision): PlacedStep[] => [
  ...stated(fixture),
  ...fixture.steps.flatMap((step, at) => (runsIn(step, revision) ? [placedStep(step, at)] : [])),
];

const placedStep = (step: FixtureStep, at: number): PlacedStep => {
  const path = ["steps", at];
  const body = [...path, "request", "body"];
  const member = (inBody: ScriptPath) => [...body, ...inBody];
  if (!isRequest(step)) return { step, path, blamed: path, member };
  const { name, request } = step;
  const { expect, ...called } = request;
  return {
    step: {
      ...defined({ name }),
      request: called,
      ...(expect !== undefined && { expect: { status: expect } }),
    },
    path,
    blamed: [...path, "request", "path"],
    member,
  };
};
