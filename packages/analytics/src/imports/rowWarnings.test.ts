import { expect, test } from "vitest";
import { namesOfIgnored, namesOfInvalidAddresses, namesOfMissing, namesOfSimilar, RowCounts } from "./rowWarnings.ts";

test("rows are counted by the name of a member, once a row however often the row says it", () => {
  const ignored = new RowCounts({ colour: 2 });
  ignored.add(["colour", "items.size", "items.size"]);
  ignored.add([]);
  expect(ignored.counts).toEqual({ colour: 3, "items.size": 1 });
});

test("names beyond the first 100 are counted together, and the known ones go on", () => {
  const ignored = new RowCounts();
  for (let n = 0; n < 150; n++) ignored.add([`name ${n}`]);
  ignored.add(["name 3"]);
  expect(ignored.counts).toMatchObject({ "name 3": 2, "(other)": 50 });
  expect(Object.keys(ignored.counts)).toHaveLength(101);
});

test("a member is named by its path within the row, without positions", () => {
  const paths = ["/order/items/0/colour", "/order/a~1b", "/variants/2/sise", "/colour"];
  const warnings = paths.map((path) => ({ path, code: "unknown_member" as const, message: "" }));
  expect(namesOfIgnored(warnings)).toEqual(["items.colour", "a/b", "variants.sise", "colour"]);
});

test("an address that is none is named as the identifier that it was to be, whichever member gave it", () => {
  const paths = [
    ...["/contact/identifiers/email", "/contact/identifiers/channels.sms.address", "/contact/attributes/phone"],
    ...["/contact/attributes/channels/email/address", "/records/0/email"],
  ];
  const warnings = paths.map((path) => ({ path, code: "not_an_address" }));
  const others = [{ path: "/contact/identifiers/colour", code: "unknown_member" }];
  expect(namesOfInvalidAddresses([...warnings, ...others])).toEqual(["email", "phone", "phone", "email", "email"]);
});

test("a name that is nearly known is reported as it is written, one of a channel with its holder", () => {
  const paths = ["/contact/identifiers/Email", "/attributes/Customer_ID", "/contact/attributes/channels/SMS "];
  const warnings = paths.map((path) => ({ path, code: "similar_name" }));
  const others = [{ path: "/contact/identifiers/email", code: "not_an_address" }];
  expect(namesOfSimilar([...warnings, ...others])).toEqual(["Email", "Customer_ID", "channels.SMS "]);
});

test("an identifier that says that there is no value is named as the identifier that it was to be", () => {
  const paths = ["/contact/identifiers/customer_id", "/contact/attributes/channels/push/address"];
  const warnings = paths.map((path) => ({ path, code: "missing_value" }));
  expect(namesOfMissing(warnings)).toEqual(["customer_id", "channels.push.address"]);
});
