import { addImport, type Edit, type Tree } from "../edits.ts";
import { checkName, LOWER_CASE } from "../names.ts";
import { places } from "../places.ts";

/** A partner with one endpoint, which pushes contacts: its folders, its name, and its line in the registry. */
export function partnerEdits(name: string, tree: Tree): Edit[] {
  checkName(name, LOWER_CASE);
  const folder = `${places.partners}/${name}`;
  return [
    { path: `${folder}/index.ts`, create: `export { contacts } from "./contacts/contacts.ts";\n` },
    { path: `${folder}/contacts/schema.ts`, create: SCHEMA },
    { path: `${folder}/contacts/map.ts`, create: MAP },
    { path: `${folder}/contacts/contacts.ts`, create: indexOf(name) },
    { path: `${folder}/${name}.test.ts`, create: testOf(name) },
    addImport(tree, places.partnerRegistry, `import * as ${name} from "./${name}/index.ts";`),
    { path: places.partnerRegistry, insert: `  ${name}.contacts,\n`, before: "];\n" },
    {
      path: places.partnerStatuses,
      insert: `  ${name}: [202, 422, 400, 415],\n`,
      before: "};\n\nconst named = partnerEndpoints",
    },
    { path: places.partnerNames, insert: `"${name}" | `, after: "export type PartnerName = " },
  ];
}

const SCHEMA = `import { z } from "zod";

/** The envelope is open, and its contacts are judged one by one. */
export const body = z.looseObject({ contacts: z.array(z.unknown()) });
export type Body = z.infer<typeof body>;

export const sample = { contacts: [{ email: "ann@example.com", attributes: { first_name: "Ann" } }] };
`;

const MAP = `import type { AccountSettings } from "@headwater/contracts";
import type { MapContext } from "../../endpoint.ts";
import { knownIdentifiers, refusedIdentities, whyUnidentified } from "../../identity.ts";
import { type Part, type Push, refusedPart } from "../../push.ts";
import { isMembers } from "../../reading.ts";
import type { Body } from "./schema.ts";

/** Each contact of the push becomes an upsert of its own. */
export function map({ contacts }: Body, { settings }: MapContext): Push {
  return { parts: contacts.flatMap((contact, index) => partsOf(contact, \`/contacts/\${index}\`, settings)) };
}

function partsOf(contact: unknown, path: string, settings: AccountSettings): Part[] {
  if (!isMembers(contact)) return [refusedPart(path, contact, "A contact is an object.")];
  const found = knownIdentifiers(settings, contact);
  const why = whyUnidentified(settings, found);
  if (why !== undefined) return [refusedPart(path, contact, why.message, why.code)];
  const { attributes } = contact;
  const written = isMembers(attributes) ? { attributes, canBeCreated: true, canBeUpdated: true } : {};
  const item = { kind: "item", path, operation: "upsertContact" } as const;
  return [{ ...item, body: { identifiers: found.identifiers, ...written } }, ...refusedIdentities(path, found)];
}
`;

function indexOf(name: string): string {
  return `import { defineEndpoint } from "../../endpoint.ts";
import { map } from "./map.ts";
import { body, sample } from "./schema.ts";

export const contacts = defineEndpoint({
  partner: "${name}",
  name: "contacts",
  path: "/api/${name}/contacts",
  summary: "Takes contacts with their attributes.",
  auth: { kind: "apiKey" },
  statuses: { accepted: 202, badShape: 422, badJson: 400, wrongType: "UNSUPPORTED_MEDIA_TYPE" },
  body,
  sample,
  map,
});
`;
}

function testOf(name: string): string {
  return `import { defaultSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { contacts } from "./contacts/contacts.ts";

const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: 0, bodyHash: "" };

test("each contact of a ${name} push becomes an upsert, and one without an identifier is refused alone", () => {
  const attributes = { first_name: "Ann" };
  const pushed = { contacts: [{ email: "ann@x.org", attributes }, { attributes }, "bob"] };
  expect(contacts.map(contacts.body.parse(pushed), context).parts).toMatchObject([
    {
      kind: "item",
      path: "/contacts/0",
      operation: "upsertContact",
      body: { identifiers: { email: "ann@x.org" }, attributes, canBeCreated: true, canBeUpdated: true },
    },
    { kind: "refused", path: "/contacts/1", verdict: "rejected" },
    { kind: "refused", path: "/contacts/2", verdict: "rejected" },
  ]);
});
`;
}
