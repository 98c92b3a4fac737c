import { Failure } from "../bootstrap/failure.mjs";

interface NameRule {
  readonly pattern: RegExp;
  readonly says: string;
}

export const CAMEL_CASE: NameRule = {
  pattern: /^[a-z]+([A-Z][a-z0-9]+)+$/,
  says: "a verb and a noun in camelCase: countStock",
};
export const PASCAL_CASE: NameRule = {
  pattern: /^([A-Z][a-z0-9]+)+$/,
  says: "a verb and a noun in PascalCase: CountStock",
};
export const LOWER_CASE: NameRule = { pattern: /^[a-z][a-z0-9]+$/, says: "one word in lower case: shopsync" };
export const PLURAL: NameRule = {
  pattern: /^[a-z]+s$/,
  says: "a noun in the plural, in lower case: warehouses",
};

export function checkName(name: string, { pattern, says }: NameRule): void {
  if (!pattern.test(name)) throw new Failure(`the name ${JSON.stringify(name)} is not ${says}.`);
}

/** `countStock` -> `CountStock` */
export function toPascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `CountStock` -> `countStock` */
export function toCamelCase(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** `countStock` -> `["count", "stock"]` */
export function toWords(name: string): string[] {
  return name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
}
