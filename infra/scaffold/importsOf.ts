import { Failure } from "../bootstrap/failure.mjs";
import type { Tree } from "./edits.ts";

/**
 * Returns the import statements of `model` that bring `names`, for a new file that stands as deep in the same package. So a new slice
 * follows its neighbours when what they share moves.
 */
export function importsOf(tree: Tree, model: string, names: readonly string[]): string {
  const statements = [...tree.read(model).matchAll(/^import (?:type )?\{([^}]*)\} from ("[^"]+");$/gm)];
  return names.map((name) => `import { ${found(name, statements, model)};`).join("\n");
}

function found(name: string, statements: readonly RegExpExecArray[], model: string): string {
  const bare = name.replace(/^type /, "");
  for (const [, members = "", module = ""] of statements) {
    const listed = members.split(",").map((member) => member.trim().replace(/^type /, ""));
    if (listed.includes(bare)) return `${name} } from ${module}`;
  }
  throw new Failure(`${model} does not import ${bare}: bring infra/scaffold up to the file.`);
}
