import { addImport, type Edit, type Tree } from "../edits.ts";
import { CAMEL_CASE, checkName, toPascalCase, toWords } from "../names.ts";
import { places } from "../places.ts";

/** A command of `headwater` that asks the service: its file and test, its position in the tree of commands, and its row in the guide. */
export function commandEdits(name: string, tree: Tree): Edit[] {
  checkName(name, CAMEL_CASE);
  const typed = toWords(name).join("-");
  const add = `add${toPascalCase(name)}`;
  return [
    { path: `${places.commands}/${name}.ts`, create: commandOf(name, typed) },
    { path: `${places.commands}/${name}.test.ts`, create: testOf(typed) },
    addImport(tree, places.commandRegistry, `import { ${add} } from "./commands/${name}.ts";`),
    { path: places.commandRegistry, insert: `${add}, `, before: "addStatus, addMigrate" },
    {
      path: places.commandGuide,
      insert: `| \`${typed}\` | shows the account that the key opens |\n`,
      before: "| operators ",
    },
  ];
}

function commandOf(name: string, typed: string): string {
  return `import type { Command } from "commander";
import type { Call, CallOf } from "../call.ts";
import { showOne } from "../output/show.ts";
import { isMembers } from "../requests/readInput.ts";
import { addLeaf } from "./command.ts";

export function add${toPascalCase(name)}(program: Command, callOf: CallOf): void {
  const leaf = {
    usage: "${typed}",
    summary: "Show the account that the key opens.",
    examples: ["headwater ${typed}", "headwater ${typed} --json"],
    run: ${name},
  };
  addLeaf(program, leaf, callOf);
}

async function ${name}(call: Call): Promise<void> {
  const { body } = await call.service().request({ method: "GET", path: "/v2/account" });
  showOne(call, isMembers(body) ? body : {});
}
`;
}

function testOf(typed: string): string {
  return `import { startStubApi } from "@headwater/testing";
import { expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

test("${typed} shows what the service answers", async () => {
  await using command = createTestCommand(await startStubApi(() => ({ status: 200, body: { name: "shop" } })));
  const { code, out } = await command.run(["${typed}", "--json"]);
  expect([code, JSON.parse(out)]).toEqual([0, { name: "shop" }]);
  expect(command.api.came.map(({ path }) => path)).toEqual(["/v2/account"]);
});
`;
}
