import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { startStubApi } from "@headwater/testing";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { createMemoryTerminal } from "../memoryTerminal.ts";
import { createProgram } from "../program.ts";
import { createTestCommand, page } from "../testCommand.ts";

const startTestCommand = async (...provided: Parameters<typeof startStubApi>) =>
  createTestCommand(await startStubApi(...provided));

const program = createProgram({
  terminal: createMemoryTerminal().terminal,
  callOf: () => {
    throw new Error("nothing is run");
  },
});
const leaves = walk(program);

function walk(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(walk);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function helpOf(command: Command): string {
  let text = "";
  command
    .configureOutput({
      writeOut: (more) => {
        text += more;
      },
    })
    .outputHelp();
  return text;
}

test("every command has examples, which begin with its name and use options that it has", () => {
  expect(leaves.length).toBeGreaterThan(80);
  for (const leaf of leaves) {
    const examples = helpOf(leaf).split("Examples:")[1] ?? "";
    const path = pathOf(leaf);
    expect(examples, path).toContain(path);
    const known = new Set([...leaf.options, ...program.options].flatMap(({ short, long }) => [short, long]));
    const lines = examples.split("\n").filter((line) => line.includes(path));
    const used = lines.flatMap((line) => [
      ...line.slice(line.indexOf(path)).matchAll(/ (--?[a-z][a-z-]*)(?=[ =]|$)/gi),
    ]);
    expect(
      used.map(([, option]) => option).filter((option) => !known.has(option)),
      path,
    ).toEqual([]);
  }
});

test("what cannot be taken back has --yes, and what sends something has --dry-run", () => {
  const destructive = leaves.filter((leaf) => /^(delete|clear|merge|cancel|rm|revoke)$/.test(leaf.name()));
  expect(destructive.length).toBeGreaterThan(12);
  for (const leaf of destructive) {
    const options = leaf.options.map(({ long }) => long);
    expect([pathOf(leaf), options]).toEqual([pathOf(leaf), expect.arrayContaining(["--yes", "--dry-run"])]);
  }
  for (const leaf of leaves.filter(({ options }) => options.some(({ long }) => long === "--idempotency-key"))) {
    expect([pathOf(leaf), leaf.options.map(({ long }) => long)]).toEqual([
      pathOf(leaf),
      expect.arrayContaining(["--dry-run"]),
    ]);
  }
});

describe("contacts", () => {
  test("merge keeps the options of its file and names both sides", async () => {
    await using command = await startTestCommand(() => ({ status: 202, body: { jobId: "j" } }));
    await command.run(["contacts", "merge", "a", "b", "--yes", "-f", "-"], { input: '{"options":{"orders":"merge"}}' });
    await command.run(["contacts", "merge", "a", "b", "--yes"]);
    const bodies = command.api.came.map(({ body }) => JSON.parse(body));
    const both = { sourceContact: "a", destinationContact: "b" };
    expect(bodies).toEqual([
      { ...both, options: { orders: "merge" } },
      { ...both, options: {} },
    ]);
  });

  test("timeline finds by cID or address, and says so of other names", async () => {
    await using command = await startTestCommand(() => page([]));
    const cid = "65f0c0ffee65f0c0ffee0001";
    for (const contact of [cid, `cID:${cid}`, "ada@x.org"]) await command.run(["contacts", "timeline", contact]);
    const queries = command.api.came.map(({ path }) => new URL(path, "http://x").searchParams);
    expect(queries.map((query) => query.get("cID") ?? query.get("email"))).toEqual([cid, cid, "ada@x.org"]);
    expect((await command.run(["contacts", "timeline", "customer_id:1"])).code).toBe(2);
  });

  test("cart remove takes one sku, or the product's lines in their order", async () => {
    await using command = await startTestCommand(() => ({ status: 200, body: { success: true } }));
    await command.run(["contacts", "cart", "remove", "ada@x.org", "p", "2"]);
    await command.run(["contacts", "cart", "remove", "ada@x.org", "p", "2", "s"]);
    const path = "/v2/contacts/ada%40x.org/cartitems/p/2";
    expect(command.api.came.map((came) => came.path)).toEqual([path, `${path}/s`]);
  });
});

describe("lists add and remove", () => {
  const accepted = { status: 202, body: { requestId: "r", receipt: "token" } };

  test("name the list by its name or id, and with --wait end with the receipt", async () => {
    await using command = await startTestCommand(({ method, path }) => {
      if (method === "PUT") return accepted;
      if (path.startsWith("/v2/accountlists?")) return { status: 200, body: { data: [{ id: 7 }] } };
      const body = { state: "partly_rejected", records: { applied: 1, rejected: 1 }, rejections: [] };
      return { status: 200, body };
    });
    await command.run(["lists", "add", "vip", "ada@x.org", "customer_id:17", "--create"]);
    const waited = await command.run(["lists", "remove", "12", "-y", "-f", "-", "--wait"], { input: '[{"cID":"x"}]' });
    expect([waited.code, waited.said]).toEqual([1, "partly_rejected: 1 applied, 1 rejected\n"]);
    const [find, add, remove, receipt] = command.api.came;
    expect(find?.path).toContain("name=vip");
    expect([add?.path, JSON.parse(add?.body ?? "")]).toEqual([
      "/v2/accountlists/7/members",
      { add: [{ email: "ada@x.org" }, { customer_id: "17" }], canBeCreated: true },
    ]);
    expect([remove?.path, JSON.parse(remove?.body ?? "")]).toEqual([
      "/v2/accountlists/12/members",
      { remove: [{ cID: "x" }] },
    ]);
    expect(receipt?.path).toContain("/v2/receipts/token?wait=20");
  });

  test("refuse a contact that does not say what it is, none, and too many", async () => {
    await using command = await startTestCommand(() => accepted);
    const many = JSON.stringify(Array.from({ length: 1_001 }, () => ({ email: "a@x.org" })));
    for (const args of [["17850"], [], ["-f", "-"]]) {
      expect((await command.run(["lists", "add", "vip", ...args], { input: many })).code).toBe(2);
    }
    expect(command.api.came).toEqual([]);
  });
});

describe("ingest", () => {
  test("batch cuts lines into batches, gives each its own key, shows each refusal and exits 1", async () => {
    await using command = await startTestCommand(({ path }, count) => ({
      status: 202,
      body: { receipt: `t${count}`, accepted: path.endsWith("batch") ? 1 : 0, ...(count === 2 && refusal) },
    }));
    const refusal = { rejected: 1, items: [{ index: 0, status: "rejected", code: "X", path: "/p", message: "No." }] };
    const input = `${Array.from({ length: 101 }, (_, at) => JSON.stringify({ at })).join("\n")}\n\n`;
    const args = ["ingest", "batch", "upsertOrder", "-f", "-", "--idempotency-key", "k", "-o", "csv"];
    const ran = await command.run(args, { input });
    expect(ran.code).toBe(1);
    expect(ran.out).toBe("batch,items,accepted,rejected,state,receipt\n1,100,1,,accepted,t1\n2,1,1,1,accepted,t2\n");
    expect(ran.said).toBe("batch 2, item 0: X /p No.\n");
    expect(command.api.came.map(({ path, headers }) => [path, headers["idempotency-key"]])).toEqual([
      ["/api/upsertOrder/batch", "k-1"],
      ["/api/upsertOrder/batch", "k-2"],
    ]);
    expect(JSON.parse(command.api.came[1]?.body ?? "")).toEqual({ items: [{ at: 100 }] });
  });

  test("names the line that is no JSON, and the operations there are", async () => {
    await using command = await startTestCommand(() => ({ status: 202, body: {} }));
    const broken = await command.run(["ingest", "batch", "upsertOrder", "-f", "-"], { input: '{"a":1}\n{' });
    expect(broken.code).toBe(5);
    expect(broken.said).toContain("Line 2 is not JSON");
    const input = `${'{"a":1}\n'.repeat(100)}{`;
    const later = await command.run(["ingest", "batch", "upsertOrder", "-f", "-", "--json"], { input });
    expect([later.code, JSON.parse(later.out)]).toEqual([5, [{ batch: 1, items: 100, state: "accepted" }]]);
    expect((await command.run(["ingest", "send", "upsertOrders", "--set", "a=b"])).said).toContain("upsertContact, ");
    expect((await command.run(["ingest", "batch", "upsertOrder", "-f", "-"], { input: "\n" })).code).toBe(2);
    const marked = await command.run(["ingest", "batch", "upsertOrder", "-f", "-", "--json"], {
      input: '\ufeff{"a":1}\n',
    });
    expect(JSON.parse(marked.out)).toMatchObject([{ items: 1 }]);
  });
});

describe("audiences", () => {
  test("diff counts three criteria at one moment", async () => {
    const counts = [3, 4, 5];
    await using command = await startTestCommand((_came, count) => ({
      status: 200,
      body: { count: counts[count - 1] },
    }));
    const a = { criteria: { list: "a", op: "in" }, explain: true };
    const b = { list: "b", op: "in", timezone: "UTC" };
    await using files = await filesOf({ a, b });
    const { out } = await command.run(["audiences", "diff", files.path("a"), files.path("b"), "--json"]);
    expect(JSON.parse(out).map(({ count }: { count: number }) => count)).toEqual(counts);
    const bodies = command.api.came.map(({ body }) => JSON.parse(body));
    const [listA, listB] = [
      { list: "a", op: "in" },
      { list: "b", op: "in" },
    ];
    expect(bodies.map(({ criteria }) => criteria)).toEqual([
      { and: [listA, { not: listB }] },
      { and: [listB, { not: listA }] },
      { and: [listA, listB] },
    ]);
    expect(new Set(bodies.map(({ asOf }) => asOf)).size).toBe(1);
  });

  test("diff and explain are of the moment that was typed", async () => {
    const asOf = "2026-01-01T00:00:00.000Z";
    const body = { count: 3, asOf: "2026-02-02T00:00:00.000Z", options: { asOf }, explain: [{ path: "", count: 3 }] };
    await using command = await startTestCommand(() => ({ status: 200, body }));
    await using files = await filesOf({ a: { list: "a", op: "in" } });
    const a = files.path("a");
    await command.run(["audiences", "diff", a, a, "--as-of", "2026-01-01", "--basis", "event"]);
    const sent = command.api.came.map(({ body: text }) => JSON.parse(text));
    expect(sent.map((one) => [one.asOf, one.basis])).toEqual(Array(3).fill(["2026-01-01", "event"]));
    const explained = await command.run(["audiences", "explain", "-f", a, "--as-of", "2026-01-01"]);
    expect(explained.said).toContain(`3 contacts as of ${asOf}`);
  });
});

async function filesOf(documents: Readonly<Record<string, unknown>>) {
  const folder = await mkdtemp(`${tmpdir()}/headwater-files-`);
  for (const [name, document] of Object.entries(documents))
    await writeFile(`${folder}/${name}`, JSON.stringify(document));
  return {
    path: (name: string) => `${folder}/${name}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

test("ingest batch shows the members that --fields names, null where a batch has none", async () => {
  await using command = await startTestCommand(() => ({
    status: 202,
    body: { accepted: 1, rejected: 0, receipt: "r" },
  }));
  const input = '\ufeff{"identifiers":{"email":"a@x.org"}}\n';
  const args = ["ingest", "batch", "upsertContact", "-f", "-", "-o", "ndjson", "--fields"];
  expect((await command.run([...args, "batch,state,records"], { input })).out).toBe(
    '{"batch":1,"state":"accepted","records":null}\n',
  );
  expect(await command.run([...args, "stat"], { input })).toMatchObject({
    code: 2,
    said: expect.stringContaining("Did you mean state?"),
  });
  expect(command.api.came).toHaveLength(1);
});

test("api sends what has no command, and asks before it deletes", async () => {
  await using command = await startTestCommand(() => ({ status: 200, body: { data: [{ a: 1 }, { a: 2 }] } }));
  expect((await command.run(["api", "get", "/v2/x?b=c"])).out).toBe(
    `${JSON.stringify({ data: [{ a: 1 }, { a: 2 }] }, undefined, 2)}\n`,
  );
  expect((await command.run(["api", "GET", "/v2/x", "-o", "csv"])).out).toBe("a\n1\n2\n");
  await command.run(["api", "PUT", "/v2/x", "--set", "a=1"]);
  expect(command.api.came.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["GET", "/v2/x?b=c", ""],
    ["GET", "/v2/x", ""],
    ["PUT", "/v2/x", '{"a":"1"}'],
  ]);
  for (const args of [
    ["DELETE", "/v2/x"],
    ["PATCH", "/v2/x"],
    ["GET", "https://elsewhere.example/v2/"],
  ]) {
    expect((await command.run(["api", ...args])).code).toBe(2);
  }
  expect(command.api.came.length).toBe(3);
});

test("export profile waits for its job and prints the file, by the path of its link", async () => {
  const job = {
    id: "j",
    status: "Done",
    completedItems: 1,
    totalItems: 1,
    metadata: { files: [{ url: "/v2/files/f?expires=1&signature=s" }] },
  };
  await using command = await startTestCommand(({ method, path }) => {
    if (method === "POST") return { status: 202, body: { jobId: "j" } };
    return { status: 200, body: path.startsWith("/v2/files/") ? { type: "contact" } : job };
  });
  expect((await command.run(["export", "profile", "ada@x.org"])).out).toBe('{"type":"contact"}');
  expect(command.api.came.map(({ path }) => path)).toEqual([
    "/v2/contacts/ada%40x.org/downloadprofile",
    "/v2/jobs/j",
    "/v2/files/f?expires=1&signature=s",
  ]);
});

test("export audiences sends keys, moments and members of a file, and prints the file", async () => {
  const job = { id: "j", status: "Done", metadata: { files: [{ url: "/v2/files/f?signature=s" }] } };
  await using command = await startTestCommand(({ method, path }) => {
    if (method === "POST") return { status: 202, body: { jobId: "j" } };
    return { status: 200, body: path.startsWith("/v2/files/") ? { count: 3 } : job };
  });
  const options = ["--from", "2026-01-01", "--to", "2026-02-01", "--grain", "week", "--form", "jsonl"];
  const { out } = await command.run(["export", "audiences", "vip", ...options, "--set", "basis=recorded"]);
  expect(out).toBe('{"count":3}');
  const [sent] = command.api.came;
  expect(sent?.path).toBe("/v2/audiencetrendsexport");
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    exportType: "jsonl",
    audiences: ["vip"],
    timeframe: { start: "2026-01-01", end: "2026-02-01" },
    grain: "week",
    basis: "recorded",
  });
});

test("export contacts and events start the job, stream its files and go on from the last good run's watermark", async () => {
  const metadata = {
    files: [{ name: "a.csv", url: "/v2/files/f?expires=1&signature=s" }],
    watermark: { token: "mark" },
  };
  const job = { id: "j", status: "Done", completedItems: 1, totalItems: 1, metadata };
  await using command = await startTestCommand(({ method, path }) => {
    if (method === "POST") return { status: 202, body: { jobId: "j" } };
    return { status: 200, body: path.startsWith("/v2/files/") ? { cID: "c" } : job };
  });
  expect((await command.run(["export", "contacts", "--columns", "cID,lists"])).out).toBe('{"cID":"c"}');
  const events = ["export", "events", "--form", "jsonl", "--since"];
  for (const since of ["token", "last"]) expect((await command.run([...events, since])).code).toBe(0);
  expect(
    command.api.came.filter(({ method }) => method === "POST").map(({ path, body }) => [path, JSON.parse(body)]),
  ).toEqual([
    ["/v2/contactexports", { fields: ["cID", "lists"], exportType: "csv" }],
    ["/v2/contactactivityexport", { exportType: "jsonl", since: "token" }],
    ["/v2/contactactivityexport", expect.objectContaining({ selected_timeframe_start: "1970-01-01T00:00:00Z" })],
  ]);
});
