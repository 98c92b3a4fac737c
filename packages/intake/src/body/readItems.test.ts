import { runAtOnce } from "@headwater/kernel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BatchRules,
  readBatch as batchInSlices,
  type ItemsRead,
  readLines as linesInSlices,
  readSingle,
} from "./readItems.ts";

const readBatch = (text: string, input: BatchRules) => runAtOnce(batchInSlices(text, input));
const readLines = (text: string, provided: BatchRules) => runAtOnce(linesInSlices(text, provided));

const rules = { itemsMax: 3, decimalMembers: new Set<string>() };
const values = (read: ItemsRead) =>
  read.kind === "items" ? read.items.map((item) => (item.kind === "value" ? item.value : item.kind)) : read.kind;

describe("the items of a batch", () => {
  it("are those of an object, of an array, or of lines: the same three ways", () => {
    const small = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(small, (received) => {
        const items: unknown = JSON.parse(JSON.stringify(received));
        const lines = received.map((item) => JSON.stringify(item)).join("\n");
        expect(values(readBatch(JSON.stringify({ items: received }), rules))).toEqual(items);
        expect(values(readBatch(JSON.stringify(received), rules))).toEqual(items);
        expect(values(readLines(lines, rules))).toEqual(items);
      }),
    );
  });

  it("are refused when there are more than the operation takes", () => {
    expect(readBatch("[1,2,3,4]", rules).kind).toBe("tooMany");
    expect(readLines("1\n2\n\n3\n4\n", rules).kind).toBe("tooMany");
    expect(values(readLines("1\n2\n\n3\n\n", rules))).toEqual([1, 2, 3]);
  });

  it("are refused in a body of over a million objects, where their own number does not refuse them before", () => {
    const many = `[${"{},".repeat(1_000_000)}{}]`;
    const crowded = { kind: "badEnvelope", detail: { path: "", code: "too_many" } };
    expect(readBatch(`[${many}]`, rules)).toMatchObject(crowded);
    expect(readBatch(`{"items":[1],"others":${many}}`, rules)).toMatchObject(crowded);
    expect(readBatch(`{"others":${many},"items":[1]}`, rules)).toMatchObject(crowded);
    expect(readBatch(many, rules).kind).toBe("tooMany");
  });

  it("leave the envelope's other members out and name them", () => {
    expect(readBatch('{"itms":1,"items":[1]}', rules)).toMatchObject({ kind: "items", unknownMembers: ["itms"] });
  });

  it("of NDJSON may be no JSON without costing their neighbours, and lines may end in CR LF", () => {
    expect(values(readLines('{"a":1}\r\n{nonsense\r\n2', rules))).toEqual([{ a: 1 }, "notJson", 2]);
  });

  it("are none in a broken envelope", () => {
    const paths = ["{}", '{"items":7}', "[]", "7", '{"items":[]}'].map((text) => {
      const read = readBatch(text, rules);
      return read.kind === "badEnvelope" ? `${read.detail.path} ${read.detail.code}` : read.kind;
    });
    expect(paths).toEqual([
      "/items required",
      "/items type_mismatch",
      " required",
      " type_mismatch",
      "/items required",
    ]);
    expect(readLines("\n \n", rules).kind).toBe("badEnvelope");
    expect(readBatch("{", rules).kind).toBe("notJson");
  });
});

describe("a text that may hold what no shape allows", () => {
  it("is marked, so that its items are looked through", () => {
    const isSuspicious = (text: string) => {
      const read = readSingle(text, new Set());
      return read.kind === "items" && read.isSuspicious;
    };
    expect(isSuspicious('{"a":"\\u0000"}')).toBe(true);
    expect(isSuspicious('{"__proto__":1}')).toBe(true);
    expect(isSuspicious('{"a":"\\u00e9 plain"}')).toBe(false);
  });
});
