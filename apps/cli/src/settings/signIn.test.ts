import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refused, startStubApi } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { API_KEY, createTestCommand } from "../testCommand.ts";

const startTestCommand = async (...provided: Parameters<typeof startStubApi>) =>
  createTestCommand(await startStubApi(...provided));

const caller = { kind: "key", id: "k1", name: "backend" };
const account = { status: 200, body: { caller, account: { id: "a1", name: "shop" }, scopes: ["read"] } };
const inHome = (home: string, name: string) => join(home, ".config", "headwater", name);

describe("login", () => {
  test("checks the key of standard input and keeps it, readable by its owner alone; commands then use it", async () => {
    await using command = await startTestCommand(() => account);
    const { home, api } = command;
    const login = ["login", "--profile", "shop", "--base-url", api.url];
    const ran = await command.run(login, { input: `${API_KEY}\n` }, {});
    expect(ran).toMatchObject({ code: 0, out: "" });
    expect(ran.said).toContain("shop (a1) as the profile shop");
    expect(ran.said).not.toContain(API_KEY);
    expect(statSync(inHome(home, "credentials.json")).mode & 0o777).toBe(0o600);
    expect(statSync(inHome(home, ".")).mode & 0o777).toBe(0o700);
    const who = await command.run(["whoami", "--json"], {}, {});
    expect(JSON.parse(who.out)).toEqual({
      ...{ accountId: "a1", name: "shop", caller, scopes: ["read"], baseUrl: api.url, intakeUrl: api.url },
      key: "profile shop",
    });
    expect(api.came.at(-1)?.headers.authorization).toBe(`Basic ${Buffer.from(`${API_KEY}:`).toString("base64")}`);
  });

  test("is followed by whoami --token, which prints the key alone and asks nobody", async () => {
    await using command = await startTestCommand(() => account);
    expect(await command.run(["whoami", "--token"])).toEqual({ code: 0, out: `${API_KEY}\n`, said: "" });
    const { out } = await command.run(["whoami", "--token", "--json"]);
    expect(JSON.parse(out)).toEqual({ token: API_KEY });
    const none = await command.run(["whoami", "--token"], {}, { HEADWATER_BASE_URL: command.api.url });
    expect(none).toMatchObject({ code: 2, out: "", said: expect.stringContaining("No API key") });
    expect(command.api.came).toEqual([]);
  });

  test("asks a person for it, and takes the address from the environment", async () => {
    await using command = await startTestCommand(() => account);
    const ran = await command.run(["login"], { answer: API_KEY }, { HEADWATER_BASE_URL: command.api.url });
    expect(ran.said).toMatch(/^API key: Signed in at /);
    expect((await command.run(["whoami"], {}, {})).code).toBe(0);
  });

  test("keeps nothing of a key that is refused, and takes none as an argument", async () => {
    await using command = await startTestCommand(() => refused(401, "AUTHENTICATION_FAILED"));
    const login = ["login", "--base-url", command.api.url];
    expect((await command.run(login, { input: "wrong" }, {})).code).toBe(3);
    expect((await command.run(login, { input: "" }, {})).code).toBe(2);
    expect((await command.run([...login, API_KEY], {}, {})).code).toBe(2);
    expect((await command.run(["whoami"], {}, {})).code).toBe(2);
    const nowhere = await command.run(["login", "--base-url", "nowhere"], { input: "wrong" }, {});
    expect(nowhere).toMatchObject({ code: 2, said: expect.stringContaining("--base-url ") });
  });

  test("accepts a key that may not read the account", async () => {
    await using command = await startTestCommand(({ path }) =>
      path === "/v2/whoami" ? account : refused(403, "INSUFFICIENT_SCOPE"),
    );
    const login = ["login", "--base-url", command.api.url];
    expect((await command.run(login, { input: API_KEY }, {})).code).toBe(0);
  });
});

test("roles lists the roles with their scopes", async () => {
  const data = [{ role: "owner", description: "Everything.", scopes: ["read", "write", "admin"] }];
  await using command = await startTestCommand(() => ({ status: 200, body: { data } }));
  const ran = await command.run(["roles", "--json"]);
  expect([ran.code, JSON.parse(ran.out)]).toEqual([0, data]);
  expect(command.api.came.at(-1)?.path).toBe("/v2/roles");
});

describe("one address for both APIs", () => {
  const nothingThere = { status: 404, body: { code: "RECORD_NOT_FOUND", message: "The path does not exist." } };
  const commands = [
    ["ingest", "send", "upsertOrder", "--set", "orderID=1"],
    ["ingest", "send", "upsertContact", "--set", "identifiers.email=a@x.org"],
  ];

  test.each(commands)("the answer of %s %s names the way to the other one where that is intake's", async (...args) => {
    await using command = await startTestCommand(() => nothingThere);
    const ran = await command.run(args);
    expect(ran.code).toBe(4);
    expect(ran.said).toMatch(/does not exist\. Intake \(\/api\) may have another address: set HEADWATER_INGRESS_URL/);
    const env = { HEADWATER_BASE_URL: command.api.url, HEADWATER_API_KEY: API_KEY };
    const redirected = await command.run(args, {}, { ...env, HEADWATER_INGRESS_URL: `${command.api.url}/in` });
    expect([redirected.code, redirected.said.includes("HEADWATER_INGRESS_URL")]).toEqual([4, false]);
  });

  test("the line of status names the way to the other one where that is intake's", async () => {
    await using command = await startTestCommand(({ path }) =>
      path.startsWith("/api/") ? nothingThere : { status: 200, body: { status: "ok" } },
    );
    const { out } = await command.run(["status", "-o", "json"]);
    const [ingress] = JSON.parse(out);
    expect(ingress).toMatchObject({ part: "ingress", detail: expect.stringContaining("set HEADWATER_INGRESS_URL") });
  });
});

describe("profiles", () => {
  async function signedIn(command: Awaited<ReturnType<typeof startTestCommand>>, name: string) {
    await command.run(["login", "--profile", name, "--base-url", command.api.url], { input: `hw_${name}` }, {});
  }

  test("--profile goes before the environment, which goes before the profile that was chosen", async () => {
    await using command = await startTestCommand(() => account);
    await signedIn(command, "one");
    await signedIn(command, "two");
    const env = { HEADWATER_API_KEY: "hw_env" };
    await command.run(["config", "set", "profile", "one"], {}, {});
    for (const [args, more] of [
      [[], {}],
      [["--profile", "two"], env],
      [[], env],
    ] as const) {
      await command.run(["orders", "get", "1", ...args], {}, { ...more });
    }
    const keys = command.api.came.slice(-3).map(({ headers }) => headers.authorization?.split(" ")[1] ?? "");
    expect(keys.map((key) => Buffer.from(key, "base64").toString())).toEqual(["hw_one:", "hw_two:", "hw_env:"]);
  });

  test("a profile's key goes to no other address", async () => {
    await using command = await startTestCommand(() => account);
    await signedIn(command, "one");
    const before = command.api.came.length;
    const elsewhere = { HEADWATER_BASE_URL: command.api.url.replace("127.0.0.1", "localhost") };
    const ran = await command.run(["whoami"], {}, elsewhere);
    expect(ran.code).toBe(2);
    expect(ran.said).toContain("that of profile one is for");
    expect(command.api.came.length).toBe(before);
  });

  test("logout forgets the key of its profile alone, and an unknown profile is refused", async () => {
    await using command = await startTestCommand(() => account);
    await signedIn(command, "one");
    await signedIn(command, "two");
    expect((await command.run(["logout", "--profile", "one"], {}, {})).code).toBe(0);
    expect(JSON.parse(readFileSync(inHome(command.home, "credentials.json"), "utf8"))).toEqual({ two: "hw_two" });
    expect((await command.run(["whoami", "--profile", "one"], {}, {})).code).toBe(2);
    expect((await command.run(["whoami", "--profile", "three"], {}, {})).said).toContain(
      "Profile three does not exist",
    );
    expect((await command.run(["whoami", "--profile", "../x"], {}, {})).code).toBe(2);
  });
});

test("config stores the default output and addresses, shows them without keys, and refuses invalid values", async () => {
  await using command = await startTestCommand(() => ({ status: 200, body: { accountId: "a1", name: "shop" } }));
  const config = (...args: string[]) => command.run(["config", ...args], {}, {});
  await config("set", "base-url", command.api.url);
  await config("set", "output", "json");
  expect((await config("get", "base-url")).out).toBe(`${command.api.url}\n`);
  expect(JSON.parse((await config("get")).out)).toMatchObject({ profile: "default", output: "json", signedIn: false });
  expect((await command.run(["orders", "get", "1"])).out).toBe('{"accountId":"a1","name":"shop"}\n');
  expect((await command.run(["orders", "get", "1", "-o", "csv"])).out).toBe("accountId,name\na1,shop\n");
  for (const wrong of [
    ["output", "xml"],
    ["base-url", "nowhere"],
    ["colour", "red"],
    ["profile", "a b"],
  ])
    expect((await config("set", ...wrong)).code).toBe(2);
  writeFileSync(inHome(command.home, "config.json"), "");
  expect(await config("get", "--json")).toMatchObject({ code: 0, out: expect.stringContaining('"output":"table"') });
  writeFileSync(inHome(command.home, "config.json"), "{");
  expect(await config("get")).toMatchObject({ code: 2, said: expect.stringContaining("config.json cannot be read") });
});

describe("--tracing", () => {
  test("puts one W3C traceparent on every request of the command, and says its id on standard error", async () => {
    await using command = await startTestCommand(() => account);
    const { said } = await command.run(["whoami", "-T"]);
    const parents = command.api.came.map(({ headers }) => headers.traceparent);
    expect(new Set(parents).size).toBe(1);
    expect(parents[0]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(said).toBe(`trace ${String(parents[0]).split("-")[1]}\n`);
    await command.run(["whoami"]);
    expect(command.api.came.at(-1)?.headers.traceparent).toBeUndefined();
  });

  test("hands the command's own span to a collector", async () => {
    await using collector = await startTestCommand(() => ({ status: 200, body: {} }));
    await using command = await startTestCommand(() => account);
    const env = { HEADWATER_BASE_URL: command.api.url, HEADWATER_API_KEY: API_KEY };
    const ran = await command.run(["whoami", "-T"], {}, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.api.url });
    expect(ran.code).toBe(0);
    expect(collector.api.came.map(({ path }) => path)).toEqual(["/v1/traces"]);
    expect(collector.api.came[0]?.body).toContain("headwater-cli");
    expect(command.api.came[0]?.headers.traceparent).toMatch(/-01$/);
  });
});
