import { conditions, name } from "../../grammar/parts.ts";
import type { LeafDefinition } from "../leaf.ts";
import { sawOfField, selectContacts } from "./compile.ts";
import type { FieldLeaf } from "./field.ts";
import { valuesOfField } from "./names.ts";
import { parseField } from "./parse.ts";

/** Contacts by an attribute, an identifier, a channel or a column of their own. */
export const fieldLeaf: LeafDefinition<FieldLeaf> = {
  kind: "field",
  forms: conditions.map((condition) => ({
    field: name.describe("`attributes.color`, `channels.email.address`, …"),
    ...condition,
  })),
  examples: [
    { field: "attributes.color", op: "in", value: ["red", "blue"] },
    { field: "channels.email.subscribeStatus", op: "eq", value: "subscribed" },
    { field: "createdAt", op: "inLast", value: { n: 30, unit: "day" } },
    { field: "identifiers.email", op: "notExists" },
  ],
  parse: parseField,
  select: selectContacts,
  trend: selectContacts,
  saw: sawOfField,
  names: valuesOfField,
  isAfterContact: true,
};
