import { addImport, type Edit, type Tree } from "../edits.ts";
import { importsOf } from "../importsOf.ts";
import { CAMEL_CASE, checkName, toPascalCase } from "../names.ts";
import { places } from "../places.ts";

/** An operation of intake: its folder, its line in the registry, its item in the client, and the files where tests draw items. */
export function operationEdits(name: string, tree: Tree): Edit[] {
  checkName(name, CAMEL_CASE);
  const folder = `${places.operations}/${name}`;
  return [
    { path: `${folder}/schema.ts`, create: schemaOf(name) },
    { path: `${folder}/fold.ts`, create: foldOf(name, tree) },
    { path: `${folder}/${name}.ts`, create: definitionOf(name, tree) },
    { path: `${folder}/${name}.test.ts`, create: testOf(name, tree) },
    addImport(tree, places.operationRegistry, `import { ${name} } from "./${name}/${name}.ts";`),
    { path: places.operationRegistry, insert: `  ${name},\n`, before: "] as const satisfies readonly Operation[];" },
    { path: places.clientItems, insert: itemOf(name), before: "}\n\nexport type OperationName" },
    { path: places.clientOperations, insert: `  ${name}: 500,\n`, before: "};\n\n/** The API's bound on one item" },
    { path: places.clientItemsTest, insert: `  ${name},\n`, before: "  ...others\n] = operations;" },
    { path: places.clientItemsTest, insert: typeTestOf(name), before: "  // Types are compared" },
    { path: places.lawItems, insert: lawItemOf(name), after: "(drawn: Drawn) => Members>> = {\n" },
    {
      path: places.producersGuide,
      insert: `| \`${name}\` | the contact it is about | 500 |\n`,
      before: "\nAn item may have",
    },
    { path: places.pushOperations, insert: `  "${name}",\n`, before: `  "setOrderStatus",\n` },
  ];
}

function schemaOf(name: string): string {
  return `import { shapes } from "@headwater/contracts";
import { z } from "zod";

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  contact: shapes.contact,
});
export const record = z.strictObject({ ...shapes.recordMembers, contact: shapes.contact });
export type ${toPascalCase(name)}Record = z.infer<typeof record>;
`;
}

function foldOf(name: string, tree: Tree): string {
  const names = [
    ...["type FoldState", "type Folded", "type Origin"],
    ...["resolveContact", "applied", "folded", "skipped", "unresolved"],
  ];
  return `${importsOf(tree, `${places.operationModel}/fold.ts`, names)}
import type { ${toPascalCase(name)}Record } from "./schema.ts";

/** Finds the contact and attaches the identifiers that are new to it. */
export function fold(state: FoldState, record: ${toPascalCase(name)}Record, origin: Origin): Folded {
  const found = resolveContact(state, record.contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "/contact"));
  if (!found.identityChanged) return folded(skipped("UNCHANGED", found.warnings), found.changeEvents);
  return folded(applied(found.contact.number, found.warnings), found.changeEvents);
}
`;
}

function definitionOf(name: string, tree: Tree): string {
  return `${importsOf(tree, `${places.operationModel}/setOrderStatus.ts`, ["identifiersTouched", "readIdentifiers", "checkContact"])}
import { defineOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { body, record } from "./schema.ts";

export const ${name} = defineOperation({
  name: "${name}",
  summary: "Attaches identifiers to a contact.",
  batchItemsMax: 500,
  body,
  record,
  sample: { contact: { identifiers: { email: "ann@example.com", customer_id: 4712 } } },
  check: ({ contact }) => checkContact(contact, "/contact"),
  split: ({ contact }) => [{ contact, members: { contact } }],
  reads: ({ contact }, origin) => {
    const read = readIdentifiers(contact, origin);
    return { identifiers: identifiersTouched(read), read, members: true };
  },
  fold,
});
`;
}

function testOf(name: string, tree: Tree): string {
  const names = ["type Account", "defaultSettings", "versionOf", "MemoryState"];
  return `${importsOf(tree, `${places.operationModel}/setOrderStatus.test.ts`, names)}
import { expect, test } from "vitest";
import { ${name} } from "./${name}.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

function placed(offset: number, contact: object) {
  const version = versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
  return { operation: ${name}, version, record: { id: \`r\${offset}:0:0\`, receivedAt: 0, contact } };
}

test("a repeat of ${name} is unchanged, and a contact that is not known is rejected", () => {
  const contact = { identifiers: { email: "ann@x.org" } };
  const created = { ...contact, attributes: { first_name: "Ann" }, canBeCreated: true };
  const state = new MemoryState();
  expect(state.apply(account, [placed(1, contact)])).toMatchObject([{ kind: "rejected" }]);
  expect(state.apply(account, [placed(2, created), placed(3, created)])).toMatchObject([
    { kind: "applied" },
    { kind: "skipped", code: "UNCHANGED" },
  ]);
});
`;
}

const itemOf = (name: string) => `  readonly ${name}: Sourced & { readonly contact: Contact };\n`;
const typeTestOf = (name: string) => `  expectTypeOf<Sent<"${name}">>().toEqualTypeOf<Accepted<typeof ${name}>>();\n`;
const lawItemOf = (name: string) =>
  `  ${name}: (drawn) => ({ contact: contactOf(drawn, capacityFor(drawn)), ...unknownOf(drawn) }),\n`;
