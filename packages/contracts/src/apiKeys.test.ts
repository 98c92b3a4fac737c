import { describe, expect, it } from "vitest";
import { newApiKeyBody } from "./apiKeys.ts";

describe("the body of a new key", () => {
  const problems = (body: unknown) =>
    (newApiKeyBody.safeParse(body).error?.issues ?? []).map(({ path, ...issue }) => [
      `/${path.join("/")}`,
      "params" in issue ? issue.params?.code : issue.code,
    ]);

  it("needs a name and scopes, but where it replaces a key", () => {
    expect(problems({})).toEqual([
      ["/name", "required"],
      ["/scopes", "required"],
    ]);
    expect(problems({ rotates: "k1" })).toEqual([]);
    expect(problems({ rotates: "k1", graceHours: 0, scopes: ["read"] })).toEqual([]);
    expect(problems({ name: "n", scopes: ["read"], graceHours: 1 })).toEqual([["/graceHours", "not_allowed"]]);
  });

  it("may have members that nobody knows: they are ignored", () => {
    const body = { name: "n", scopes: ["read"] };
    expect(newApiKeyBody.parse({ ...body, colour: 1 })).toEqual(body);
  });

  it.each([
    [{ scopes: ["reed"] }, "/scopes/0"],
    [{ scopes: ["read", "people:write"] }, "/scopes/1"],
    [{ scopes: [] }, "/scopes"],
    [{ allowIPs: [] }, "/allowIPs"],
    [{ allowIPs: ["10.0.0.0/8", "10.0.0.0/99"] }, "/allowIPs/1"],
    [{ name: "  " }, "/name"],
    [{ name: "\u0000" }, "/name"],
    [{ expiresAt: 5 }, "/expiresAt"],
    [{ rotates: "k1", graceHours: 721 }, "/graceHours"],
  ])("%j is not one", (wrong, at) => {
    expect(problems({ name: "n", scopes: ["read"], ...wrong }).map(([path]) => path)).toContain(at);
  });
});
