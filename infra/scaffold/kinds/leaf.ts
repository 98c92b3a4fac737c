import { Failure } from "../../bootstrap/failure.mjs";
import { addImport, type Edit, type Tree } from "../edits.ts";
import { importsOf } from "../importsOf.ts";
import { checkName, LOWER_CASE, toPascalCase } from "../names.ts";
import { places } from "../places.ts";

/** A leaf of the criteria language: its file, its line in the table of leaves, and its rule on the page on audiences. */
export function leafEdits(name: string, tree: Tree): Edit[] {
  checkName(name, LOWER_CASE);
  if (tree.read(places.leafTable).includes(`  ${name}Leaf,\n`)) {
    throw new Failure(`a leaf ${name} is there already: choose another name.`);
  }
  return [
    { path: `${places.leaves}/${name}.ts`, create: leafOf(name, tree) },
    { path: `${places.leaves}/${name}.test.ts`, create: testOf(name) },
    addImport(tree, places.leafTable, `import { ${name}Leaf } from "./${name}.ts";`),
    { path: places.leafTable, insert: `  ${name}Leaf,\n`, before: "];\n" },
    { path: places.audiencesGuide, insert: guideOf(name), before: "## What counts\n" },
  ];
}

function leafOf(name: string, tree: Tree): string {
  const noun = toPascalCase(name);
  const names = [
    ...["type Scope", "type LeafSet", "type Parse", "checkMembers", "type JsonObject", "pointer", "type Points"],
    ...["ALWAYS", "rowCodes", "type LeafDefinition"],
  ];
  return `import { z } from "zod";
${importsOf(tree, places.leafModel, names)}

interface ${noun}Leaf {
  readonly kind: "${name}";
  readonly path: string;
}

/** Every contact. */
export const ${name}Leaf: LeafDefinition<${noun}Leaf> = {
  kind: "${name}",
  forms: [{ ${name}: z.literal(true).describe("Every contact.") }],
  examples: [{ ${name}: true }],
  parse: parse${noun},
  select: select${noun},
  trend: ${name}Trend,
};

/** \`{"${name}": true}\`. */
function parse${noun}(input: JsonObject, path: string, { problems }: Parse): ${noun}Leaf | undefined {
  checkMembers(problems, input, path, ["${name}"]);
  if (input.${name} === true) return { kind: "${name}", path };
  return problems.add("bad_value", pointer(path, "${name}"), "${name} must be true", ["true"]);
}

function select${noun}(_: ${noun}Leaf, scope: Scope): LeafSet {
  return { set: scope.addSet(\`SELECT groupBitmapState(contact) FROM \${rowsOf(scope)}\`), complement: false };
}

function ${name}Trend(_: ${noun}Leaf, scope: Scope, points: Points): LeafSet {
  const codes = rowCodes(ALWAYS.points, points);
  return { set: points.addRows(\`SELECT contact AS owner, \${codes} AS codes FROM \${rowsOf(scope)}\`), complement: false };
}

function rowsOf({ account, within }: Scope): string {
  return \`contacts_current FINAL WHERE account = \${account} AND deleted = 0\${within}\`;
}
`;
}

function testOf(name: string): string {
  return `import { expect, test } from "vitest";
import { compileCriteria } from "../compile/compileCriteria.ts";
import { context, errorsOf } from "../parse/exampleAccount.ts";
import { parseCriteria } from "../parse/parseCriteria.ts";

const options = { account: 1, basis: "recorded", timezone: "UTC", now: 0, hasMerges: false, currency: "EUR" } as const;

test("${name} reads every contact once, however often it is named", () => {
  const parsed = parseCriteria({ or: [{ ${name}: true }, { not: { ${name}: true } }] }, context);
  if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
  const { sql } = compileCriteria(parsed.criteria, options);
  expect(sql.match(/ FROM contacts_current /g)).toHaveLength(1);
});

test("${name} takes true, and no other member", () => {
  expect(errorsOf({ ${name}: false })).toEqual(["/${name} bad_value"]);
  expect(errorsOf({ ${name}: true, within: {} })).toEqual(["/within unknown_member"]);
});
`;
}

const guideOf = (name: string) => `**${toPascalCase(name)}**: \`{"${name}":true}\` means every contact.\n\n`;
