import { knownFields } from "../leaves/field/fields.ts";
import type { CriteriaContext } from "./context.ts";
import { parseCriteria } from "./parseCriteria.ts";

/** An account for tests of the parser: an attribute of each type, two identifiers and a list. */
export const context: CriteriaContext = {
  fields: knownFields({
    attributes: [
      ["lifetime_value", "number"],
      ["color", "string"],
      ["born", "date"],
      ["tags", "array"],
      ["vip", "boolean"],
      ["home", "geo"],
      ["anything", "auto"],
      ["a/b~c", "auto"],
    ],
    identifiers: ["email", "customer_id"],
  }),
  lists: [{ id: 7, name: "VIP" }],
  audiences: new Map(
    ["buyers", "1"].map((name) => [name, { id: "1", key: "buyers", criteria: { order: true } }] as const),
  ),
  supplements: new Map([["shops", { id: 1, key: "shops", isLinked: false }]]),
  canonicalIdentifier: (_: string, value: string) => (value.trim() === "" ? undefined : value.trim()),
};

/** Returns what is wrong with a rule, each as "pointer code". */
export function errorsOf(rule: unknown): string[] {
  const parsed = parseCriteria(rule, context);
  return parsed.kind === "ok" ? [] : parsed.errors.map(({ path, code }) => `${path} ${code}`);
}

export function field(rest: object, name = "attributes.anything"): object {
  return { field: name, ...rest };
}
