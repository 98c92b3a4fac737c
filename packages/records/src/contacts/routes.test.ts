import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const service = serveService(["contacts"]);
const { send } = service;
const NOBODY = { primary_key: "email:nobody@example.com", channel: "email", productID: "85123A", qty: "1", sku: "s" };

/** Creates a contact with an address and a number of a customer. */
async function contact(name: string) {
  const params = { primary_key: `email:${name}@example.com`, channel: "email" };
  const body = { channels: { email: { address: `${name}@example.com` } }, attributes: { customer_id: name } };
  const { status, body: answer } = await send("createContact", { body });
  return { status, answer, params };
}

test("a contact is created, found again, changed, unsubscribed and erased", async () => {
  const { params, status } = await contact("grace");
  expect(status).toBe(201);
  expect((await contact("grace")).status).toBe(200);
  expect(await send("updateContact", { params, body: { attributes: { country: "FR" } } })).toMatchObject({
    status: 200,
    body: { attributes: { country: "FR" } },
  });
  expect(await send("unsubscribeContact", { params })).toMatchObject({ status: 200 });
  expect(await send("getContact", { params })).toMatchObject({
    status: 200,
    body: { channels: { email: { address: "grace@example.com", subscribeStatus: "unsubscribed" } } },
  });
  expect((await send("listContacthistory", { params })).status).toBe(200);
  expect((await send("downloadContactprofile", { params, body: { exportType: "jsonl" } })).status).toBe(202);
  expect((await send("deleteContact", { params })).status).toBe(200);
  expect((await send("getContact", { params })).status).toBe(404);
});

test.each([
  ["a channel that is null", null],
  ["an address that is null", { address: null }],
])("%s takes the address away, by which the contact is then not found, and leaves its subscription", async (_, sms) => {
  const { params, answer } = await contact(`sms-${sms === null}`);
  const number = sms === null ? "+4915112345678" : "+4915112345679";
  const known = { sms: { address: number, subscribeStatus: "subscribed" } };
  expect((await send("updateContact", { params, body: { channels: known } })).status).toBe(200);
  const byNumber = { params: { ...params, primary_key: `phone:${number}` } };
  expect(await send("getContact", byNumber)).toMatchObject({ status: 200, body: { cID: answer.cID } });
  const removed = await send("updateContact", { params, body: { channels: { sms } } });
  expect(removed).toMatchObject({ status: 200, body: { channels: { sms: { subscribeStatus: "subscribed" } } } });
  expect(removed.body.channels.sms.address).toBeUndefined();
  expect(removed.body.identifiers.phone).toBeUndefined();
  expect((await send("getContact", byNumber)).status).toBe(404);
  expect((await send("updateContact", { params, body: { channels: known } })).body.identifiers.phone).toBe(number);
});

test("a channel that every account has is meant in any case, and no other one", async () => {
  const email = { address: "case@example.com" };
  const { cID } = (await send("createContact", { body: { channels: { email } } })).body;
  const again = await send("createContact", {
    body: { channels: { Email: { ...email, subscribeStatus: "unsubscribed" } } },
  });
  expect([again.status, again.body.cID, again.body.channels.email.subscribeStatus]).toEqual([200, cID, "unsubscribed"]);
  const params = { primary_key: `cID:${cID}` };
  const changed = await send("updateContact", { params, body: { channels: { SMS: { address: "+436601234567" } } } });
  expect(Object.keys(changed.body.channels)).toEqual(["email", "sms"]);
  expect((await send("unsubscribeContact", { params: { ...params, channel: "Sms" } })).status).toBe(200);
  const own = await send("createContact", { body: { channels: { WhatsApp: { address: "ann" } } } });
  expect(Object.keys(own.body.channels)).toEqual(["WhatsApp"]);
});

test.each([
  [{ channels: { Email: { address: "one@example.com" }, email: { address: "two@example.com" } } }, "/channels/email"],
  [{ channels: { sms: { address: "+436601234567" }, SMS: { address: "+436601234567" } } }, "/channels/SMS"],
  [{ channels: { email: { address: "one@example.com" } }, lists: { VIP: true, vip: false } }, "/lists/vip"],
])("a body that spells one name twice is refused: %j", async (body, path) => {
  const answers = [
    await send("createContact", { body }),
    await send("updateContact", { params: (await contact("spelled")).params, body }),
  ];
  const refusal = { status: 422, body: { details: [{ path, code: "bad_value" }] } };
  for (const answer of answers) expect(answer).toMatchObject(refusal);
});

test("attributes that are identifiers but for their case are named, and stored", async () => {
  const body = {
    channels: { email: { address: "similar@example.com" } },
    attributes: { Customer_ID: "7", colour: "red" },
  };
  const { body: answer } = await send("createContact", { body });
  expect(answer.attributes).toMatchObject({ Customer_ID: "7" });
  expect(answer.warnings).toMatchObject([
    { path: "/attributes/Customer_ID", code: "similar_name", suggestion: "customer_id" },
  ]);
});

test("people with a text in place of their address are created, and stay apart by their other keys", async () => {
  const create = (text: string, customer_id: string) =>
    send("createContact", { body: { channels: { email: { address: text } }, attributes: { customer_id } } });
  const answers = [];
  for (const id of ["p1", "p2", "p1"]) answers.push(await create("n/a", id));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200]);
  expect(answers[2]?.body.cID).toBe(answers[0]?.body.cID);
  expect(answers[1]?.body.channels.email).toMatchObject({ address: "n/a", valid: false });
  for (const { body } of answers) expect(body.warnings).toMatchObject([{ code: "not_an_address" }]);
});

test.each(["n/a", "None", "-"])(
  "a contact whose only identifier is %j is refused, and another is found by its own",
  async (text) => {
    const channels = { email: { address: text } };
    const refused = await send("createContact", { body: { channels, attributes: { customer_id: text } } });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "VALIDATION_ERROR", details: [{ path: "/channels/email/address", code: "bad_value" }] },
    });
    expect((await send("getContact", { params: { primary_key: `email:${text}` } })).status).toBe(404);
    const named = { channels: { email: { address: "mia@example.com" } }, attributes: { customer_id: text } };
    const created = await send("createContact", { body: named });
    expect(created.body.identifiers).toEqual({ email: "mia@example.com" });
    expect(created.body.warnings).toMatchObject([{ path: "/attributes/customer_id", code: "missing_value" }]);
    const params = { primary_key: "mia@example.com" };
    const changed = await send("updateContact", { params, body: { attributes: { customer_id: text } } });
    expect(changed).toMatchObject({ status: 200, body: { identifiers: { email: "mia@example.com" } } });
  },
);

test("a channel that a contact does not have yet is refused without an address", async () => {
  const { params } = await contact("pushed");
  const channels = { push: { subscribeStatus: "subscribed" }, email: { subscribeStatus: "subscribed" } };
  expect(await send("updateContact", { params, body: { channels } })).toMatchObject({
    status: 422,
    body: { details: [{ path: "/channels/push/address", code: "required" }] },
  });
  expect((await send("updateContact", { params, body: { channels: { push: null } } })).status).toBe(200);
});

test("a value of another contact is refused with its place", async () => {
  const { params } = await contact("otto");
  await contact("olga");
  const positionsOf = async (operation: string, body: object) => {
    const { status, body: answer } = await send(operation, { params, body });
    expect([status, answer.code]).toEqual([422, "MERGE_CONFLICT"]);
    return answer.details.map(({ path }: { path: string }) => path);
  };
  const channels = { email: { address: "olga@example.com" } };
  expect(await positionsOf("updateContact", { channels })).toEqual(["/channels/email/address"]);
  expect(await positionsOf("updateContact", { attributes: { customer_id: "olga" } })).toEqual([
    "/attributes/customer_id",
  ]);
  const identifyBy = ["customer_id"];
  const both = { channels, attributes: { customer_id: "otto" } };
  expect(await positionsOf("createContact", { ...both, identifyBy })).toEqual(["/attributes/customer_id"]);
  expect(await positionsOf("createContact", both)).toEqual(["/attributes/customer_id"]);
});

test("a profile is refused with all that is wrong with its body", async () => {
  const { params } = await contact("ida");
  const body = { exportType: "xml", colour: 1, destination: { type: "ftp" } };
  const { status, body: answer } = await send("downloadContactprofile", { params, body });
  const paths = answer.details.map(({ path }: { path: string }) => path);
  expect([status, answer.code, paths]).toEqual([
    422,
    "EXPORT_CONFIGURATION_ERROR",
    ["/colour", "/exportType", "/destination/type"],
  ]);
});

test("a profile's format may be in any case, and the account's id is passed over", async () => {
  const { params } = await contact("iris");
  const body = { exportType: "JSON", accountId: "of another system" };
  const { status, body: answer } = await send("downloadContactprofile", { params, body });
  expect([status, answer.warnings]).toEqual([202, undefined]);
  const { status: asDefault } = await send("downloadContactprofile", { params, body: { exportType: null } });
  expect(asDefault).toBe(202);
});

test("contacts are listed, and a list that is not there answers 404", async () => {
  expect((await send("listContacts")).status).toBe(200);
  expect((await send("listContacts", { query: "?audience-key=nobody" })).status).toBe(404);
});

test("two contacts become one by a job, and 404 names the one that is not there", async () => {
  await contact("one");
  await contact("two");
  const options = {
    email_channels: "destinationContact",
    attributes: "sourceContact",
    orders: "merge",
    cart: "lastModified",
  };
  const body = { sourceContact: "email:one@example.com", destinationContact: "email:two@example.com", options };
  expect((await send("mergeContacts", { body })).status).toBe(202);
  expect((await send("mergeContacts", { body: { ...body, sourceContact: NOBODY.primary_key } })).status).toBe(404);
});

test("a split answers 202 once two contacts are one", async () => {
  const body = { channels: { email: { address: "old@example.com" } }, attributes: { customer_id: "7" } };
  await send("createContact", { body });
  await send("createContact", { body: { attributes: { customer_id: "8" } } });
  const both = { channels: { email: { address: "old@example.com" } }, attributes: { customer_id: "8" } };
  await send("createContact", { body: both });
  const split = { primaryKey: "customer_id:8", channelNames: ["email"], colour: "red" };
  expect((await send("splitContact", { body: split })).status, "unknown members are ignored").toBe(202);
});

test("splitContact answers 404 for a contact that nobody has", async () => {
  expect(
    (await send("splitContact", { body: { primaryKey: NOBODY.primary_key, channelNames: ["email"] } })).status,
  ).toBe(404);
});

test.each([
  "getContact",
  "updateContact",
  "deleteContact",
  "unsubscribeContact",
  "listContacthistory",
  "downloadContactprofile",
  "getCart",
  "setCart",
  "updateCart",
  "clearCart",
  "addCartitem",
  "removeCartitem",
  "removeCartitemOfSku",
])("%s answers 404 for an unknown contact", async (operation) => {
  expect(await send(operation, { params: NOBODY })).toMatchObject({
    status: 404,
    body: { code: "CONTACTS_CONTACT_NOT_FOUND" },
  });
});

test("a cart is filled, changed, and emptied piece by piece", async () => {
  const { params: of } = await contact("buyer");
  const params = { ...of, productID: "85123A", qty: "1", sku: "85123A" };
  expect((await send("setCart", { params })).status).toBe(201);
  expect(await send("getCart", { params })).toMatchObject({ status: 200, body: { cartID: "C-1001" } });
  expect((await send("updateCart", { params })).status).toBe(200);
  expect((await send("addCartitem", { params })).status).toBe(201);
  expect((await send("removeCartitem", { params })).status).toBe(200);
  expect((await send("removeCartitemOfSku", { params })).status).toBe(200);
  expect((await send("clearCart", { params })).status).toBe(200);
});

test("a cart keeps every digit of money, and loses the members that a PUT says are null", async () => {
  const { params } = await contact("collector");
  const line = '"sku":"s","category":"c","name":"n"';
  const whole = `{"cartID":"C-1","url":null,"tax":12345678901234.5678,"cartitems":[{"productID":"p",${line},"itemPrice":1}]}`;
  expect((await send("setCart", { params, body: whole })).status).toBe(201);
  const dear = `{"productID":"q",${line},"itemPrice":89999999999999.9999}`;
  expect((await send("addCartitem", { params, body: dear })).status).toBe(201);
  const text = "SELECT doc FROM carts ORDER BY contact DESC LIMIT 1";
  const [stored] = await service.postgres.query<{ doc: string }>({ name: "test_cart", text });
  for (const digits of ["12345678901234.5678", "89999999999999.9999"]) expect(stored?.doc).toContain(`"${digits}"`);
  expect((await send("updateCart", { params, body: { cartID: null, tax: null } })).status).toBe(200);
  expect(Object.keys((await send("getCart", { params })).body)).toEqual(["items", "totalAmount", "updatedAt"]);
});

test.each([
  ["deleteContact"],
  ["updateContact"],
  ["unsubscribeContact"],
  ["setCart"],
  ["updateCart"],
  ["clearCart"],
  ["addCartitem"],
  ["removeCartitem"],
  ["removeCartitemOfSku"],
  ["splitContact", { primaryKey: "email:versions@example.com", channelNames: ["email"] }],
])("%s is refused when the contact has another version than If-Match", async (operation, body?: object) => {
  const { params: of } = await contact("versions");
  const params = { ...of, productID: "85123A", qty: "1", sku: "s" };
  const { headers } = await send("getContact", { params });
  const call = { params, ...(body && { body }) };
  expect(await send(operation, { ...call, headers: { "if-match": '"another"' } })).toMatchObject({
    status: 409,
    body: { code: "VERSION_CONFLICT" },
  });
  const { status } = await send(operation, { ...call, headers: { "if-match": String(headers.etag) } });
  expect(status).toBeLessThan(300);
});

test.each([
  ["/channels/sms/address", { channels: { sms: { address: " " } } }],
  ["/channels/email/address", { channels: { email: { address: "   " } } }],
  [
    "/attributes/phone",
    {
      channels: { email: { address: "ada@example.com" } },
      attributes: { phone: "1".repeat(513) },
      identifyBy: ["phone"],
    },
  ],
])("a contact whose identifier is no such value is refused at %s", async (path, body) => {
  const { status, body: answer } = await send("createContact", { body });
  expect([status, answer.code, answer.details.length]).toEqual([422, "VALIDATION_ERROR", 1]);
  expect(answer.details[0]).toMatchObject({ path, code: "bad_value" });
});

test("a contact is eligible by the sender's own decision, with every reason against it", async () => {
  const { params } = await contact("eligible");
  const ask = async (query: string, primary_key = params.primary_key) => {
    const { status, body } = await send("getContacteligibility", { params: { primary_key }, query });
    return { status, ...body };
  };
  expect(await ask("?channel=email")).toEqual({
    status: 200,
    eligible: false,
    reasons: [{ reason: "not-subscribed" }],
  });
  expect(await ask("?channel=Email&classification=transactional")).toEqual({
    status: 200,
    eligible: true,
    reasons: [],
  });
  expect(await ask("?channel=sms")).toEqual({ status: 200, eligible: false, reasons: [{ reason: "no-address" }] });
  const suppressed = { channel: "email", address: "eligible@example.com", reason: "manual" };
  expect((await send("createSuppression", { body: suppressed })).status).toBe(201);
  expect((await ask("?channel=email")).reasons).toEqual([{ reason: "suppressed" }, { reason: "not-subscribed" }]);
  expect((await ask("?channel=email&classification=transactional")).eligible).toBe(false);
  expect((await ask("")).status).toBe(400);
  expect((await ask("?channel=email&classification=loud")).status).toBe(400);
  expect((await ask("?channel=email", NOBODY.primary_key)).status).toBe(404);
});

test("quiet hours hold a message, and the contact stays eligible", async () => {
  const { params } = await contact("quiet");
  const email = { address: "quiet@example.com", subscribeStatus: "subscribed" };
  expect((await send("updateContact", { params, body: { channels: { email } } })).status).toBe(200);
  const quietHours = { from: "00:00", to: "23:59" };
  expect((await send("updateAccount", { body: { messaging: { quietHours } } })).status).toBe(200);
  const { body } = await send("getContacteligibility", { params, query: "?channel=email" });
  expect(body.eligible).toBe(true);
  await send("updateAccount", { body: { messaging: { quietHours: null } } });
});
