import { expect, test } from "vitest";
import { PLAIN_V6, writtenAddresses } from "./setup/addresses.ts";
import { ACCESSES, wrongAccesses } from "./setup/control-access.ts";
import { SPELLED, wrongSpellings } from "./setup/control-spellings.ts";
import { leakedSecrets, unescaped } from "./setup/leaks.ts";
import { leavingNames, NAMED } from "./setup/names.ts";
import { OPERATION_ACCESSES, wrongOperations } from "./setup/operation-access.ts";
import { type Planted, plantedIn, productWith } from "./setup/planted-bugs.ts";
import type { Product } from "./setup/product.ts";
import { shareOf } from "./setup/share.ts";
import {
  followedRedirects,
  REBINDING_NAMES,
  takenEndpoints,
  wronglyConnected,
  wronglyJudged,
} from "./setup/target-calls.ts";

/** A planted bug, and the part of the campaign that has to find it. */
interface Bug extends Planted {
  says: string;
  finds(product: Product): Promise<string[]> | string[];
}

const WRITTEN = [...writtenAddresses(7, 0), ...PLAIN_V6];

/** Accesses to one operation by every caller: the share of a usual run has them in a few runs. */
const accessesTo = (operationId: string) => (product: Product) =>
  wrongAccesses(
    product,
    ACCESSES.filter((access) => access.operationId === operationId),
  );

const claimsOf = (operationId: string) => (product: Product) =>
  wrongOperations(
    product,
    OPERATION_ACCESSES.filter((access) => access.operationId === operationId),
  );

const BUGS: readonly Bug[] = [
  {
    says: "a route without a guard",
    file: "src/control/control-surface.ts",
    from: '  "oidcKeys",\n',
    to: '  "oidcKeys",\n  "requests",\n',
    finds: accessesTo("requests"),
  },
  {
    says: "an origin that is compared without its port",
    file: "src/control/core/host-guard.ts",
    from: "origin !== `http://${host}`",
    to: "hostnameOf(new URL(origin === 'null' ? 'x:' : origin).host) !== hostnameOf(host)",
    finds: accessesTo("status"),
  },
  {
    says: "a host that is compared by its end",
    file: "src/contract/core/loopback.ts",
    from: "/^localhost",
    to: "/localhost",
    finds: accessesTo("status"),
  },
  {
    says: "a host that is compared with its case",
    file: "src/control/core/host-guard.ts",
    from: "hostnameOf(host).toLowerCase()",
    to: "hostnameOf(host)",
    finds: accessesTo("status"),
  },
  {
    says: "fetch metadata that counts for writes alone",
    file: "src/control/core/host-guard.ts",
    from: "site === null || OWN_SITES",
    to: 'site === null || request.method === "GET" || OWN_SITES',
    finds: accessesTo("status"),
  },
  {
    says: "a token that is compared by its length",
    file: "src/control/core/host-guard.ts",
    from: "sentHeader.length !== wanted.length || !timingSafeEqual(sentHeader, wanted)",
    to: "sentHeader.length !== wanted.length || !timingSafeEqual(sentHeader, sentHeader)",
    finds: accessesTo("status"),
  },
  {
    says: "a name of a world that an open route takes from anyone",
    file: "src/control/control-surface.ts",
    from: "(endpoint.isWorldless || !namesWorld(worldRequest))",
    to: "true",
    finds: accessesTo("webhookKey"),
  },
  {
    says: "a guard that looks at the target as it was written",
    file: "src/control/control-surface.ts",
    from: "if (!isForAll(worldRequest, endpoint) && !isHop(worldRequest.request))",
    to: 'if (!isForAll(worldRequest, endpoint) && !/2025-10-13|live/.test((worldRequest.request as unknown as { target?: string }).target ?? ""))',
    finds: (product) =>
      wrongSpellings(
        product,
        SPELLED.filter(({ path }) => path.endsWith("status")),
      ),
  },
  {
    says: "a permission that any token has",
    file: "src/api/platform-surface.ts",
    from: "requirePermission(token, endpoint.permission);",
    to: 'if (endpoint.operationId !== "createToken") requirePermission(token, endpoint.permission);',
    finds: claimsOf("createToken"),
  },
  {
    says: "a secret that is compared in part",
    file: "src/api/basic-credentials.ts",
    from: "return token && isWhole && isSame ? token : undefined;",
    to: "return token && (isSame || secret.length > 20) ? token : undefined;",
    finds: claimsOf("getConfig"),
  },
  {
    says: "a token of production that agents' operations take",
    file: "src/api/located-world.ts",
    from: 'if (endpoint.agentAccess || endpoint.permission === "none")',
    to: 'if (!endpoint.agentAccess && endpoint.permission === "none")',
    finds: claimsOf("agentGetMe"),
  },
  {
    says: "a look-up that is judged, and another one that is connected",
    file: "src/webhooks/targets.ts",
    from: "if (options.all)\n        return done(\n          null,\n          fit.map(({ address, family }) => ({ address, family })),\n        );",
    to: "return resolve(host, asked, (_error, late) => done(null, late));",
    finds: (product) => wronglyConnected(product, REBINDING_NAMES),
  },
  {
    says: "an address behind another that nobody judges",
    file: "src/webhooks/targets.ts",
    from: "const fit = judged.filter(({ why }) => why === undefined);",
    to: "const fit = judged;",
    finds: (product) => wronglyConnected(product, REBINDING_NAMES),
  },
  {
    says: "a mapped address that is judged as no IPv4",
    file: "src/contract/core/network-reach.ts",
    from: '{ range: "::ffff:0:0/96", before: 96 },',
    to: "",
    finds: (product) => wronglyJudged(product, WRITTEN),
  },
  {
    says: "a decimal address that is taken for a name",
    file: "src/contract/core/network-reach.ts",
    from: "reachOf(hostOfUrl(url)) === ",
    to: "reachOf(/\\/\\/(.*)\\/hook/.exec(url)?.[1]?.replace(/^\\d+$/, 'x') ?? '') === ",
    finds: (product) => takenEndpoints(product, WRITTEN),
  },
  {
    says: "a redirect that is followed",
    file: "src/webhooks/attempt.ts",
    from: 'const { status: httpStatus, problem = "" } = answer;',
    to: 'const [, to] = /location: (http:..127.0.0.1\\S*)/.exec(answer["bytes"].toString()) ?? []; if (to) return void attemptDelivery({ ...this.attempt, url: to }).then((found) => this.end(found)); const { status: httpStatus, problem = "" } = answer;',
    finds: followedRedirects,
  },
  {
    says: "a name that leaves its folder",
    file: "src/contract/control/name-form.ts",
    from: "/^[a-z0-9][a-z0-9._-]{0,63}$/",
    to: "/^[^]+$/",
    finds: (product) =>
      leavingNames(
        product,
        NAMED.filter(({ use }) => use.says === "a new snapshot"),
      ),
  },
  {
    says: "a fixture by its name that is read as a path",
    file: "src/control/seed/seed.ts",
    from: "(await openBundled(name)).fixture",
    to: '(await (await import("./fixture-files.ts")).openFixture(name)).fixture',
    finds: (product) =>
      leavingNames(
        product,
        NAMED.filter(({ use }) => use.says.includes("fixture")),
      ),
  },
  {
    says: "a secret in a line of the log, from a path",
    file: "src/http/log/redaction.ts",
    from: "secrets.push(segment, text);\n    return REDACTED;",
    to: "return segment;",
    finds: leakedSecrets,
  },
  {
    says: "a secret in a line of the log, from a body",
    file: "src/http/log/redaction.ts",
    from: "this.out.push(SECRET_VALUE.test(token) ? STAND_IN : (address?.text ?? token));",
    to: "this.out.push(token);",
    finds: leakedSecrets,
  },
  {
    says: "an escape of a terminal that comes through",
    file: "src/text/safe-text.ts",
    from: "[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028",
    to: "[\\0-\\x1a\\p{Default_Ignorable_Code_Point}\\u2028",
    finds: unescaped,
  },
  {
    says: "a mark of direction that comes through",
    file: "src/text/safe-text.ts",
    from: "[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028",
    to: "[\\p{Cc}\\u200b\\u2028",
    finds: unescaped,
  },
];

test("each bug has its place in the code of now", () => {
  for (const bug of BUGS) expect(plantedIn(bug)).toContain(bug.to);
});

test("a bundle without a bug has no findings", async () => {
  const none = {
    file: "src/contract/core/loopback.ts",
    from: "isLoopbackName",
    to: "isLoopbackName",
  };
  const product = await productWith([none], "none");
  for (const { finds } of BUGS) expect(await finds(product)).toEqual([]);
});

test.each(shareOf(BUGS, 6))("$says is found", async ({ says, finds, ...planted }) => {
  const product = await productWith([planted], says.replaceAll(/\W+/g, "-"));
  expect(await finds(product)).not.toEqual([]);
});
