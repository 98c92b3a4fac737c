import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService([]);
const nobody = { channels: { email: { address: "nobody" } } };
const order = { purchaseDate: "2026-01-09T08:26:00Z", items: [] };
const params = { primary_key: "email:nobody", key: "cars", id: "car-1" };

test.each([
  ["createContact", { ...nobody, attributes: { phone: "12" } }, ["/channels/email/address", "/attributes/phone"]],
  ["updateContact", { channels: { sms: { address: "call me" } } }, ["/channels/sms/address"]],
  ["createOrder", { ...order, orderID: "1", email: "nobody" }, ["/email"]],
  ["createOrder", { ...order, orderID: "2", phone: 13 }, ["/phone"]],
  ["createOrder", { ...order, orderID: "3", identifiers: { email: "nobody" } }, ["/identifiers/email"]],
  ["createContactactivity", { action: "visit", email: "nobody" }, ["/email"]],
  ["createContactactivity", { action: "visit", identifiers: { phone: "12" } }, ["/identifiers/phone"]],
  ["createSupplementrecord", { id: "car-1", email: "nobody" }, ["/email"]],
  ["updateSupplementrecord", { email: "nobody" }, ["/email"]],
  ["createSuppression", { channel: "sms", address: "12" }, ["/address"]],
  [
    "createContact",
    { channels: { email: { address: "mailto:ada@example.com" }, sms: { address: "tel:+436601234567" } } },
    [],
  ],
])("%s names what is not an address in %j, and stores it", async (operation, body, paths) => {
  await send("createContact", { body: nobody });
  for (const address of ["12", "13"]) await send("createContact", { body: { channels: { sms: { address } } } });
  await send("createSupplement", { body: { key: "cars", name: "Cars", indexes: [], contactObject: true } });
  const answer = await send(operation, { params, body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  const warnings = paths.map((path) => ({ path, code: "not_an_address", message: expect.any(String) }));
  expect(answer.body.warnings ?? []).toEqual(warnings);
});

test("a repeat under the same Idempotency-Key has the warnings of the first answer", async () => {
  const call = { body: nobody, headers: { "idempotency-key": "k" } };
  const answers = [await send("createContact", call), await send("createContact", call)];
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(answers[0]?.body.warnings).toMatchObject([{ code: "not_an_address" }]);
});

test("a send names recipients whose addresses are none, and skips them as invalid-address", async () => {
  await send("createTransport", { body: { name: "Out", channel: "email", type: "log", default: true, settings: {} } });
  const template = { params: { key: "welcome-2026" } };
  await send("createTemplate");
  await send("publishTemplate", template);
  const to = [{ email: "ada@example.com" }, { email: "ada at example.com" }];
  const { body } = await send("sendTemplate", { ...template, body: { to } });
  expect(body).toMatchObject({
    messagecontacts: [{ email: "ada@example.com" }, { accepted: false, error: "invalid-address" }],
    warnings: [{ path: "/to/1/email", code: "not_an_address" }],
  });
});
