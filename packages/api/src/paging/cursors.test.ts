import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCursors } from "./cursors.ts";

const cursors = createCursors("a secret");
const scope = { account: 1, list: "orders", direction: "asc" } as const;
const any = z.unknown();

test("a cursor opens to the key it was sealed with", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (key) => {
      expect(cursors.open(cursors.seal(scope, key), scope, any)).toEqual(JSON.parse(JSON.stringify(key)));
    }),
  );
});

test("a cursor is valid for no other account, list, direction, installation or form of key", () => {
  const cursor = cursors.seal(scope, 7);
  expect(cursors.open(cursor, scope, z.number())).toBe(7);
  expect(cursors.open(cursor, { ...scope, account: 2 }, any)).toBeUndefined();
  expect(cursors.open(cursor, { ...scope, list: "jobs" }, any)).toBeUndefined();
  expect(cursors.open(cursor, { ...scope, direction: "desc" }, any)).toBeUndefined();
  expect(cursors.open(cursor, scope, z.string())).toBeUndefined();
  expect(createCursors("another").open(cursor, scope, any)).toBeUndefined();
});

test("nothing else is one", () => {
  const cursor = cursors.seal(scope, { createdAt: 1, id: "a" });
  const [body = "", mac = ""] = cursor.split(".");
  const spoilt = ["", ".", body, `${body}.`, `.${mac}`, `${body}.${mac.slice(1)}`, `x${cursor}`, `${cursor}AAAA`];
  for (const one of spoilt) expect([one, cursors.open(one, scope, any)]).toEqual([one, undefined]);
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(cursors.open(text, scope, any)).toBeUndefined();
    }),
  );
});
