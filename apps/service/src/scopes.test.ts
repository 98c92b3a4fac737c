import { classOfSegment, isScope } from "@headwater/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { serviceDocument } from "./document.ts";
import { serveService, type TestService } from "./testService.ts";

const operation = z.object({ operationId: z.string(), security: z.array(z.record(z.string(), z.array(z.string()))) });
const paths = z.record(z.string(), z.record(z.string(), operation.partial()));

/** Routes whose answers show values of a contact. */
const PERSONAL = /^get .*\/render\w+\/\{contactID\}$/;

test("the scope of every route is its first path segment, with read or write behind it, and contacts:read where it renders for one", async () => {
  const routes = Object.entries(paths.parse((await serviceDocument()).paths)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]) => {
      const scopes = security.flatMap((one) => Object.values(one).flat());
      return { route: `${method} ${path}`, segment: path.split("/")[2] ?? "", scopes };
    }),
  );
  expect(routes.length).toBeGreaterThan(60);
  const closed = routes.filter(({ scopes }) => scopes.length > 0);
  expect(closed.length).toBeGreaterThan(60);
  expect(closed.filter(({ route }) => PERSONAL.test(route))).toHaveLength(3);
  for (const { route, segment, scopes } of closed) {
    const also = PERSONAL.test(route) ? ["contacts:read"] : [];
    expect([route, scopes]).toEqual([route, [expect.stringMatching(new RegExp(`^${segment}:(read|write)$`)), ...also]]);
    expect([route, scopes.filter((scope) => !isScope(scope))]).toEqual([route, []]);
  }
});

test("the first segment of every path has a class", async () => {
  const segments = Object.keys(paths.parse((await serviceDocument()).paths)).map((path) => path.split("/")[2] ?? "");
  expect(segments.length).toBeGreaterThan(60);
  expect(segments.filter((segment) => classOfSegment(segment) === undefined)).toEqual([]);
});

const held: string[] = [];
const service: TestService = serveService([], {
  keys: {
    find: () => ({ kind: "key", id: "k1", name: "k1", account: service.account, scopes: [...held] }),
    changed: () => undefined,
    usedSince: () => [],
  },
});

test.each([
  ["renderTemplatedraft", "automationtemplates:read"],
  ["renderTemplate", "automationtemplates:read"],
  ["renderBatchmessage", "batchmessages:read"],
])("%s needs contacts:read in addition to %s", async (operation, scope) => {
  const params = { key: "nobody", id: "nobody", contactID: "ada@example.com" };
  held.splice(0, Number.POSITIVE_INFINITY, scope);
  const refused = await service.send(operation, { params });
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    403,
    "INSUFFICIENT_SCOPE",
    expect.stringContaining("contacts:read"),
  ]);
  held.push("contacts:read");
  expect((await service.send(operation, { params })).status).toBe(404);
});
