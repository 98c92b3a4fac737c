import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallOptions, type Running, startService } from "../service/running.ts";

let service: Running;
let key: string;

beforeAll(async () => {
  service = await startService();
  key = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
});

afterAll(() => service.stop());

const call = (method: NonNullable<CallOptions["method"]>, path: string, body?: unknown) =>
  service.call(key, `/v2/${path}`, { method, ...(body !== undefined && { body }) });
const save = (name: string, criteria: object) => call("POST", "audiences", { key: name, name, criteria });
const errorsOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [
  status,
  body.code,
  body.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

test("a saved audience keeps the list whose id a text spelled when another list takes that name", async () => {
  const list = (await call("POST", "accountlists", { name: "spelled" })).body.id;
  await save("by-text", { and: [{ list: String(list), op: "in" }] });
  await call("POST", "accountlists", { name: String(list) });
  const { criteria, problems } = (await call("GET", "audiences/by-text")).body;
  expect([criteria, problems]).toEqual([{ and: [{ list: "spelled", op: "in" }] }, undefined]);
});

test("a refusal names what is wrong with the members and with the criteria at once", async () => {
  const criteria = {
    and: [
      { field: "attributes.colour", op: "eq", value: 1 },
      { list: "x", op: "is" },
    ],
  };
  const rules = ["/criteria/and/0/field unknown_field", "/criteria/and/1/op unknown_operator"];
  const created = errorsOf(await call("POST", "audiences", { key: "a b", name: "", criteria }));
  const all = ["/criteria/and/1/list unknown_reference", ...rules, "/key bad_value", "/name out_of_range"];
  expect([created[0], created[1], created[2].toSorted()]).toEqual([422, "VALIDATION_ERROR", all.toSorted()]);
  await save("both", { and: [] });
  const changed = errorsOf(await call("PUT", "audiences/both", { tags: 5, criteria: { or: 1 } }));
  expect(changed).toEqual([422, "VALIDATION_ERROR", ["/tags type_mismatch", "/criteria/or type_mismatch"]]);
  const bare = errorsOf(await call("POST", "audiences", { key: "x", name: "n", criteria: 5 }));
  expect(bare).toEqual([422, "VALIDATION_ERROR", ["/criteria type_mismatch"]]);
});
