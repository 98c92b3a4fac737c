import { defaultSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { wrongIdentifiers } from "./routes/updateAccount.ts";

const { identifiers } = defaultSettings;
const added = { name: "loyalty", kind: "secondary", format: "string" } as const;
const used = { hasContacts: true };
const pathsOf = (after: typeof identifiers, rules = used) =>
  wrongIdentifiers(identifiers, after, rules).map(({ path, code }) => [path, code]);

test("identifier names may be added at the end, whether there are contacts or not", () => {
  expect(pathsOf([...identifiers, added])).toEqual([]);
  expect(pathsOf([...identifiers, added], { hasContacts: false })).toEqual([]);
});

test("no identifier name is removed, moved or changed while there are contacts", () => {
  const [cid, email, phone, ...rest] = identifiers;
  if (cid === undefined || email === undefined || phone === undefined) throw new Error("there are defaults");
  expect(pathsOf(identifiers.slice(0, 4))).toEqual([["/identifiers/4", "not_allowed"]]);
  expect(pathsOf([cid, phone, email, ...rest])).toEqual([
    ["/identifiers/1", "not_allowed"],
    ["/identifiers/2", "not_allowed"],
  ]);
  expect(pathsOf([cid, { ...email, format: "string" }, phone, ...rest])).toEqual([["/identifiers/1", "not_allowed"]]);
  expect(pathsOf([cid, phone, ...rest, added], { hasContacts: false })).toEqual([]);
});

test("a name stands once", () => {
  expect(pathsOf([...identifiers, added, added], { hasContacts: false })).toEqual([["/identifiers/6", "bad_value"]]);
});
