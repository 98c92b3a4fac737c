import { type ConsumerGroup, topology } from "@headwater/contracts";
import { expect, test } from "vitest";
import { read, workspaces } from "./repository.ts";

const rows: readonly ConsumerGroup[] = topology;

test("the architecture page names every workspace once and no other", () => {
  const folders = cellsOf("Where things are").map(([folder]) => folder);
  const members = workspaces().map(({ folder }) => folder);
  expect(folders.sort()).toEqual(members.filter((folder) => folder !== ".").sort());
});

test("the architecture page shows the consumer groups of the topology", () => {
  const changes = rows.find(({ group }) => group === "history")?.reads ?? [];
  const shown = cellsOf("Consumer groups").map(([group = "", reads = "", writes = ""]) => ({
    group,
    reads: namesIn(reads, changes),
    writes: namesIn(writes, changes),
  }));
  const expected = rows.map(({ group, reads, writes }) => ({
    group,
    reads: [...reads].sort(),
    writes: [...writes].sort(),
  }));
  expect(shown).toEqual(expected);
});

/** Returns the body rows of a section's table, cells without code marks. */
function cellsOf(section: string): string[][] {
  const text = read("docs/architecture.md").split(`## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const lines = text.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => line.split("|").slice(1, -1).map(plain));
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
