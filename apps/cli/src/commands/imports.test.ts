import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { startStubApi } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { createTestCommand } from "../testCommand.ts";

const job = { id: "j1", status: "Done", result: { rejected: 0 } };

/** Answers an upload, the start of its job, the job and its rejections. */
function answersOf(ended: object = job) {
  return ({ path }: { path: string }) => {
    if (path.startsWith("/v2/uploads")) return { status: 201, body: { url: "upload:u1" } };
    if (path.includes("/rejections")) return { status: 200, body: { data: [] } };
    return path.startsWith("/v2/jobs") ? { status: 200, body: ended } : { status: 202, body: { jobId: "j1" } };
  };
}

test("an import reads standard input, uploads what came, and follows the job", async () => {
  await using command = createTestCommand(await startStubApi(answersOf()));
  const ran = await command.run(["import", "contacts", "-f", "-"], { input: "email\na@x.org\n" });
  expect([ran.code, ran.said.split("\n")[0]]).toEqual([0, "Uploading 14 bytes."]);
  const [upload, started] = command.api.came;
  expect(upload).toMatchObject({ method: "POST", path: "/v2/uploads?name=stdin" });
  expect(upload?.body).toBe("email\na@x.org\n");
  expect(JSON.parse(started?.body ?? "")).toEqual({
    source: { transport: "file", path: "upload:u1" },
    hasHeader: true,
  });
});

test("an import of a supplement's records is there under both names", async () => {
  await using command = createTestCommand(await startStubApi(answersOf()));
  const sent = async (...words: string[]) => {
    const before = command.api.came.length;
    expect((await command.run([...words, "cars", "-f", "-"], { input: "id\n1\n" })).code).toBe(0);
    return command.api.came.slice(before).map(({ method, path, body }) => [method, path, body]);
  };
  const started = await sent("supplements", "records", "import");
  expect(started[1]).toEqual(["POST", "/v2/supplements/cars/imports", expect.stringContaining('"hasHeader":true')]);
  expect(started).toEqual(await sent("import", "records"));
});

test("--dry-run uploads the file and has all rows checked; its former name --trial does so with a notice", async () => {
  await using command = createTestCommand(
    await startStubApi(answersOf({ id: "j1", status: "Done", result: { rejected: 1 } })),
  );
  for (const [flag, said] of [
    ["--dry-run", ""],
    ["--trial", "--trial is deprecated: use --dry-run.\n"],
  ] as const) {
    const ran = await command.run(["import", "contacts", "-f", "-", flag], { input: "email\na@x.org\n" });
    expect(ran).toMatchObject({ code: 1, said: expect.stringMatching(new RegExp(`^${said}Uploading`)) });
    const body = JSON.parse(command.api.came.findLast(({ path }) => path === "/v2/contactimports")?.body ?? "");
    expect(body).toEqual({ source: { transport: "file", path: "upload:u1" }, hasHeader: true, dryRun: true });
  }
  for (const args of [
    ["import", "contacts", "--help"],
    ["completion", "bash"],
  ])
    expect((await command.run(args)).out).not.toContain("--trial");
});

test("a dry run says what each column becomes, with its values and what looks wrong", async () => {
  const columns = [
    { column: "E-Mail", member: "email", types: ["string"], values: ["a@x.org"] },
    {
      column: "Score",
      member: "attributes.Score",
      types: ["string"],
      values: ["1,5"],
      warning: { code: "w", message: "Set it." },
    },
    { column: "Internal", member: null, types: ["string"], values: ["x"] },
  ];
  const done = { id: "j1", status: "Done", result: { rejected: 0 }, metadata: { columns } };
  await using command = createTestCommand(await startStubApi(answersOf(done)));
  const { said } = await command.run(["import", "contacts", "-f", "-", "--dry-run"], { input: "E-Mail\n" });
  expect(said.split("\n").slice(2, 6)).toEqual([
    'column "E-Mail" -> email (string): "a@x.org"',
    'column "Score" -> attributes.Score (string): "1,5"',
    "  warning: Set it. (w)",
    'column "Internal" -> left out: "x"',
  ]);
});

test("an import says which columns hold another notation, and texts with the mark of exports", async () => {
  const columnWarnings = [{ column: "Score", code: "looks_like_numbers", message: "Set it." }];
  const metadata = { columnWarnings, markedTexts: { note: 12 } };
  const done = { id: "j1", status: "Done", result: { rejected: 0 }, metadata };
  await using command = createTestCommand(await startStubApi(answersOf(done)));
  const { code, said } = await command.run(["import", "contacts", "-f", "-"], { input: "E-Mail\n" });
  expect(code).toBe(0);
  expect(said).toContain('warning: column "Score": Set it. (looks_like_numbers)\n');
  expect(said).toContain("put before formulas: note (12 rows). Import with --formula-safe to take it away.\n");
});

test.each([
  [{ inserted: 2, rejected: 0, error: 0 }, 0],
  [{ inserted: 2, rejected: 1, error: 0 }, 1],
  [{ inserted: 2, rejected: 0, error: 1 }, 1],
])("an import that ends with %j exits %i", async (result, code) => {
  await using command = createTestCommand(await startStubApi(answersOf({ id: "j1", status: "Done", result })));
  const ran = await command.run(["import", "contacts", "-f", "-"], { input: "email\na@x.org\n" });
  expect(ran.code).toBe(code);
});

test("an import says how its file writes texts, numbers and dates, and when it stops", async () => {
  await using command = createTestCommand(await startStubApi(answersOf()));
  const words = ["--encoding", "windows-1252", "--delimiter", ";", "--decimal", ",", "--date-format", "dd.mm.yyyy"];
  const more = ["--null-marker", "NULL", "--empty-cells", "store", "--stop-after-rejections", "0", "--triggers"];
  const ran = await command.run(["import", "contacts", "-f", "-", ...words, ...more], { input: "email\n" });
  expect(ran.code).toBe(0);
  expect(JSON.parse(command.api.came[1]?.body ?? "")).toEqual({
    source: { transport: "file", path: "upload:u1" },
    hasHeader: true,
    encoding: "windows-1252",
    delimiter: ";",
    decimal: ",",
    dateFormat: "dd.mm.yyyy",
    nullMarker: "NULL",
    emptyCells: "store",
    stopAfterRejections: 0,
    suppressTriggers: false,
  });
  const before = command.api.came.length;
  for (const wrong of [
    ["--decimal", ";"],
    ["--empty-cells", "drop"],
    ["--stop-after-rejections", "-1"],
  ])
    expect((await command.run(["import", "contacts", "-f", "-", ...wrong], { input: "email\n" })).code).toBe(2);
  expect(command.api.came).toHaveLength(before);
});

test("help and completion name the options of a file", async () => {
  await using command = createTestCommand(await startStubApi(answersOf()));
  for (const args of [
    ["import", "activities", "--help"],
    ["supplements", "records", "import", "--help"],
    ["completion", "bash"],
  ]) {
    const { out } = await command.run(args);
    for (const option of ["--encoding", "--decimal", "--date-format", "--null-marker", "--empty-cells"])
      expect(out).toContain(option);
  }
});

test("an import says which names its rows have that are nearly known, and which values are no addresses", async () => {
  const metadata = { ignoredMembers: { storeId: 2 }, invalidAddresses: { email: 3 }, similarNames: { Customer_ID: 4 } };
  const done = { id: "j1", status: "Done", result: { rejected: 0 }, metadata };
  await using command = createTestCommand(await startStubApi(answersOf(done)));
  const { code, said } = await command.run(["import", "contacts", "-f", "-"], { input: "E-Mail\n" });
  expect(code).toBe(0);
  expect(said).toContain("warning: members that are not known were ignored: storeId (2 rows)\n");
  expect(said).toContain("warning: values that are not addresses get no messages: email (3 rows)\n");
  expect(said).toContain("are stored as they are: Customer_ID (4 rows)\n");
});

test("--map names the members of columns", async () => {
  await using command = createTestCommand(await startStubApi(answersOf()));
  const importing = (...words: string[]) => command.run(["import", "contacts", "-f", "-", ...words], { input: "x\n" });
  await importing("--map", "E-Mail=email", "--map", "a=b=attributes.c", "--map", "Internal=");
  const { mapping } = JSON.parse(command.api.came[1]?.body ?? "");
  expect(mapping).toEqual({ "E-Mail": "email", "a=b": "attributes.c", Internal: null });
  expect(await importing("--map", "email")).toMatchObject({ code: 2, said: expect.stringContaining("--map takes") });
});

describe("an import's file", () => {
  test("is refused before anything is sent when it is a folder or not there", async () => {
    await using command = createTestCommand(await startStubApi(() => ({ status: 201, body: { url: "upload:u1" } })));
    for (const file of [command.home, `${command.home}/none.csv`]) {
      const ran = await command.run(["import", "contacts", "-f", file]);
      expect(ran).toMatchObject({ code: 2, out: "", said: expect.stringContaining(`${file} cannot be read`) });
    }
    expect(command.api.came).toEqual([]);
  });

  test("may be a pipe", async () => {
    const answers = ({ path }: { path: string }) =>
      path.startsWith("/v2/uploads") ? { status: 201, body: { url: "upload:u1" } } : { status: 202, body: {} };
    await using command = createTestCommand(await startStubApi(answers));
    const pipe = `${command.home}/pipe`;
    execFileSync("mkfifo", [pipe]);
    const write = writeFile(pipe, "email\na@x.org\n");
    await command.run(["import", "contacts", "-f", pipe, "--timeout", "0"]);
    await write;
    expect(command.api.came[0]?.body).toBe("email\na@x.org\n");
  });
});

test("an import that failed says why on standard error, and exits 7", async () => {
  const error = { code: "IMPORT_CONFIGURATION_ERROR", message: "The source is empty: it has no header." };
  const failed = { id: "j1", status: "Failed", metadata: { error } };
  await using command = createTestCommand(await startStubApi(answersOf(failed)));
  const ran = await command.run(["import", "contacts", "-f", "-", "--json"], { input: "" });
  expect([ran.code, JSON.parse(ran.out)]).toEqual([7, failed]);
  expect(ran.said).toContain("headwater: IMPORT_CONFIGURATION_ERROR: The source is empty: it has no header.\n");
});
