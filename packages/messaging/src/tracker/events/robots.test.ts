import { expect, test } from "vitest";
import { robotOf } from "./robots.ts";

const PERSON =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const GOOGLE = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";

function result(method: string, headers: Readonly<Record<string, string>>, secondsAfter = 60) {
  return robotOf({ method, atMs: 1_000 * (1_000 + secondsAfter), header: (name) => headers[name] }, 1_000);
}

test.each([
  ["GET", { "user-agent": PERSON }, 60, undefined],
  ["GET", { "user-agent": PERSON }, 1, undefined],
  ["HEAD", { "user-agent": PERSON }, 60, "head"],
  ["GET", { "user-agent": PERSON, "sec-purpose": "prefetch;prerender" }, 60, "prefetch"],
  ["GET", { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }, 60, "agent"],
  ["GET", { "user-agent": "curl/8.5.0" }, 60, "agent"],
  ["GET", { "user-agent": GOOGLE }, 60, undefined],
  ["GET", { "user-agent": GOOGLE }, 3, "privacy-proxy"],
  ["GET", { "user-agent": "Mozilla/5.0" }, 3, "privacy-proxy"],
  ["GET", {}, 60, undefined],
] as const)("%s with %j, %i s after the hand-over: %s", (method, headers, secondsAfter, robot) => {
  expect(result(method, headers, secondsAfter)).toBe(robot);
});
