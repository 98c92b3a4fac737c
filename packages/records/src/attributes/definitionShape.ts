import { successShape } from "@headwater/api/answers/success";
import { storableText } from "@headwater/api/paging/query";
import { contentVersion } from "@headwater/api/writing/ifMatch";
import { attributeType, attributeTypes, attributeValidators, shapes } from "@headwater/contracts";
import { z } from "zod";
import type { AttributeDefinition } from "./attributeDefinitions.ts";

/** Limit of a new key. One that came up with a write may be longer, and is declared all the same. */
export const NEW_KEY_CHARACTERS_MAX = 128;
const ITEMS_MAX = 10_000;

const key = z
  .string()
  .min(1)
  .max(shapes.bounds.attributeKeyBytes)
  .refine((name) => name !== "channels", { message: "must not be channels" })
  .meta({ description: `At most ${NEW_KEY_CHARACTERS_MAX} characters, unless a write has created the key.` });
/** Name of an attribute; one that has none is called by its key. */
const name = z.string().min(1).max(shapes.bounds.attributeKeyBytes);
const members = {
  index: z.boolean(),
  unique: z.boolean(),
  validators: attributeValidators.nullable(),
  options: z.object({ maxitems: z.number().int().min(1).max(ITEMS_MAX).optional() }),
  updateUnauthenticated: z.boolean().meta({
    description:
      "Stored and returned, but without effect: every write of a contact needs an API key or a partner signature.",
  }),
  retainOnDestroy: z.enum(["anonymized", "unchanged"]).nullable().meta({
    description:
      "Retention when a contact is deleted: none, or one more in the count of its value (`unchanged`) or of its value's group (`anonymized`). Nothing identifies the contact.",
  }),
};

/** Absent = as usual. */
export const newDefinitionBody = z
  .object({ key, name, type: z.enum(attributeTypes), ...z.object(members).partial().shape })
  .refine(hasRange, {
    message: "has a min greater than its max",
    path: ["validators"],
    params: { code: "out_of_range" },
  });
export type NewDefinitionBody = z.output<typeof newDefinitionBody>;

/** Absent = unchanged. `key` and `type` may stand here as they are. */
export const definitionBody = z
  .object({ key, name, type: attributeType, ...members })
  .partial()
  .refine(hasRange, {
    message: "has a min greater than its max",
    path: ["validators"],
    params: { code: "out_of_range" },
  });
export type DefinitionBody = z.output<typeof definitionBody>;

function hasRange({ validators }: { readonly validators?: z.output<typeof attributeValidators> | null | undefined }) {
  const { min, max } = validators ?? {};
  return min === undefined || max === undefined || min <= max;
}

/** Shape of a definition in an answer. */
export const definitionShape = z.strictObject({
  key: z.string(),
  name: z.string(),
  type: z.enum([...attributeTypes, "auto"]),
  index: z.boolean(),
  unique: z.boolean(),
  validators: attributeValidators.nullable(),
  options: z.strictObject({ maxitems: z.number().int().optional() }),
  updateUnauthenticated: z.boolean(),
  retainOnDestroy: z.string().nullable(),
});
export const DEFINITION_MEMBERS = Object.keys(definitionShape.shape);

export function definitionRecord(definition: Omit<AttributeDefinition, "createdAt">): z.output<typeof definitionShape> {
  const { key: of, name, type, indexed, unique, validators, maxItems, updateUnauthenticated } = definition;
  const options = maxItems === null ? {} : { maxitems: maxItems };
  const { retainOnDestroy } = definition;
  return {
    key: of,
    name: name ?? of,
    type,
    index: indexed,
    unique,
    validators,
    options,
    updateUnauthenticated,
    retainOnDestroy,
  };
}

/** Returns the version of a definition, for its ETag. */
export function versionOfDefinition(definition: Omit<AttributeDefinition, "createdAt">): string {
  return contentVersion(definitionRecord(definition));
}

export const keyParams = z.strictObject({ key: storableText(shapes.bounds.attributeKeyBytes).min(1) });

/** `notCast`: values that contacts have and that cannot be read as the type; they read as missing. */
export const savedShape = successShape.extend({
  key: z.string(),
  notCast: z.number().int().optional(),
});
export const savedExample = { success: true, key: "lifetime_value", notCast: 0 };

export const definitionExample = {
  key: "lifetime_value",
  name: "Lifetime value",
  type: "number",
  index: true,
  unique: false,
  validators: { min: 0, max: 1_000_000 },
  options: {},
  updateUnauthenticated: false,
  retainOnDestroy: null,
};
export const newDefinitionExample = {
  key: "lifetime_value",
  name: "Lifetime value",
  type: "number",
  index: true,
  validators: { min: 0, max: 1_000_000 },
};
