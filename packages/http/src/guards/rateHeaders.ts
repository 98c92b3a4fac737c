import type { RateState } from "./rateLimiter.ts";

/** The headers every answer has: the known ones, and the standard form of draft-ietf-httpapi-ratelimit-headers. */
export function rateHeaders(
  { limit, remaining, fullInSeconds, policy, className }: RateState,
  nowMs: number,
): string[] {
  return [
    "X-Rate-Limit-Limit",
    String(limit),
    "X-Rate-Limit-Remaining",
    String(remaining),
    "X-Rate-Limit-Reset",
    String(Math.ceil(nowMs / 1_000) + fullInSeconds),
    "RateLimit-Policy",
    policy,
    "RateLimit",
    `"${className}";r=${remaining};t=${fullInSeconds}`,
  ];
}
