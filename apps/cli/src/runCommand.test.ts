import { HeadwaterError } from "@headwater/kernel";
import { expect, test } from "vitest";
import { exitCodeOf } from "./failure.ts";
import { createMemoryTerminal } from "./memoryTerminal.ts";
import { runCommand } from "./runCommand.ts";

/** Runs a command that needs no connection; using one is the test's failure. */
async function run(...args: string[]) {
  const { terminal, out, said } = createMemoryTerminal();
  const code = await runCommand({
    args,
    env: { HEADWATER_HOME: "/nowhere" },
    terminal,
    connect: () => {
      const refuse = () => Promise.reject(new Error("nothing is to be reached"));
      return {
        withPostgres: refuse,
        withTopics: refuse,
        withLog: refuse,
        withClickHouse: refuse,
        pingClickHouse: refuse,
      };
    },
  });
  return { code, out: out(), said: said() };
}

test("help goes to standard output with examples and exits 0, for every command", async () => {
  for (const path of ["", "migrate", "topics plan", "topics apply", "accounts create", "apikeys rotate", "status"]) {
    const { code, out } = await run(...path.split(" ").filter((word) => word !== ""), "--help");
    expect(code, path).toBe(0);
    expect(out, path).toMatch(/Examples:\n {2}\$ headwater/);
  }
});

test("what is typed wrong exits 2, says so on standard error and prints no data", async () => {
  const wrong = [["frob"], ["accounts", "ls", "-o", "xml"], ["accounts", "create"], ["accounts", "ls", "--limit", "0"]];
  for (const args of [...wrong, ["accounts", "create", "--name", "x", "--id", "y"], ["accounts", "set", "x", "name"]]) {
    const { code, out, said } = await run(...args);
    expect({ args, code, out }).toEqual({ args, code: 2, out: "" });
    expect(said).not.toBe("");
  }
});

test("--version shows the version of the command", async () => {
  expect(await run("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^headwater \d+\.\d+\.\d+\n$/) });
});

test("a wrong command is answered with the one that was meant", async () => {
  expect((await run("acounts")).said).toContain("Did you mean accounts?");
});

test("an unexpected error is one line, and its stack only with --verbose", async () => {
  expect(await run("accounts", "ls")).toEqual({ code: 1, out: "", said: "headwater: nothing is to be reached\n" });
  expect((await run("accounts", "ls", "-V")).said).toContain("runCommand.test.ts");
});

test("the completion of each shell knows every command", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out } = await run("completion", shell);
    expect(code).toBe(0);
    for (const word of ["migrate", "accounts create", "apikeys rotate", "topics apply", "if-missing", "dry-run"]) {
      expect(out, shell).toContain(word);
    }
  }
});

test("each status of the API has its exit code", () => {
  const codes = [401, 403, 404, 400, 413, 415, 422, 429, 409, 500, 503].map((status) =>
    exitCodeOf(new HeadwaterError({ code: "X", status, publicMessage: "" })),
  );
  expect(codes).toEqual([3, 3, 4, 5, 5, 5, 5, 6, 1, 1, 1]);
  expect(exitCodeOf(new HeadwaterError({ code: "USAGE", status: 400, publicMessage: "" }))).toBe(2);
  expect(exitCodeOf(new TypeError("bug"))).toBe(1);
});
