import { accountSettings } from "@headwater/contracts";
import { everyMember, parseExact } from "@headwater/http";
import type { PartnerEndpoint } from "@headwater/intake/partners/endpoint";
import { withoutAbsent } from "@headwater/intake/partners/reading";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { z } from "zod";
import { addAccount, type Ingress, startIngress, type TestAccount } from "../intake/ingress/ingressFixture.ts";
import { SECRETS, withSecrets } from "../intake/ingress/partners/partnerFixture.ts";
import { type App, asItIs, byHeader, documentOf, type World } from "./app.ts";
import type { Operation } from "./description.ts";
import type { Proofs } from "./send.ts";

const settings = accountSettings.parse({ partners: withSecrets, limits: { intakePerSecond: 100_000 } });
const WRONG_KEY = "hw_wrong";
const WRONG_SECRET = "a secret of nobody";

/** The ingress: operations of intake, their batches, and the endpoints of partners. */
export async function startIngressApp(): Promise<App> {
  const ingress = await startIngress();
  const other = await addAccount(ingress.database, { settings });
  return {
    url: ingress.url,
    ...(await documentOf(ingress.url)),
    world: (operation) => createWorld(operation, ingress, other),
    stop: () => ingress.stop(),
  };
}

interface Keys {
  readonly owner: TestAccount;
  readonly other: TestAccount;
  readonly scopeless: TestAccount;
}

async function createWorld(operation: Operation, ingress: Ingress, other: TestAccount): Promise<World> {
  const owner = await addAccount(ingress.database, { settings });
  const scopeless = await addAccount(ingress.database, { settings, scopes: ["none"] });
  const keys = { owner, other, scopeless };
  const endpoint = partnerEndpoints.find(({ path }) => path === operation.path);
  return endpoint === undefined ? worldOfIntake(operation, keys) : worldOfPartner(endpoint, keys);
}

const ITEMS = "/batch";

function worldOfIntake({ path, method }: Operation, keys: Keys): World {
  const unknownQuery = 400;
  return {
    plan: { path: {}, query: {}, statuses: { brokenJson: 422, wrongType: 415, unknownQuery } },
    proofs: proofsByKey(keys),
    ...(method === "POST" && path.endsWith(ITEMS) && { taken: takenItems }),
  };
}

const batch = z.union([
  z.array(z.unknown()),
  z.object({ items: z.array(z.unknown()) }).transform(({ items }) => items),
]);
const answered = z.object({ items: z.array(z.object({ index: z.number() })) });

/** Each item is validated alone; without `verbose` the answer lists those that were refused. */
function takenItems(body: string, answer: string): readonly unknown[] {
  const refused = new Set(answered.parse(JSON.parse(answer)).items.map(({ index }) => index));
  return batch
    .parse(JSON.parse(body))
    .filter((_, index) => !refused.has(index))
    .map((item) => ({ items: [item] }));
}

function worldOfPartner(endpoint: PartnerEndpoint, keys: Keys): World {
  const { statuses } = endpoint;
  return {
    plan: {
      path: { accountId: keys.owner.account.id },
      query: {},
      isProved: endpoint.auth.kind !== "none",
      statuses: {
        brokenJson: statuses.badJson,
        wrongType: statuses.wrongType === "NOT_ACCEPTABLE" ? 406 : 415,
        unknownQuery: undefined,
      },
    },
    proofs: proofsOf(endpoint, keys),
    taken: (body) => [withoutAbsent(parseExact(body, everyMember))],
  };
}

function proofsOf({ auth }: PartnerEndpoint, keys: Keys): Proofs {
  switch (auth.kind) {
    case "apiKey":
      return proofsByKey(keys);
    case "signature": {
      const signed =
        (secret: string): Proofs["owner"] =>
        (request) =>
          byHeader(auth.header, auth.sign(Buffer.from(request.body ?? ""), secret, Date.now()))(request);
      const wrong = signed(WRONG_SECRET);
      return { owner: signed(SECRETS[0]), other: wrong, scopeless: wrong, wrong, nobody: asItIs };
    }
    case "bodyKey":
      return {
        owner: withKeyInside(keys.owner.key),
        other: withKeyInside(keys.other.key),
        scopeless: withKeyInside(keys.scopeless.key),
        wrong: withKeyInside(WRONG_KEY),
        nobody: withKeyInside(undefined),
      };
    case "none":
      return { owner: asItIs, other: asItIs, scopeless: asItIs, wrong: asItIs, nobody: asItIs };
  }
}

function proofsByKey({ owner, other, scopeless }: Keys): Proofs {
  return {
    owner: byHeader("x-api-key", owner.key),
    other: byHeader("x-api-key", other.key),
    scopeless: byHeader("x-api-key", scopeless.key),
    wrong: byHeader("x-api-key", WRONG_KEY),
    nobody: asItIs,
  };
}

/** The key where a body has one; a body that is no JSON stays as it is. */
function withKeyInside(key: string | undefined): Proofs["owner"] {
  return (request) => {
    if (request.body === undefined || !isJson(request.body)) return request;
    const value = JSON.parse(request.body, (member, inner) => (member === "apiKey" ? key : inner));
    return { ...request, body: JSON.stringify(value) };
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
