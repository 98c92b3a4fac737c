import { expect, test } from "vitest";
import { read, shippedFiles } from "./repository.ts";

/*
 * A process that writes Postgres asks others what they have seen of it before it uses a server. `docs/guarantees.md` says which
 * process asks whom; this compares it with how each of them is put together.
 */

interface Checks {
  readonly process: string;
  /** Witnesses that are waited for, and that are asked as soon as they answer. */
  readonly waitsFor: readonly string[];
  readonly asks: readonly string[];
  readonly isEnded: boolean;
}

const mains = shippedFiles().filter(
  ({ path, text }) => /^apps\/\w+\/src\/main\.ts$/.test(path) && /createPostgres\(/.test(text),
);

function checksOf({ path, text }: { readonly path: string; readonly text: string }): Checks {
  const guard = /createStoreGuard\(\{(.*?)\n\}\);/s.exec(text)?.[1] ?? "";
  const needed = /needed: \[([^\]]*)\]/.exec(guard)?.[1] ?? "";
  const waitsFor = [...needed.matchAll(/"(\w+)"/g)].flatMap(([, name]) => name ?? []);
  const witnesses = ["kafka", ...(/^ {2}clickhouse\b/m.test(guard) ? ["clickhouse"] : [])];
  return {
    process: path.split("/")[1] ?? "",
    waitsFor,
    asks: witnesses.filter((name) => !waitsFor.includes(name)),
    isEnded: guard.includes("lifecycle.fatal"),
  };
}

/** Rows of the table under the heading: process, who is waited for, who is asked, what follows a loss. */
function documented(): Checks[] {
  const [, section = ""] = read("docs/guarantees.md").split("## What each process checks of Postgres");
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((line) => {
    const [, name = "", waits = "", asks = "", loss = ""] = line.split("|").map((cell) => cell.trim());
    const names = (cell: string) => [...cell.toLowerCase().matchAll(/kafka|clickhouse/g)].map(([one]) => one);
    return {
      process: name.replaceAll("`", ""),
      waitsFor: names(waits),
      asks: names(asks),
      isEnded: loss.startsWith("ends"),
    };
  });
}

test("the guarantees say of each process what it checks of Postgres", () => {
  expect(mains.length).toBeGreaterThan(5);
  const found = mains.map(checksOf);
  expect(documented()).toEqual(found);
  for (const { waitsFor, asks, process } of found) expect([...waitsFor, ...asks], process).toContain("kafka");
});

test("every pool of connections stands behind the guard", () => {
  for (const { path, text } of mains) {
    const pools = [...text.matchAll(/const (\w+) = createPostgres\(\{(.*?)\n\}\);/gs)];
    const unguarded = pools.filter(([, , options = ""]) => !/^ {2}admission: guard,$/m.test(options));
    expect(
      unguarded.map(([, name]) => name),
      path,
    ).toEqual([]);
    expect(pools.length, path).toBeGreaterThan(0);
    expect(text, path).toContain("createGuardRounds({ guard,");
  }
});
