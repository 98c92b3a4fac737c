import { CHANGE_TOPICS, type ConsumerGroup, GROUP_NAMES, topology } from "@headwater/contracts";
import { catalogue } from "@headwater/topics";
import { expect, test } from "vitest";
import { read, shippedFiles } from "./repository.ts";

const TABLE = "packages/contracts/src/topology.ts";
const rows: readonly ConsumerGroup[] = topology;
const topics = new Set(rows.flatMap(({ reads, writes }) => [...reads, ...writes]).filter((name) => name.includes(".")));

/** Array literals that list two of the names or more, quoted and side by side. */
function listsOf(names: Iterable<string>): string[] {
  const name = [...names].map((each) => `"${each.replaceAll(".", "\\.")}"`).join("|");
  const list = new RegExp(`\\[\\s*(?:${name}),\\s*(?:${name})`);
  const files = shippedFiles().filter(({ path }) => path !== TABLE && !path.includes("/generated/"));
  return files.filter(({ text }) => list.test(text)).map(({ path }) => path);
}

test("topics are listed in the topology and nowhere else", () => {
  expect(topics.size).toBeGreaterThan(5);
  expect(listsOf(topics)).toEqual([]);
});

test("groups are listed in the topology and nowhere else", () => {
  expect(listsOf(GROUP_NAMES)).toEqual([]);
});

test("the catalogue has every topic that a group reads or writes", () => {
  const known = catalogue.map(({ name }) => name);
  for (const topic of topics) expect(known).toContain(topic);
});

test("the README shows every group with what it reads and writes", () => {
  const text = read("README.md");
  for (const { group, reads, writes } of rows) {
    const cells = text
      .split("\n")
      .find((line) => line.startsWith(`| \`${group}\``))
      ?.split("|")
      .map((cell) => cell.trim());
    expect(cells?.slice(1, 4), group).toEqual([`\`${group}\``, view(reads), view(writes)]);
  }
});

/** Names in code marks, those of one kind together: `changes.*`. */
function view(names: readonly string[]): string {
  const changes: readonly string[] = CHANGE_TOPICS;
  const isEvery = changes.every((name) => names.includes(name));
  const stored = isEvery ? [...names.filter((name) => !changes.includes(name)), "changes.*"] : names;
  return stored.map((name) => `\`${name}\``).join(", ");
}
