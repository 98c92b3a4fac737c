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

/** Text of each process: its `main.ts` and the files next to it. The CLI is the operator's. */
const processes = [...Map.groupBy(shippedFiles(), ({ path }) => /^apps\/(?!cli\/)(\w+)\/src\/\w+\.ts$/.exec(path)?.[1])]
  .map(([process, files]) => ({ process, text: files.map(({ text }) => text).join("\n") }))
  .filter(({ text }) => /createPostgres\(/.test(text))
  .flatMap(({ process, text }) => (process === undefined ? [] : [{ process, text }]));

const CHECKED: readonly string[] = [
  "packages/jobs/src/queue/jobWorker.ts: new PgBoss(",
  "packages/postgres/src/connection/ownConnection.ts: new pg.Client(",
  "packages/postgres/src/connection/postgres.ts: new pg.Pool(",
];
/** Migrations are the operator's; the queue's entrance has no connection but its callers' transactions. */
const UNCHECKED: readonly string[] = [
  "packages/postgres/src/migrate/installJobQueue.ts: new PgBoss(",
  "packages/jobs/src/queue/jobQueue.ts: new PgBoss(",
  "packages/postgres/src/migrate/migrate.ts: new pg.Client(",
];

/** Connections by the function that opens them, as the guarantees name them. */
const CONNECTIONS: ReadonlyMap<string, string> = new Map([
  ["createPostgres", "pools"],
  ["listenForKeyChanges", "changes of keys"],
  ["createSoleHolder", "lock of the relay"],
  ["createHashIndexes", "builds of indexes"],
  ["createJobWorker", "job queue"],
]);

interface Connection {
  readonly opens: string;
  readonly options: string;
}

/** Finds the calls that are given the address of Postgres. The rounds of the guard itself ask servers that are refused. */
function connectionsOf(text: string): Connection[] {
  return [...text.matchAll(/config\.POSTGRES_URL/g)].flatMap(({ index }) => {
    const { callee, options } = callAround(text, index);
    return callee === "createGuardRounds" ? [] : [{ opens: CONNECTIONS.get(callee) ?? callee, options }];
  });
}

/** Returns the call whose object of options holds the index. */
function callAround(text: string, index: number): { readonly callee: string; readonly options: string } {
  let depth = 0;
  let from = index;
  for (; from > 0 && depth < 1; from -= 1) depth += depthOf(text[from - 1]);
  depth = 0;
  let to = index;
  for (; to < text.length && depth > -1; to += 1) depth += depthOf(text[to]);
  return { callee: /(\w+)\($/.exec(text.slice(0, from))?.[1] ?? "", options: text.slice(from, to) };
}

function depthOf(character: string | undefined): number {
  if (character === "{") return 1;
  return character === "}" ? -1 : 0;
}

function checksOf({ process, text }: { readonly process: string; readonly text: string }): Checks {
  const guard = /createStoreGuard\(\{(.*?)\n *\}\);/s.exec(text)?.[1] ?? "";
  const needed = /needed: \[([^\]]*)\]/.exec(guard)?.[1] ?? "";
  const waitsFor = [...needed.matchAll(/"(\w+)"/g)].flatMap(([, name]) => name ?? []);
  const witnesses = ["kafka", ...(/^ *clickhouse\b/m.test(guard) ? ["clickhouse"] : [])];
  return {
    process,
    waitsFor,
    asks: witnesses.filter((name) => !waitsFor.includes(name)),
    isEnded: guard.includes("lifecycle.fatal"),
  };
}

/** Rows of the table under the heading: process, connections, who is waited for, who is asked, what follows a loss. */
function documentedRows(): readonly string[][] {
  const [, section = ""] = read("docs/guarantees.md").split("## What each process checks of Postgres");
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((line) => line.split("|").map((cell) => cell.trim()));
}

function documentedConnections(): (readonly [string, readonly string[]])[] {
  return documentedRows().map(([, name = "", connections = ""]) => [
    name.replaceAll("`", ""),
    connections.split(", ").toSorted(),
  ]);
}

function documented(): Checks[] {
  return documentedRows().map(([, name = "", , waits = "", asks = "", loss = ""]) => {
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
  expect(processes.length).toBeGreaterThan(5);
  const found = processes.map(checksOf);
  expect(documented()).toEqual(found);
  for (const { waitsFor, asks, process } of found) expect([...waitsFor, ...asks], process).toContain("kafka");
});

test("the guarantees name every connection of a process, and each stands behind the guard", () => {
  expect(documentedConnections()).toEqual(
    processes.map(({ process, text }) => [
      process,
      [...new Set(connectionsOf(text).map(({ opens }) => opens))].toSorted(),
    ]),
  );
  for (const { process, text } of processes) {
    const unguarded = connectionsOf(text).filter(({ options }) => !/\badmission: guard\b/.test(options));
    expect(unguarded, process).toEqual([]);
    expect(text, process).toContain("createGuardRounds({ guard,");
  }
});

test("nobody opens a connection but what is checked, and what an operator starts", () => {
  const opening = shippedFiles().flatMap(({ path, text }) =>
    [...text.matchAll(/new (?:pg\.)?(?:Client|Pool|PgBoss)\(/g)].map(([found]) => ({ path, found, text })),
  );
  expect(opening.map(({ path, found }) => `${path}: ${found}`).toSorted()).toEqual(
    [...CHECKED, ...UNCHECKED].toSorted(),
  );
  const checked = opening.filter(({ path, found }) => CHECKED.includes(`${path}: ${found}`));
  for (const { path, text } of checked) expect(text, path).toMatch(/admitting\(|admission\?\.admit\(/);
  const users = shippedFiles().filter(({ path, text }) => path.startsWith("apps/") && text.includes("POSTGRES_URL"));
  const others = users.filter(({ path }) => !/^apps\/(\w+\/src\/\w+\.ts$|cli\/)/.test(path));
  expect(others.map(({ path }) => path)).toEqual([]);
});
