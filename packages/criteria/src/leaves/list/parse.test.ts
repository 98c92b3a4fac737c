import { describe, expect, test } from "vitest";
import { context, errorsOf } from "../../parse/exampleAccount.ts";
import { parseCriteria } from "../../parse/parseCriteria.ts";

describe("a wrong rule about a list is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["an unknown list", { list: "vips", op: "in" }, ["/list unknown_reference"]],
    ["an unknown list id", { list: 8, op: "in" }, ["/list unknown_reference"]],
    ["an unknown list operator", { list: "vip", op: "eq" }, ["/op unknown_operator"]],
    ["a list's operator that is no text", { list: "vip", op: 1 }, ["/op type_mismatch"]],
    ["a list without an operator", { list: "vip" }, ["/op bad_value"]],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});

test("a list that is not there any more is named as it was called last", () => {
  const goneLists = new Map([[4, "newsletter"]]);
  const messageOf = (list: string | number) => {
    const parsed = parseCriteria({ list, op: "in" }, { ...context, goneLists });
    return parsed.kind === "ok" ? undefined : parsed.errors[0]?.message;
  };
  expect(messageOf(4)).toBe('list "newsletter" does not exist any more');
  expect(messageOf("4")).toBe('list "newsletter" does not exist any more');
  expect(messageOf(5)).toBe('list "5" does not exist');
});
