import { seedFrom } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "./app.ts";
import { readDocument } from "./description.ts";
import { drive } from "./drive.ts";
import { startIngressApp } from "./ingressApp.ts";
import { startServiceApp } from "./serviceApp.ts";
import { createJudge } from "./verdict.ts";

/** Generated and changed bodies of each operation; the same seed sends the same requests. */
const RUNS = Number(process.env.CONFORMANCE_RUNS || 2);
const SEED = seedFrom(process.env.CONFORMANCE_SEED);
const TIMEOUT_MS = 120_000 + RUNS * 20_000;
/** Reported of one operation: one mistake is found by many requests. */
const FOUND_MAX = 10;

interface Subject {
  readonly start: () => Promise<App>;
  readonly operationsMin: number;
  /** One that finds something by its path or key, and the status of it that the planted document lacks. */
  readonly unsaid: { readonly operationId: string; readonly status: number; readonly asked: string };
  /** One whose success the planted document describes otherwise. */
  readonly missaid: { readonly operationId: string; readonly status: number };
}

const subjects: readonly (readonly [name: string, subject: Subject])[] = [
  [
    "the service of v2",
    {
      start: startServiceApp,
      operationsMin: 70,
      unsaid: { operationId: "getOrder", status: 404, asked: "id unknown-zz" },
      missaid: { operationId: "listOrders", status: 200 },
    },
  ],
  [
    "the ingress",
    {
      start: startIngressApp,
      operationsMin: 33,
      unsaid: { operationId: "listsyncListMembership", status: 401, asked: "no key" },
      missaid: { operationId: "checkAuth", status: 200 },
    },
  ],
];

describe.each(subjects)("%s", (_name, { start, operationsMin, unsaid, missaid }) => {
  let app: App;
  beforeAll(async () => {
    app = await start();
  });
  afterAll(() => app.stop());

  test("shows examples that its own schemas take", () => {
    expect(app.operations.length).toBeGreaterThanOrEqual(operationsMin);
    expect(createJudge(app.whole).wrongExamples(app.operations)).toEqual([]);
  });

  test(`answers every request as its document says (CONFORMANCE_SEED=${SEED})`, { timeout: TIMEOUT_MS }, async () => {
    const validate = createJudge(app.whole);
    const found: string[] = [];
    for (const [number, operation] of app.operations.entries()) {
      found.push(...(await drive(operation, app, validate, { number, seed: SEED, runs: RUNS })).slice(0, FOUND_MAX));
    }
    expect(found).toEqual([]);
  });

  test("is caught when it gives a status or a body that is not documented", async () => {
    const lying = plant(app, { unsaid, missaid });
    const check = createJudge(lying.whole);
    const found = [];
    for (const [at, one] of lying.operations.entries()) {
      if (one.operationId !== unsaid.operationId && one.operationId !== missaid.operationId) continue;
      const number = app.operations.length + at;
      found.push(...(await drive(one, app, check, { number, seed: SEED, runs: 0 })));
    }
    const { operationId, status, asked } = unsaid;
    expect(found).toContainEqual(expect.stringContaining(`${operationId}, ${asked}: ${status} is not documented`));
    expect(found).toContainEqual(
      expect.stringMatching(`^${missaid.operationId}, the example: ${missaid.status} has another body.*planted`),
    );
  });
});

/** The app's document without an answer that it gives, and with another body of one. */
function plant({ whole, operations }: App, { unsaid, missaid }: Pick<Subject, "unsaid" | "missaid">) {
  const planted = structuredClone(whole);
  const answersOf = (operationId: string) => {
    const found = operations.find((one) => one.operationId === operationId);
    if (found === undefined) throw new Error(`no operation ${operationId}`);
    return Object(planted.paths)[found.path][found.method.toLowerCase()].responses;
  };
  expect(answersOf(missaid.operationId)).toHaveProperty([String(missaid.status)]);
  const media = { "application/json": { schema: { type: "object", required: ["planted"] } } };
  Object.assign(answersOf(missaid.operationId)[missaid.status], { content: media });
  delete answersOf(unsaid.operationId)[unsaid.status];
  return readDocument(JSON.stringify(planted));
}
