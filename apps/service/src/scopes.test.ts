import { isScope } from "@headwater/contracts";
import { expect, test } from "vitest";
import { z } from "zod";
import { serviceDocument } from "./document.ts";

const operation = z.object({ operationId: z.string(), security: z.array(z.record(z.string(), z.array(z.string()))) });
const paths = z.record(z.string(), z.record(z.string(), operation.partial()));

test("the scope of every route is its first path segment, with read or write behind it", async () => {
  const routes = Object.entries(paths.parse((await serviceDocument()).paths)).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]) => {
      const scopes = security.flatMap((one) => Object.values(one).flat());
      return { route: `${method} ${path}`, segment: path.split("/")[2] ?? "", scopes };
    }),
  );
  expect(routes.length).toBeGreaterThan(60);
  const closed = routes.filter(({ scopes }) => scopes.length > 0);
  expect(closed.length).toBeGreaterThan(60);
  for (const { route, segment, scopes } of closed) {
    expect([route, scopes]).toEqual([route, [expect.stringMatching(new RegExp(`^${segment}:(read|write)$`))]]);
    expect([route, scopes.filter((scope) => !isScope(scope))]).toEqual([route, []]);
  }
});
