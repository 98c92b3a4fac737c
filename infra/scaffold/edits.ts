import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../bootstrap/failure.mjs";

/** One change of the tree: a new file, or a text next to an anchor that stands once in a file. */
export type Edit =
  | { readonly path: string; readonly create: string }
  | { readonly path: string; readonly insert: string; readonly before: string }
  | { readonly path: string; readonly insert: string; readonly after: string };

/** Reads the tree that is scaffolded into; paths are relative to its root. */
export interface Tree {
  has(path: string): boolean;
  read(path: string): string;
  /** Names of the files of a folder. */
  list(path: string): readonly string[];
}

export function createTree(root: string): Tree {
  return {
    has: (path) => existsSync(join(root, path)),
    read: (path) => readFileSync(join(root, path), "utf8"),
    list: (path) => readdirSync(join(root, path)),
  };
}

/** Makes all edits or none, and returns the paths of the files they changed. A Failure when something is there or an anchor is not. */
export function applyEdits(root: string, edits: readonly Edit[]): string[] {
  const tree = createTree(root);
  const texts = new Map<string, string>();
  for (const edit of edits) texts.set(edit.path, edited(edit, texts.get(edit.path), tree));
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [...texts.keys()];
}

function edited(edit: Edit, before: string | undefined, tree: Tree): string {
  if ("create" in edit) {
    if (tree.has(edit.path)) throw new Failure(`${edit.path} is there already: choose another name.`);
    return edit.create;
  }
  const text = before ?? tree.read(edit.path);
  const anchor = "before" in edit ? edit.before : edit.after;
  const [head = "", tail, ...more] = text.split(anchor);
  if (tail === undefined || more.length > 0) {
    throw new Failure(
      `${JSON.stringify(anchor)} stands not once in ${edit.path}: bring infra/scaffold up to the file.`,
    );
  }
  return "before" in edit ? `${head}${edit.insert}${anchor}${tail}` : `${head}${anchor}${edit.insert}${tail}`;
}

/** Puts an import first in a file; formatting sorts it in. */
export function addImport(tree: Tree, path: string, line: string): Edit {
  const first = /^import .*$/m.exec(tree.read(path))?.[0];
  if (first === undefined) throw new Failure(`${path} imports nothing: bring infra/scaffold up to the file.`);
  return { path, insert: `${line}\n`, before: `${first}\n` };
}
