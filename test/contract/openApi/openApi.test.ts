import { upsertRejects } from "@headwater/intake/deadLetters/rejects";
import { operations } from "@headwater/intake/operations/registry";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { insertUpload } from "@headwater/jobs/uploads/uploads";
import { createSealer } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ingress, startIngress, type TestAccount } from "../intake/ingress/ingressFixture.ts";
import { createPartnerAccount, SECRETS, withSecrets } from "../intake/ingress/partners/partnerFixture.ts";
import { basic, type Running, startService, storedTime } from "../service/running.ts";
import { seedContacts, seedLists, seedMailTransport, seedSuppression, versionAt } from "../service/seed.ts";
import { type AnyOperation, type Described, describedIn, operationsIn } from "./document.ts";
import {
  deadLetterOf,
  PATH_VALUES,
  seedAlert,
  seedBatchMessage,
  seedOrchestration,
  seedProgram,
  seedTransport,
  seedWebhook,
  uploadOf,
} from "./exampleRows.ts";
import { type Call, sendExamples } from "./sendExamples.ts";

const documentOf = async (url: string) => describedIn(await (await fetch(`${url}/docs/json`)).text());
const withHeader = (name: string, value: string) => (call: Call) => ({
  ...call,
  headers: { ...call.headers, [name]: value },
});

/** Signatures over the body, by their headers; and the key inside the body, where no header says whose a push is. */
function proofsOfPartners({ key }: TestAccount) {
  const signatures = partnerEndpoints.flatMap(({ auth }) => {
    if (auth.kind !== "signature") return [];
    const sign = (call: Call) =>
      withHeader(auth.header, auth.sign(Buffer.from(call.body), SECRETS[0], Date.now()))(call);
    return [[auth.header, sign] as const];
  });
  const withKey = (call: Call) => {
    const body = JSON.parse(call.body, (member, value) => (member === "apiKey" ? key : value));
    return { ...call, body: JSON.stringify(body) };
  };
  return { ...Object.fromEntries(signatures), none: withKey };
}

describe("the OpenAPI document of the intake API", () => {
  let ingress: Ingress;
  let caller: TestAccount;
  let described: Described[];
  beforeAll(async () => {
    ingress = await startIngress();
    caller = await createPartnerAccount(ingress, withSecrets);
    described = await documentOf(ingress.url);
  });
  afterAll(() => ingress.stop());

  test("has an example for each of its operations, and each of them gets the status that is promised", async () => {
    const sent = await sendExamples(described, {
      url: ingress.url,
      proofs: { ...proofsOfPartners(caller), apiKey: withHeader("x-api-key", caller.key) },
      pathValues: { accountId: caller.account.id },
    });
    expect(sent.filter(({ status, promised }) => status !== promised)).toEqual([]);
    expect(sent.length).toBe(described.length);
    const names = sent.map(({ operationId }) => operationId);
    expect(names).toEqual(expect.arrayContaining(operations.flatMap(({ name }) => [name, `${name}Batch`])));
    expect(new Set(names).size).toBe(2 * operations.length + partnerEndpoints.length);
  });

  test("shows examples in which nothing is unknown, and of which every item is taken", async () => {
    const proofs = { apiKey: withHeader("x-api-key", caller.key) };
    const byKey = described.filter(({ proof }) => proof === "apiKey");
    const answers = (await sendExamples(byKey, { url: ingress.url, proofs })).map(({ answer }) => Object(answer));
    expect(answers.length).toBeGreaterThanOrEqual(16);
    for (const { warnings, rejected = 0 } of answers) expect([warnings, rejected]).toEqual([undefined, 0]);
  });
});

describe("the OpenAPI document of the v2 API", () => {
  let service: Running;
  beforeAll(async () => {
    service = await startService({ sealer: createSealer([Buffer.alloc(32, 7)]) });
  });
  afterAll(() => service.stop());

  test("has an example for each operation that takes a body, and each of them gets the status that is promised", async () => {
    const { account } = await service.account();
    await seedLists(service.postgres, account, { vip: [] });
    await seedContacts(service.postgres, account, [
      {
        number: 1_000,
        cid: "65f0c0ffee65f0c0ffee0001",
        identifiers: { customer_id: "17850", email: "ada@example.com" },
      },
      { number: 1_001, cid: "65f0c0ffee65f0c0ffee0003", identifiers: { customer_id: "17851" } },
    ]);
    await seedProgram(service, account);
    await seedOrchestration(service, account);
    await seedTransport(service, account);
    await seedWebhook(service, account);
    await seedAlert(service, account);
    await seedMailTransport(service.postgres, account);
    await seedSuppression(service.postgres, account, PATH_VALUES["deleteSuppression.id"]);
    await seedBatchMessage(service, account);
    await service.postgres.transaction((transaction) => upsertRejects(transaction, [deadLetterOf(account)]));
    await insertUpload(service.postgres, uploadOf(account));
    const key = await service.key(account, { scopes: ["read", "write", "admin", "intake"] });
    const url = await service.listen();
    const described = await documentOf(url);
    const sent = await sendExamples(described, {
      url,
      proofs: { basic: withHeader("authorization", basic(key)) },
      pathValues: PATH_VALUES,
    });
    expect(sent.filter(({ status, promised }) => status !== promised)).toEqual([]);
    expect(sent.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining([
        "countAudience",
        "createApikey",
        "updateAccount",
        "createProducts",
        "updateProduct",
        "createOrder",
        "createContactactivity",
        "updateOrder",
        "createInclude",
        "updateInclude",
        "createAudience",
        "updateAudience",
        "createProgram",
        "createOrchestration",
        "updateOrchestration",
        "createTransport",
        "createTemplate",
        "updateTemplate",
        "sendTemplate",
        "sendTemplatedraft",
        "createSuppression",
        "createBatchmessage",
        "updateBatchmessage",
        "sendTestBatchmessage",
        "updateTransport",
        "updateProgram",
        "createMessageexport",
        "redriveDeadletters",
        "discardDeadletters",
        "splitContact",
      ]),
    );
  });
});

/** Examples whose effect is seen some time later: settings are cached for up to a second, jobs are worked off. */
const LATER = /^(split|merge|redrive|discard)|^updateAccount$/;
/** Operations whose answer changes with every call, describes the installation, or needs a signed link and no key. */
const MOVING = new Set(["getHealth", "getFreshness", "getAccounting", "getFile", "listApikeys"]);

describe("two accounts", () => {
  let service: Running;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  interface Answered {
    readonly status: number;
    readonly text: string;
  }

  /** Calls an operation with the other's ids and, where it takes one, with its example. */
  async function call(
    key: string,
    { operationId, method, path, pathParameters, example }: AnyOperation,
  ): Promise<Answered> {
    const values: Readonly<Record<string, string>> = PATH_VALUES;
    const filled = pathParameters.reduce(
      (rest, name) =>
        rest.replace(`{${name}}`, encodeURIComponent(values[`${operationId}.${name}`] ?? values[name] ?? "1")),
      path,
    );
    const body = example === undefined ? {} : { body: example };
    const { status, text } = await service.call(key, filled, { method: verb(method), ...body });
    return { status, text: text.replaceAll(/"(requestId|asOf|lastUsedAt)":"[^"]*"/g, '"$1":""') };
  }

  const verbs = ["POST", "PUT", "DELETE"] as const;
  const verb = (method: string) => verbs.find((one) => one === method) ?? "GET";

  test("never see or change each other's rows, ids or counts, on any route", async () => {
    const scopes = { scopes: ["read", "write", "admin", "intake"] };
    const { account } = await service.account();
    const own = await service.key(account, scopes);
    const { account: other } = await service.account();
    const theirs = await service.key(other, scopes);
    await seedLists(service.postgres, account, { vip: [1_000] });
    const cid = "65f0c0ffee65f0c0ffee0001";
    const identifiers = { customer_id: "17850", email: "ada@example.com" };
    await seedContacts(service.postgres, account, [{ number: 1_000, cid, identifiers }]);
    await seedProgram(service, account);
    await seedOrchestration(service, account);
    await seedTransport(service, account);
    await seedWebhook(service, account);
    await seedAlert(service, account);
    await seedMailTransport(service.postgres, account);
    await seedSuppression(service.postgres, account, PATH_VALUES["deleteSuppression.id"]);
    await seedBatchMessage(service, account);
    await service.postgres.transaction((transaction) => upsertRejects(transaction, [deadLetterOf(account)]));
    await insertUpload(service.postgres, uploadOf(account));
    const row = { contact: 1_000, cid, version: versionAt(0), revision: 1, merged_into: 0, deleted: 0 };
    await service.insert("contacts_current", account, [
      { ...row, created_at: storedTime(0), modified_at: storedTime(0) },
    ]);
    const url = await service.listen();
    const text = await (await fetch(`${url}/docs/json`)).text();
    const operations = operationsIn(text);
    const described = describedIn(text).filter(({ operationId }) => !LATER.test(operationId));
    await sendExamples(described, {
      url,
      proofs: { basic: withHeader("authorization", basic(own)) },
      pathValues: PATH_VALUES,
    });
    const reads = operations.filter(({ method, operationId }) => method === "GET" && !MOVING.has(operationId));
    const see = async (key: string) => {
      const seen: [string, Answered][] = [];
      for (const one of reads) seen.push([one.operationId, await call(key, one)]);
      return new Map(seen);
    };
    const before = await see(own);
    expect([...before.values()].filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(15);

    const marks = [
      cid,
      "ada@example",
      "grace@example",
      "17850",
      "85123A",
      "footer-2026",
      '"vip"',
      "car-1",
      "secret sale",
      "secret gateway",
      "secret journey",
      "welcome-2026",
    ];
    for (const [operationId, answer] of await see(theirs)) {
      expect([operationId, marks.filter((mark) => answer.text.includes(mark))]).toEqual([operationId, []]);
      expect([operationId, answer.status]).toEqual([
        operationId,
        expect.toSatisfy((status) => [200, 400, 404].includes(status)),
      ]);
    }
    const changes = operations.filter(({ method, pathParameters }) => method !== "GET" && pathParameters.length > 0);
    for (const one of changes.filter(({ method }) => method !== "POST")) {
      expect([one.operationId, (await call(theirs, one)).status]).toEqual([one.operationId, 404]);
    }
    for (const one of operations.filter(({ method }) => method === "POST")) {
      const { status } = await call(theirs, one);
      expect([one.operationId, status]).toEqual([one.operationId, expect.toSatisfy((found) => found < 500)]);
    }
    const everybody = { method: "POST", body: { and: [] } } as const;
    expect((await service.call(theirs, "/v2/audiencecount", everybody)).body.count).toBe(0);
    expect((await service.call(own, "/v2/audiencecount", everybody)).body.count).toBe(1);
    expect(await see(own)).toEqual(before);
  });
});

describe("a document that lacks something", () => {
  const complete: Described = {
    operationId: "one",
    method: "POST",
    path: "/api/one/{accountId}",
    proof: "apiKey",
    pathParameters: ["accountId"],
    example: {},
    status: 202,
  };
  const sender = { url: "http://127.0.0.1:1", proofs: { apiKey: (call: Call) => call } };

  test("fails before anything is sent: an example, a proof or a value of the path", async () => {
    const lacking = [
      [{ ...complete, example: undefined }, "no example"],
      [{ ...complete, proof: "Sync-Hash" }, "Sync-Hash"],
      [complete, "accountId"],
    ] as const;
    for (const [one, row] of lacking) await expect(sendExamples([one], sender)).rejects.toThrow(row);
  });
});
