import { z } from "zod";

export const MESSAGE_DATA_LIMITS = {
  sources: 10,
  conditions: 20,
  values: 100,
  records: 50,
  fieldCharacters: 256,
  valueCharacters: 1_024,
} as const;

const RECORDS_DEFAULT = 10;
/** Operators without a value, with one, and with several. */
const WITHOUT = ["exists", "notExists"] as const;
const ONE = ["eq", "neq", "gt", "gte", "lt", "lte", "contains", "notContains"] as const;
const SEVERAL = ["in", "notIn"] as const;

const storable = (text: string) => !text.includes("\0") && text.isWellFormed();
const text = (charactersMax: number) =>
  z.string().min(1).max(charactersMax).refine(storable, { message: "has characters that cannot be stored" });
const scalar = z.union([
  z
    .string()
    .max(MESSAGE_DATA_LIMITS.valueCharacters)
    .refine(storable, { message: "has characters that cannot be stored" }),
  z.number(),
  z.boolean(),
]);
const field = text(MESSAGE_DATA_LIMITS.fieldCharacters).describe("A dotted path in the record.");

const condition = z.union([
  z.strictObject({ field, op: z.enum(ONE), value: scalar }),
  z.strictObject({ field, op: z.enum(SEVERAL), value: z.array(scalar).min(1).max(MESSAGE_DATA_LIMITS.values) }),
  z.strictObject({ field, op: z.enum(WITHOUT) }),
]);

/** Conditions on the members of a record, all of which must hold. */
export const recordConditions = z.array(condition).max(MESSAGE_DATA_LIMITS.conditions).describe("All must hold.");

const shared = {
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "must begin with a letter and hold letters, digits and underscores")
    .refine((name) => name !== "__proto__", { message: "is reserved" })
    .describe("Liquid reads the records as `data.<name>`."),
  where: recordConditions.optional(),
  sort: text(MESSAGE_DATA_LIMITS.fieldCharacters + 1)
    .regex(/^-?[^-]/s, "must be a field, with a minus before it for the greatest first")
    .describe("A field; `-` before it puts the greatest first.")
    .optional(),
  limit: z.number().int().min(1).max(MESSAGE_DATA_LIMITS.records).default(RECORDS_DEFAULT),
};

/** Records that a message shows, loaded before it is rendered. */
export const messageDataSource = z.discriminatedUnion("source", [
  z.strictObject({ ...shared, source: z.enum(["cart", "orders", "products"]) }),
  z.strictObject({
    ...shared,
    source: z.literal("supplement"),
    key: text(128).describe("Key of the table."),
  }),
]);
export type MessageDataSource = z.output<typeof messageDataSource>;
export type MessageDataCondition = NonNullable<MessageDataSource["where"]>[number];

export const messageData = z
  .array(messageDataSource)
  .max(MESSAGE_DATA_LIMITS.sources)
  .superRefine((sources, context) => {
    const names = sources.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) < index) {
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: "is the name of another source",
          params: { code: "bad_value" },
        });
      }
    });
  });
