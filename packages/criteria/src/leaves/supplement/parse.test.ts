import { describe, expect, test } from "vitest";
import { context, errorsOf } from "../../parse/exampleAccount.ts";
import { parseCriteria } from "../../parse/parseCriteria.ts";

describe("a wrong rule about records is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["an unknown table", { supplement: "shop" }, ["/supplement unknown_reference"]],
    ["records that carry no contact", { supplement: "shops" }, ["/join bad_value"]],
    [
      "a join by a status",
      { supplement: "shops", join: { contact: "channels.email.valid", record: "id" } },
      ["/join/contact bad_value"],
    ],
    [
      "a join by an unknown field",
      { supplement: "shops", join: { contact: "attributes.colour", record: "id" } },
      ["/join/contact unknown_field"],
    ],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});

test.each<[string, unknown, string]>([["a table", { supplement: "shop" }, "shops"]])(
  "%s that is unknown is reported with the nearest one",
  (_, rule, nearest) => {
    const parsed = parseCriteria(rule, context);
    expect(parsed.kind === "invalid" ? parsed.errors[0]?.allowed?.[0] : undefined).toBe(nearest);
  },
);
