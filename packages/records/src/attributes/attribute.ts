import { storableText } from "@headwater/api/paging/query";
import {
  type Account,
  ARRAY_ITEMS_DEFAULT,
  attributeType,
  attributeTypes,
  attributeValidators,
  shapes,
} from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { z } from "zod";
import { type AttributeMembers, type AttributeRow, toDefinition } from "./postgres.ts";

/** Limit of a new key. One that came up with a write may be longer, and is declared all the same. */
const NEW_KEY_CHARACTERS_MAX = 128;
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
const rangeError = {
  message: "has a min greater than its max",
  path: ["validators"],
  params: { code: "out_of_range" },
};

export const keyShape = storableText(shapes.bounds.attributeKeyBytes).min(1);
export const keyParams = z.strictObject({ key: keyShape });

/** Absent = default. */
export const newAttributeBody = z
  .object({ key, name, type: z.enum(attributeTypes), ...z.object(members).partial().shape })
  .refine(hasRange, rangeError);

/** Absent = unchanged. `key` and `type` may stand here as they are. */
export const attributeBody = z
  .object({ key, name, type: attributeType, ...members })
  .partial()
  .refine(hasRange, rangeError);
export type AttributeBody = z.output<typeof attributeBody>;

function hasRange({ validators }: { readonly validators?: z.output<typeof attributeValidators> | null | undefined }) {
  const { min, max } = validators ?? {};
  return min === undefined || max === undefined || min <= max;
}

/** Shape of a definition in an answer. */
export const attributeShape = z.strictObject({
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

export function attributeRecord(row: AttributeRow): z.output<typeof attributeShape> {
  const { key, name, type, indexed, unique, validators, maxItems, updateUnauthenticated, retainOnDestroy } =
    toDefinition(row);
  return {
    ...{ key, name: name ?? key, type, index: indexed, unique, validators },
    options: maxItems === null ? {} : { maxitems: maxItems },
    ...{ updateUnauthenticated, retainOnDestroy },
  };
}

const undeclared: AttributeMembers = {
  ...{ type: "auto", name: null, indexed: false, unique: false, validators: null, maxItems: null },
  ...{ updateUnauthenticated: false, retainOnDestroy: null },
};

/**
 * Returns what a definition is with a body's members. Throws 422 `VALIDATION_ERROR` for a new key that is too long, for an attribute that
 * cannot be unique and for an identifier that would be retained.
 */
export function declared(
  body: AttributeBody,
  before: AttributeMembers | undefined,
  { key, settings }: Pick<Account, "settings"> & { readonly key: string },
): AttributeMembers {
  if (before === undefined) refuseLongKey(key);
  const isIdentifier = settings.identifiers.some(({ name }) => name === key);
  if (body.unique === true && !isIdentifier) {
    // A value that one contact alone may have finds that contact: such a name is an identifier of the account.
    throw notAllowed("/unique", "Only identifiers can be unique. Add the key to the account's `identifiers` first.");
  }
  if ((body.retainOnDestroy ?? null) !== null && isIdentifier) {
    const message = "An identifier identifies a person and cannot be retained when a contact is deleted.";
    throw notAllowed("/retainOnDestroy", message);
  }
  const stored = before ?? undeclared;
  const type = body.type ?? stored.type;
  return {
    type,
    name: body.name ?? stored.name,
    indexed: body.index ?? stored.indexed,
    unique: body.unique ?? stored.unique,
    validators: body.validators === undefined ? stored.validators : body.validators && JSON.stringify(body.validators),
    maxItems: body.options?.maxitems ?? stored.maxItems ?? (type === "array" ? ARRAY_ITEMS_DEFAULT : null),
    updateUnauthenticated: body.updateUnauthenticated ?? stored.updateUnauthenticated,
    retainOnDestroy: body.retainOnDestroy === undefined ? stored.retainOnDestroy : body.retainOnDestroy,
  };
}

export function unknownAttribute() {
  return refusal("RECORD_NOT_FOUND", "No attribute has this key.");
}

function refuseLongKey(key: string): void {
  if (key.length <= NEW_KEY_CHARACTERS_MAX) return;
  const message = `A new key must have at most ${NEW_KEY_CHARACTERS_MAX} characters.`;
  throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/key", code: "too_long", message }] });
}

function notAllowed(path: string, message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path, code: "not_allowed", message }] });
}
