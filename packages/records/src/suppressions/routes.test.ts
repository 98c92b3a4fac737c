import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["suppressions"]);

test("an address is suppressed, listed, and freed", async () => {
  const created = await send("createSuppression");
  expect(created.status).toBe(201);
  expect(await send("listSuppressions")).toMatchObject({
    status: 200,
    body: { data: [{ address: "grace@example.com" }] },
  });
  const params = { id: String(created.body.id) };
  expect((await send("deleteSuppression", { params })).status).toBe(200);
  expect((await send("deleteSuppression", { params })).status).toBe(404);
});

test("members that are null are as if they were not there", async () => {
  const body = { channel: "email", address: null, domain: "example.net", reason: null, note: null };
  const { status, body: written } = await send("createSuppression", { body });
  const { body: listed } = await send("listSuppressions", { query: "?reason=manual" });
  const view = listed.data.find(({ id }: { id: string }) => id === written.id);
  expect([status, view]).toMatchObject([201, { channel: "email", domain: "example.net", reason: "manual" }]);
});

test("a channel that every account has is meant in any case", async () => {
  const { body: written } = await send("createSuppression", {
    body: { channel: "Email", address: "case@example.com" },
  });
  const { body: listed } = await send("listSuppressions", { query: "?channel=EMAIL&address=case@example.com" });
  expect(listed.data).toMatchObject([{ id: written.id, channel: "email" }]);
});

test("a domain is taken in Unicode and shown in ASCII", async () => {
  const { status, body: written } = await send("createSuppression", {
    body: { channel: "email", domain: " MÜNCHEN.example" },
  });
  const { body: listed } = await send("listSuppressions");
  const displayed = listed.data.find(({ id }: { id: string }) => id === written.id);
  expect([status, displayed]).toMatchObject([201, { domain: "xn--mnchen-3ya.example" }]);
  expect((await send("createSuppression", { body: { channel: "email", domain: "mün chen.example" } })).status).toBe(
    422,
  );
});

test("an address is found by either spelling of its domain", async () => {
  const address = "z@xn--grn-ioa.example";
  expect((await send("createSuppression", { body: { channel: "email", address } })).status).toBe(201);
  const { body } = await send("listSuppressions", { query: `?address=${encodeURIComponent("z@GRÜN.example")}` });
  expect(body.data).toMatchObject([{ address }]);
});

test("what is no address is refused with 422", async () => {
  expect((await send("createSuppression", { body: { channel: "email", address: "nobody" } })).status).toBe(422);
  expect((await send("createSuppression", { body: { channel: "sms", address: "n/a" } })).status).toBe(422);
});

test("an address is found without its channel, whichever form it was written in", async () => {
  const push = `Token-${Date.now()}`;
  for (const [channel, address] of [
    ["sms", "+49 151 2345 6789"],
    ["email", "Linus@Example.com"],
    ["push", push],
  ]) {
    expect((await send("createSuppression", { body: { channel, address } })).status).toBe(201);
  }
  const found = async (address: string, more = "") => {
    const { body } = await send("listSuppressions", { query: `?address=${encodeURIComponent(address)}${more}` });
    return body.data.map((one: { channel: string }) => one.channel);
  };
  expect(await found("+4915123456789")).toEqual(["sms"]);
  expect(await found(" linus@example.COM")).toEqual(["email"]);
  expect(await found(push)).toEqual(["push"]);
  expect(await found(push, "&channel=sms")).toEqual([]);
  expect(await found("nobody")).toEqual([]);
  expect(await found("nobody", "&channel=email")).toEqual([]);
});
