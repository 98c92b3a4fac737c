import { once } from "node:events";
import { request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { addAccount, startIngress } from "../intake/ingress/ingressFixture.ts";
import { basic, startService } from "./running.ts";

/** Hostile values as they stand in a URL. */
const HOSTILE = [
  ...["%00", "a%00b", "%ed%a0%80", "%ff", "%", "%zz", "%c0%80", "%F0%9F%98%80"],
  ...["2147483648", "9223372036854775808", "-1", "1.5", "1e400", "-1e400", "NaN", "Infinity", "0x10", "1e3", "null"],
  ...["", "%20", "..%2f..", "__proto__", "constructor", "a[b].c", "'%22%5C", "x".repeat(5_000), "%2527"],
  ...["cID:", "email:%00", ":", "2026-99-99", "+275760-09-14T00:00:00Z", "-271821-04-19", "0000-00-00"],
];
/** Names that nobody has, and forms in which a parser may find objects. */
const NAMES = ["__proto__[x]", "constructor", "a[b][c]", "a.b", "%00", "%ed%a0%80", "%", "", "cursor[]", "fields[x]"];

const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.unknown().optional(),
});
const description = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly hasBody: boolean;
}

async function ask({ url, headers }: Target, { method, path, hasBody }: Asked): Promise<[number, unknown]> {
  const { hostname, port } = new URL(url);
  const more = hasBody ? { "content-type": "application/json" } : {};
  const asked = request({ hostname, port, method, path, headers: { ...headers, ...more } });
  asked.end(hasBody ? "{}" : undefined);
  const [answer] = await once(asked, "response");
  const text = await readText(answer);
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  return [answer.statusCode, isJson && text !== "" ? JSON.parse(text).code : undefined];
}

/** Each parameter of each operation once with each value, and each query with names that nobody has. */
async function requestsOf(target: Target): Promise<Asked[]> {
  const document = description.parse(await (await fetch(`${target.url}/docs/json`)).json());
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]) => {
      const others = (text: string) => text.replaceAll(/\{[^}]+\}/g, "x");
      const created = parameters.flatMap(({ name, in: position }) => {
        if (position === "path") return HOSTILE.map((value) => others(path.replace(`{${name}}`, value)));
        if (position !== "query") return [];
        const values = HOSTILE.map((value) => `${name}=${value}`);
        return [...values, `${name}=1&${name}=2`, `${name}[x]=1`, `${name}[]=1`].map((q) => `${others(path)}?${q}`);
      });
      const named = method === "get" ? NAMES.map((name) => `${others(path)}?${name}=1`) : [];
      const hasBody = requestBody !== undefined;
      return [...created, ...named].map((one) => ({ method: method.toUpperCase(), path: one, hasBody }));
    }),
  );
}

/** Cursors as they were made before they were sealed, and as somebody may guess them. */
const positions = [2_147_483_648, -1, 1e300, null, "\u0000", "\ud800", "x".repeat(2_000)];
const KEYS = [
  ...positions,
  ...positions.map((id) => ({ createdAt: 0, id })),
  ...positions.map((key) => ({ createdAt: 0, key })),
  ...positions.map((id) => [0, id]),
];
const cursorsOf = (list: string) =>
  ["asc", "desc"].flatMap((direction) =>
    KEYS.map((key) => Buffer.from(JSON.stringify([list, direction, key])).toString("base64url")),
  );

const targets: readonly (readonly [string, () => Promise<Target>])[] = [
  [
    "the service of v2",
    async () => {
      const service = await startService();
      const { account } = await service.account();
      const key = await service.key(account, { scopes: ["read", "write", "admin"] });
      return { url: await service.listen(), headers: { authorization: basic(key) }, stop: () => service.stop() };
    },
  ],
  [
    "the ingress",
    async () => {
      const ingress = await startIngress();
      const { key } = await addAccount(ingress.database);
      return { url: ingress.url, headers: { "x-api-key": key }, stop: () => ingress.stop() };
    },
  ],
];

describe.each(targets)("%s", (_name, start) => {
  let target: Target;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.stop());

  test("answers no parameter with a status of a defect", { timeout: 300_000 }, async () => {
    const requests = await requestsOf(target);
    expect(requests.length).toBeGreaterThan(50);
    const found: string[] = [];
    for (let at = 0; at < requests.length; at += 32) {
      const answers = await Promise.all(
        requests.slice(at, at + 32).map(async (one) => [one, ...(await ask(target, one))] as const),
      );
      for (const [{ method, path }, status, code] of answers) {
        if (status >= 500) found.push(`${method} ${path.slice(0, 120)}: ${status} ${code}`);
      }
    }
    expect(found).toEqual([]);
  });

  test("takes no cursor that it did not give out", { timeout: 300_000 }, async () => {
    const document = description.parse(await (await fetch(`${target.url}/docs/json`)).json());
    const paged = Object.entries(document.paths).filter(
      ([path, { get }]) => get?.parameters.some(({ name }) => name === "cursor") && !path.includes("{"),
    );
    for (const [path] of paged) {
      for (const cursor of cursorsOf(path.split("/").at(-1) ?? "")) {
        const asked = { method: "GET", path: `${path}?cursor=${cursor}`, hasBody: false };
        expect([path, cursor, ...(await ask(target, asked))]).toEqual([path, cursor, 400, "INVALID_CURSOR"]);
      }
    }
  });
});
