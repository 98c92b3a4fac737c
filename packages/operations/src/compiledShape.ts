import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { z } from "zod";

/** Tells whether a value certainly has a shape. False says nothing: zod then finds out, and what is wrong. */
export type QuickCheck = (value: unknown) => boolean;

const compiled = new WeakMap<z.ZodType, QuickCheck>();

/**
 * Returns the shape's check as compiled code, compiled at its first use: about a tenth of what zod takes for a valid item. It holds
 * only for shapes without transforms, whose output is their input.
 */
export function quickCheckOf(shape: z.ZodType): QuickCheck {
  const known = compiled.get(shape);
  if (known !== undefined) return known;
  const check = compileShape(shape);
  compiled.set(shape, check);
  return check;
}

/** Keyword for rules in code, by their places in the list of a compilation. */
const RULES = "headwaterRules";
/** Keyword for objects whose names are free: zod leaves out a member named `__proto__`, so what has one is left to zod. */
const NO_PROTO = "headwaterNoProto";

/** Keywords that Ajv judges exactly as zod does. A shape with another one is left to zod whole. */
const SAME_IN_BOTH: ReadonlySet<string> = new Set([
  ...["description", RULES, NO_PROTO],
  ...["type", "enum", "const", "anyOf", "properties", "required", "additionalProperties", "propertyNames", "items"],
  ...["minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  ...["minItems", "maxItems"],
]);

function compileShape(shape: z.ZodType): QuickCheck {
  const rules: QuickCheck[] = [];
  let isKnown = true;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
    override({ zodSchema, jsonSchema }) {
      const own = rulesOf(zodSchema);
      if (own === undefined) isKnown = false;
      else if (own.length > 0) jsonSchema[RULES] = own.map((rule) => rules.push(rule) - 1);
      if (jsonSchema.additionalProperties !== false && jsonSchema.type === "object") jsonSchema[NO_PROTO] = true;
      if (Object.keys(jsonSchema).some((keyword) => !SAME_IN_BOTH.has(keyword))) isKnown = false;
    },
  });
  if (!isKnown) return () => false;
  const validate: ValidateFunction = createAjv(rules).compile(schema);
  return (value) => validate(value);
}

function createAjv(rules: readonly QuickCheck[]): Ajv2020 {
  // Lengths are those of JavaScript and patterns have no flags, as zod has them. Ajv calls the former deprecated in its log.
  const ajv = new Ajv2020({ unicode: false, unicodeRegExp: false, strict: false, messages: false, logger: false });
  ajv.addKeyword({
    keyword: RULES,
    schemaType: "array",
    errors: false,
    // A rule expects what the rest of its schema allows.
    post: true,
    compile: (places: readonly number[]) => {
      const own = places.map((place) => rules[place]).filter((rule) => rule !== undefined);
      return (value: unknown) => own.every((rule) => rule(value));
    },
  });
  ajv.addKeyword({ keyword: NO_PROTO, schemaType: "boolean", errors: false, validate: hasNoProto });
  return ajv;
}

function hasNoProto(_schema: unknown, value: unknown): boolean {
  return typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__");
}

/** Returns the refinements of a schema, or undefined when it may change what it is given. */
function rulesOf({ _zod: { def } }: z.core.$ZodTypes): readonly QuickCheck[] | undefined {
  if (["transform", "pipe", "default", "prefault", "catch", "readonly", "lazy"].includes(def.type)) return undefined;
  if ("coerce" in def && def.coerce === true) return undefined;
  const checks = def.checks ?? [];
  if (checks.some(({ _zod }) => _zod.def.check === "overwrite")) return undefined;
  return checks.filter(({ _zod }) => _zod.def.check === "custom").map(toRule);
}

function toRule({ _zod }: z.core.$ZodCheck): QuickCheck {
  return (value) => {
    const payload: z.core.ParsePayload = { value, issues: [] };
    // Typed for values of the shape alone; a rule runs behind the check of its type, as it does in zod.
    const pending: unknown = Reflect.apply(_zod.check, undefined, [payload]);
    return pending === undefined && payload.issues.length === 0;
  };
}
