import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ConsumerGroup, topology } from "@headwater/contracts";
import { expect, test } from "vitest";
import { ROOT, read, workspaces } from "./repository.ts";

const PATH = /`((?:apps|packages|infra|test|docs)\/[^`\s]+)`/g;
const CHANGES = 10;

const rows: readonly ConsumerGroup[] = topology;

test("the architecture page names every workspace once and no other", () => {
  const folders = cellsOf("Where things are").map(([folder]) => folder);
  const members = workspaces().map(({ folder }) => folder);
  expect(folders.sort()).toEqual(members.filter((folder) => folder !== ".").sort());
});

test("every file and folder that the architecture page names exists", () => {
  const named = pathsIn(read("docs/architecture.md"));
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the architecture page tells the file to change for each of ten changes", () => {
  const rows = rowsOf("Where would you change …");
  expect(rows).toHaveLength(CHANGES);
  expect(rows.filter((row) => !pathsIn(row).some((path) => /\.ts$/.test(path)))).toEqual([]);
});

test("the picture shows every process", () => {
  const [, picture = ""] = read("docs/architecture.md").split("```");
  const apps = workspaces().flatMap(({ folder }) => (folder.startsWith("apps/") ? [folder.slice("apps/".length)] : []));
  expect(apps.filter((app) => !new RegExp(`\\b${app}\\b`, "i").test(picture))).toEqual([]);
});

test("the architecture page shows the consumer groups of the topology", () => {
  const changes = rows.find(({ group }) => group === "history")?.reads ?? [];
  const view = cellsOf("Consumer groups").map(([group = "", reads = "", writes = ""]) => ({
    group,
    reads: namesIn(reads, changes),
    writes: namesIn(writes, changes),
  }));
  const expected = rows.map(({ group, reads, writes }) => ({
    group,
    reads: [...reads].sort(),
    writes: [...writes].sort(),
  }));
  expect(view).toEqual(expected);
});

/** Returns the cells of a section's table whose rows begin with code, without code marks. */
function cellsOf(section: string): string[][] {
  const lines = rowsOf(section).filter((line) => line.startsWith("| `"));
  return lines.map((line) => line.split("|").slice(1, -1).map(plain));
}

/** Returns the body rows of a section's table. */
function rowsOf(section: string): string[] {
  const text = read("docs/architecture.md").split(`## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const lines = text.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2);
}

function pathsIn(text: string): string[] {
  return [...text.matchAll(PATH)].map(([, path = ""]) => path);
}

function plain(cell: string): string {
  return cell.replaceAll("`", "").trim();
}

function namesIn(cell: string, changes: readonly string[]): string[] {
  return cell
    .split(", ")
    .flatMap((name) => (name === "changes.*" ? changes : [name]))
    .sort();
}
