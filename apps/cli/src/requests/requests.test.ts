import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refused, startStubApi } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { createMemoryTerminal } from "../memoryTerminal.ts";
import { runCommand } from "../runCommand.ts";
import { API_KEY, createTestCommand, page } from "../testCommand.ts";

const startTestCommand = async (...provided: Parameters<typeof startStubApi>) =>
  createTestCommand(await startStubApi(...provided));

const order = { orderID: "1", status: "paid", totalAmount: 5, shippingAddress: { city: "Bonn" } };
const done = { status: 200, body: { success: true }, headers: { "headwater-receipt": "token" } };

describe("a list", () => {
  test("asks for as many rows as are wanted, with its filters as the API names them", async () => {
    await using command = await startTestCommand(() => page([order]));
    const filters = ["--email", "ada@x.org", "--since", "2026-01-09", "--sort", "orderID", "--order", "asc"];
    await command.run(["orders", "ls", ...filters, "--limit", "7", "--after", "token"]);
    const search = ["contacts", "search", "--attribute", "country=GB", "--attribute", "a=b=c"];
    await command.run([...search, "--modified-since", "2026-01-09"]);
    const queries = command.api.came.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split("?")[1])));
    expect(queries).toEqual([
      {
        ...{ per_page: "7", email: "ada@x.org", "purchaseDate[gte]": "2026-01-09" },
        ...{ sort_by: "orderID", sort_dir: "asc", after: "token" },
      },
      {
        ...{ per_page: "25", "attributes[country]": "GB", "attributes[a]": "b=c" },
        "lastModified[gte]": "2026-01-09",
      },
    ]);
  });

  test("with --all follows the cursors and shows each page before it asks for the next", async () => {
    const visibleBefore: string[] = [];
    let out = () => "";
    await using command = await startTestCommand((_came, count) => {
      visibleBefore.push(out());
      return count < 3 ? page([{ orderID: String(count) }], `c${count}`) : page([{ orderID: "3" }]);
    });

    const memory = createMemoryTerminal();
    out = memory.out;
    const refuse = () => Promise.reject(new Error("no store is to be reached"));
    const code = await runCommand({
      args: ["orders", "ls", "--all", "-o", "ndjson"],
      env: { HEADWATER_HOME: "/nowhere", HEADWATER_BASE_URL: command.api.url, HEADWATER_API_KEY: API_KEY },
      terminal: memory.terminal,
      connect: () => ({
        withPostgres: refuse,
        withTopics: refuse,
        withLog: refuse,
        withClickHouse: refuse,
        pingClickHouse: refuse,
      }),
    });
    expect([code, memory.out()]).toEqual([0, '{"orderID":"1"}\n{"orderID":"2"}\n{"orderID":"3"}\n']);
    expect(visibleBefore).toEqual(["", '{"orderID":"1"}\n', '{"orderID":"1"}\n{"orderID":"2"}\n']);
  });

  test.each([
    ["json", '[{"orderID":"1"},{"orderID":"2"}]\n'],
    ["csv", "orderID,purchaseDate,status,totalAmount,currency,cID\n1,,,,,\n2,,,,,\n"],
    ["table", "ORDERID  PURCHASEDATE  STATUS  TOTALAMOUNT  CURRENCY  CID\n1\n2\n"],
  ])("over several pages is one %s", async (format, text) => {
    await using command = await startTestCommand((_came, count) =>
      count === 1 ? page([{ orderID: "1" }], "c") : page([{ orderID: "2" }]),
    );
    expect(await command.run(["orders", "ls", "--all", "-o", format])).toMatchObject({ code: 0, out: text });
  });

  test("says on standard error that there are more", async () => {
    await using command = await startTestCommand(() => page([order], "c"));
    expect((await command.run(["orders", "ls", "--limit", "1"])).said).toContain("--all");
    expect((await command.run(["orders", "ls", "--limit", "1", "--json"])).said).toBe("");
  });

  test("shows a member that no row has a value of, and refuses one that rows cannot have before it asks", async () => {
    await using command = await startTestCommand(() => page([order]));
    const listed = async (fields: string) => command.run(["orders", "ls", "--fields", fields, "--json"]);
    expect(await listed("orderID,tax")).toMatchObject({ code: 0, out: '[{"orderID":"1","tax":null}]\n' });
    const contact = { status: 200, body: { cID: "c", attributes: {} } };
    await using one = await startTestCommand(() => contact);
    const got = async (fields: string) => one.run(["contacts", "get", "c", "--fields", fields, "--json"]);
    expect((await got("attributes.nickname")).out).toBe('{"attributes.nickname":null}\n');
    expect(await got("atributes")).toMatchObject({
      code: 2,
      said: expect.stringContaining("atributes is not a member. Did you mean attributes?"),
    });
    expect(await command.run(["contacts", "delete", "c", "--yes", "--fields", "sucess"])).toMatchObject({
      code: 2,
      said: expect.stringContaining("Did you mean success?"),
    });
    expect(await command.run(["contacts", "search", "--fields", "channel"])).toMatchObject({
      code: 2,
      out: "",
      said: expect.stringContaining("Did you mean channels?"),
    });
    expect(await command.run(["orders", "ls", "--fields", "totalAmout,items.qty"])).toMatchObject({
      code: 2,
      said: expect.stringContaining("totalAmout is not a member. Did you mean totalAmount?"),
    });
    expect(await command.run(["orders", "get", "1", "--fields", "shippingAddress.town"])).toMatchObject({
      code: 2,
      said: expect.stringContaining("shippingAddress.town is not a member."),
    });
    expect(command.api.came).toHaveLength(1);
  });

  test("of free fields names those that no row has, with the nearest, and refuses what none can have", async () => {
    const car = { id: "1", year: 2020, ct: "2026-01-09T22:47:12.000Z" };
    await using command = await startTestCommand(({ path }) => page([path.includes("fields=") ? { id: "1" } : car]));
    const records = ["supplements", "records"];
    const listed = await command.run([...records, "ls", "cars", "--fields", "id,yaer", "--json"]);
    expect(listed).toMatchObject({ code: 0, out: '[{"id":"1","yaer":null}]\n' });
    expect(listed.said).toBe("No row has yaer. Did you mean year?\n");
    expect(await command.run([...records, "ls", "cars", "--fields", "ct.day"])).toMatchObject({
      code: 2,
      said: expect.stringContaining("ct.day is not a member."),
    });
    await using one = await startTestCommand(() => ({ status: 200, body: car }));
    const got = await one.run([...records, "get", "cars", "1", "--fields", "year,colour", "--json"]);
    expect(got).toMatchObject({ code: 0, out: '{"year":2020,"colour":null}\n', said: "No row has colour.\n" });
  });

  test("searches the contacts of a saved audience by its key", async () => {
    await using command = await startTestCommand(() => page([{ cID: "c" }]));
    await command.run(["contacts", "search", "--audience", "vip", "--json"]);
    expect(new URLSearchParams(command.api.came[0]?.path.split("?")[1]).get("audience-key")).toBe("vip");
  });

  test("asks the API for the members that --fields names, and shows a member of a member by its path", async () => {
    await using command = await startTestCommand(() => page([order]));
    const { out } = await command.run(["orders", "ls", "--fields", "orderID,shippingAddress.city", "-o", "csv"]);
    expect(out).toBe("orderID,shippingAddress.city\n1,Bonn\n");
    expect(decodeURIComponent(command.api.came[0]?.path ?? "")).toContain("fields=orderID,shippingAddress");
  });
});

describe("a write", () => {
  test("sends a file, standard input and single members, the members on top", async () => {
    const folder = mkdtempSync(join(tmpdir(), "headwater-input-"));
    const file = join(folder, "order.json");
    writeFileSync(file, JSON.stringify({ status: "new", properties: { a: 1, b: 2 } }));
    await using command = await startTestCommand(() => done);
    const set = ["--set", "status=paid", "--set", "properties.note=x=1", "--set-json", "properties.b=null"];
    expect((await command.run(["orders", "update", "o 1", "-f", file, ...set])).code).toBe(0);
    await command.run(["products", "create", "-f", "-"], { input: '[{"productID":"1"}]' });
    rmSync(folder, { recursive: true });
    const [update, create] = command.api.came;
    expect([update?.method, update?.path]).toEqual(["PUT", "/v2/orders/o%201"]);
    expect(JSON.parse(update?.body ?? "")).toEqual({ status: "paid", properties: { a: 1, b: null, note: "x=1" } });
    expect(create?.body).toBe('[{"productID":"1"}]');
  });

  test("has an Idempotency-Key: the one that is given, else a new one", async () => {
    await using command = await startTestCommand(() => done);
    await command.run(["orders", "update", "1", "--set", "a=b", "--idempotency-key", "mine", "--if-match", '"7"']);
    await command.run(["orders", "update", "1", "--set", "a=b"]);
    const headers = command.api.came.map(({ headers: of }) => [of["idempotency-key"], of["if-match"]]);
    expect(headers).toEqual([
      ["mine", '"7"'],
      [expect.stringMatching(/^[0-9a-f-]{36}$/), undefined],
    ]);
  });

  test("with --dry-run shows the request without the key, needs no address, asks nothing and sends nothing", async () => {
    await using command = await startTestCommand(() => done);
    const { code, out } = await command.run(["orders", "delete", "1", "--dry-run", "--json"], {}, {});
    expect([code, JSON.parse(out)]).toEqual([0, { method: "DELETE", path: "/v2/orders/1" }]);
    const update = await command.run(["orders", "update", "1", "--set", "status=paid", "--dry-run", "--json"]);
    expect(JSON.parse(update.out)).toEqual({ method: "PUT", path: "/v2/orders/1", body: { status: "paid" } });
    expect(update.out + update.said).not.toContain(API_KEY);
    expect(command.api.came).toEqual([]);
  });

  test("with --preview asks the service what it would change, asks nobody, and needs no --yes", async () => {
    const changes = [{ path: "/status", from: "open", to: "paid" }];
    const body = { dryRun: true, status: 200, answer: {}, changes, counts: {}, starts: 0, warnings: [], digest: "d1" };
    await using command = await startTestCommand(() => ({ status: 200, body }));
    const update = ["orders", "update", "1", "--set", "status=paid"];
    const table = await command.run([...update, "--preview", "-o", "csv"]);
    expect([table.code, table.out]).toEqual([0, "path,from,to\n/status,open,paid\n"]);
    expect(table.said).toContain("Nothing was changed. The answer would be 200; starts: 0; digest: d1");
    expect(JSON.parse((await command.run(["orders", "delete", "1", "--preview", "--json"])).out)).toEqual(body);
    await command.run([...update, "--expect", "d1"]);
    await command.run(["api", "DELETE", "/v2/orders/1", "--preview"]);
    expect(command.api.came.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PUT /v2/orders/1?dryRun=true",
      "DELETE /v2/orders/1?dryRun=true",
      "PUT /v2/orders/1?expect=d1",
      "DELETE /v2/orders/1?dryRun=true",
    ]);
    expect((await command.run(["api", "GET", "/v2/orders/1", "--preview"])).code).toBe(2);
  });

  test("a destructive write asks first: --yes answers, a person may say no, and where nobody can be asked it exits 2", async () => {
    await using command = await startTestCommand(() => done);
    const remove = ["orders", "delete", "1"];
    expect(await command.run(remove)).toMatchObject({ code: 2, out: "" });
    expect(await command.run(remove, { answer: "n" })).toMatchObject({ code: 0, out: "" });
    expect(command.api.came).toEqual([]);
    expect((await command.run(remove, { answer: "y" })).said).toContain("Delete the order 1?");
    expect((await command.run([...remove, "-y"])).code).toBe(0);
    expect(command.api.came.length).toBe(2);
  });

  test("prints its receipt alone when that is wanted", async () => {
    await using command = await startTestCommand(() => done);
    expect((await command.run(["orders", "update", "1", "--set", "a=b", "--receipt"])).out).toBe("token\n");
  });

  test("says what it needs when nothing is given, or what cannot be read", async () => {
    await using command = await startTestCommand(() => done);
    const wrong = [["create"], ["update", "1", "--set", "x"], ["update", "1", "--set-json", "a={"]];
    for (const args of [...wrong, ["create", "-f", "/nowhere/x.json"], ["update", ""]]) {
      expect([args, (await command.run(["orders", ...args])).code]).toEqual([args, 2]);
    }
    const gone = await command.run(["import", "contacts", "-f", "/nowhere/x.csv"]);
    expect(gone).toMatchObject({ code: 2, said: expect.stringContaining("/nowhere/x.csv cannot be read") });
    const broken = await command.run(["orders", "create", "-f", "-"], { input: "{" });
    expect(broken).toMatchObject({ code: 5, said: expect.stringContaining("Standard input is not JSON") });
    const folder = await command.run(["ingest", "batch", "upsertContact", "-f", command.home]);
    expect(folder).toMatchObject({ code: 2, said: expect.stringContaining(`${command.home} cannot be read`) });
    expect(command.api.came).toEqual([]);
  });
});

describe("a refusal of the API", () => {
  test.each([
    [400, "BAD_REQUEST", 5],
    [401, "AUTHENTICATION_FAILED", 3],
    [403, "INSUFFICIENT_SCOPE", 3],
    [404, "RECORD_NOT_FOUND", 4],
    [409, "VERSION_CONFLICT", 1],
    [422, "VALIDATION_ERROR", 5],
    [500, "INTERNAL_ERROR", 1],
  ])("%i %s has its exit code, and says code and request on standard error", async (status, code, exitCode) => {
    await using command = await startTestCommand(() => refused(status, code));
    const ran = await command.run(["orders", "get", "1"]);
    expect(ran).toEqual({
      code: exitCode,
      out: "",
      said: `headwater: It is ${code}.\n  ${status} ${code}, request r-1\n`,
    });
  });

  test("names each detail; with --verbose every answer is shown, never the key", async () => {
    const details = [{ path: "/status", code: "bad_value", message: "No.", allowed: ["paid", "new"] }];
    const body = { code: "VALIDATION_ERROR", message: "Wrong.", requestId: "r", details };
    await using command = await startTestCommand(() => ({ status: 422, body }));
    const { said } = await command.run(["orders", "get", "1", "--verbose"]);
    expect(said).toContain("  /status: No. (allowed: paid, new)\n");
    expect(said).toMatch(/GET \/v2\/orders\/1 -> 422 in \d+ ms\n/);
    expect(said).not.toContain(API_KEY);
  });

  test("for the rate is waited out, and exits 6 when it does not end", async () => {
    const limited = refused(429, "RATE_LIMITED", { "retry-after": "0" });
    await using patient = await startTestCommand((_came, count) =>
      count === 1 ? limited : { status: 200, body: order },
    );
    const ran = await patient.run(["orders", "get", "1", "--json"]);
    expect([ran.code, JSON.parse(ran.out)]).toEqual([0, order]);
    expect(ran.said).toMatch(/^The service says 429 RATE_LIMITED; trying again in /);
    await using limits = await startTestCommand(() => limited);
    expect((await limits.run(["orders", "get", "1"])).code).toBe(6);
  });
});

describe("a job", () => {
  const job = (status: string) => ({
    status: 200,
    body: { id: "j", status, completedItems: 1, totalItems: 2 },
    headers: { "retry-after": "0.001" },
  });

  test.each([
    ["Done", 0],
    ["Failed", 7],
    ["Canceled", 7],
  ])("a job that ends as %s exits %i, with its progress on standard error", async (status, code) => {
    await using command = await startTestCommand((_came, count) => job(count < 3 ? "Processing" : status));
    const ran = await command.run(["jobs", "wait", "j", "--json"]);
    expect([ran.code, JSON.parse(ran.out).status]).toEqual([code, status]);
    expect(ran.said).toBe(`Processing: 1 of 2\n${status}: 1 of 2\n`);
  });

  test("a job that a write starts is followed with --wait, and named without it", async () => {
    await using command = await startTestCommand(({ method }) =>
      method === "PUT" ? { status: 200, body: { success: true, jobId: "j" } } : job("Failed"),
    );
    const clear = ["lists", "clear", "1", "--yes"];
    expect(await command.run(clear)).toMatchObject({ code: 0, said: "A job was started: headwater jobs wait j\n" });
    expect((await command.run([...clear, "--wait"])).code).toBe(7);
  });

  test("a list is found by its name where the path takes its id, and a dry run asks nobody", async () => {
    await using command = await startTestCommand(({ path }) =>
      path.includes("?") ? page(path.includes("name=vip") ? [{ id: 12 }] : []) : { status: 200, body: { count: 3 } },
    );
    const paths = async (...args: string[]) => {
      const before = command.api.came.length;
      const ran = await command.run(args);
      return [ran.code, ...command.api.came.slice(before).map(({ path }) => path)];
    };
    const lookUp = "/v2/accountlists?name=vip&fields=id";
    expect(await paths("lists", "count", "vip")).toEqual([0, lookUp, "/v2/accountlists/12/count"]);
    expect(await paths("lists", "get", "12")).toEqual([0, "/v2/accountlists/12"]);
    expect(await paths("lists", "clear", "vip", "-y")).toEqual([0, lookUp, "/v2/accountlists/12/clear"]);
    expect(await paths("lists", "rename", "vip", "gold")).toEqual([0, lookUp, "/v2/accountlists/12"]);
    expect(await paths("lists", "delete", "nobody", "-y")).toEqual([4, "/v2/accountlists?name=nobody&fields=id"]);
    expect(await paths("lists", "clear", "vip", "--dry-run")).toEqual([0]);
    expect((await command.run(["lists", "get", "nobody"])).said).toContain("No list has the name nobody.");
  });

  test("a job that takes longer than --timeout exits 1", async () => {
    await using command = await startTestCommand(() => job("Pending"));
    expect(await command.run(["jobs", "wait", "j", "--timeout", "0"])).toMatchObject({ code: 1, out: "" });
  });
});

describe("warnings of an answer", () => {
  test("are printed on standard error, each once, with the names that were probably meant", async () => {
    const ignored = { path: "/statuss", code: "unknown_member", message: "It was ignored.", suggestion: "status" };
    const never = { path: "/event", code: "never_seen", message: "It never came.", allowed: ["purchase", "purchased"] };
    const body = { success: true, warnings: [ignored, never, ignored, "of another kind"] };
    await using command = await startTestCommand(() => ({ ...done, body }));
    const { said, out } = await command.run(["orders", "update", "1", "--set", "statuss=paid", "--json"]);
    expect(said.split("\n").filter((line) => line.startsWith("warning"))).toEqual([
      "warning: /statuss: It was ignored. Did you mean status? (unknown_member)",
      "warning: /event: It never came. Did you mean purchase, purchased? (never_seen)",
    ]);
    expect(JSON.parse(out)).toEqual(body);
  });
});

test("why asks the count of a saved audience about a contact, and shows each rule with what it saw", async () => {
  const nodes = [{ path: "/and/0", in: false, saw: "blue" }];
  await using command = await startTestCommand(() => ({ status: 200, body: { count: 3, in: false, nodes } }));
  const { out, said } = await command.run(["audiences", "why", "vip", "ann@example.com"]);
  expect(JSON.parse(command.api.came[0]?.body ?? "")).toEqual({ key: "vip", contact: "ann@example.com" });
  expect(said).toContain("ann@example.com is not in the audience vip.");
  expect(out).toMatch(/\/and\/0 +false +blue/);
});

test("a refusal names the line and the column of a mistake in a text", async () => {
  const message = "The tag is not closed.";
  const details = [{ path: "/html", code: "bad_value", message, line: 3, column: 7 }];
  await using command = await startTestCommand(() => ({
    status: 422,
    body: { code: "VALIDATION_ERROR", message: "It is invalid.", requestId: "r-1", details },
  }));
  const { said } = await command.run(["templates", "create", "welcome", "--set", "name=a"]);
  expect(said).toContain("/html (line 3, column 7): The tag is not closed.");
});
