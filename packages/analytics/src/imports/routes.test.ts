import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["imports", "uploads"]);

/** Uploads a file of one line. @returns where an import finds it. */
async function upload(text: string) {
  const uploaded = await send("createUpload", { body: text });
  expect(uploaded.status).toBe(201);
  return { transport: "file", path: `upload:${uploaded.body.uploadId ?? uploaded.body.id}` };
}

test.each([
  ["createActivityimport", { hasHeader: true, canBeCreated: true }],
  ["createContactimport", { hasHeader: true, mapping: { email: "email" }, strategy: "upsert" }],
  ["createOrdersimport", {}],
  ["createProductimport", { hasHeader: true }],
])("%s answers 202 with a job for an upload, and 422 for one that nobody made", async (operation, options) => {
  const source = await upload("email\nada@example.com\n");
  expect(await send(operation, { body: { source, ...options } })).toMatchObject({ status: 202 });
  const nobody = { transport: "file", path: "upload:65f0c0ffee65f0c0ffee0099" };
  expect((await send(operation, { body: { source: nobody, ...options } })).status).toBe(422);
});

test("createSupplementimport answers 202 for a table, and 404 for one that is not there", async () => {
  await send("createSupplement");
  const body = { source: await upload("id,model\n1,A\n"), hasHeader: true };
  expect((await send("createSupplementimport", { params: { key: "cars" }, body })).status).toBe(202);
  expect((await send("createSupplementimport", { params: { key: "nobody" }, body })).status).toBe(404);
});

test("createContactimport starts nothing for a list that every row is to be put on, and that is not there", async () => {
  const source = await upload("email\nada@example.com\n");
  const lists = { addTo: ["made by it", 9_999, "9998"], removeFrom: [9_997] };
  const refused = await send("createContactimport", { body: { source, hasHeader: true, lists } });
  expect(refused).toMatchObject({ status: 422, body: { code: "IMPORT_CONFIGURATION_ERROR" } });
  const details: readonly { readonly path: string; readonly code: string }[] = refused.body.details;
  expect(details.map(({ path, code }) => `${path} ${code}`)).toEqual([
    "/lists/addTo/1 unknown_reference",
    "/lists/addTo/2 unknown_reference",
  ]);
});

test("createContactimport starts nothing for a configuration that no row could be imported with", async () => {
  const source = await upload("email,x,y\nada@example.com,1,2\n");
  const refusedWith = async (options: object) => {
    const { status, body } = await send("createContactimport", { body: { source, hasHeader: true, ...options } });
    const details: readonly { readonly path: string; readonly code: string }[] = body.details ?? [];
    return [status, body.code, ...details.map(({ path, code }) => `${path} ${code}`)];
  };
  const code = "IMPORT_CONFIGURATION_ERROR";
  const mapping = { "x/y": "channels.email.zz", y: "channels.email", x: "channels.email.valid" };
  expect(await refusedWith({ mapping })).toEqual([
    422,
    code,
    "/mapping/x~1y unknown_field",
    "/mapping/y unknown_field",
  ]);
  expect(await refusedWith({ identifyBy: ["email", "zz"] })).toEqual([422, code, "/identifyBy/1 unknown_reference"]);
  const lists = { addTo: ["News"], removeFrom: ["other", "news"] };
  expect(await refusedWith({ lists })).toEqual([422, code, "/lists bad_value"]);
  expect(await refusedWith({ identifyBy: ["zz"], mapping: { x: "identifiers.zz" } })).toEqual([202, undefined]);
  expect(await refusedWith({ lists: { addTo: ["news"], removeFrom: ["others"] } })).toEqual([202, undefined]);
});

test("createContactimport names the identifiers that the unknown one of identifyBy may have meant", async () => {
  const source = await upload("email\nada@example.com\n");
  const { body } = await send("createContactimport", { body: { source, hasHeader: true, identifyBy: ["emial"] } });
  expect(body.details[0].allowed[0]).toBe("email");
});
