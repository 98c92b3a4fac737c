import type { Route } from "@headwater/http";
import type { Clock } from "@headwater/kernel";
import { plainText } from "../routes/answers.ts";
import type { AddressLimits } from "./addressLimits.ts";

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;
const RETRY_SECONDS = 1;

export interface LimitPorts {
  readonly limits: AddressLimits;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Answers 429 to an address that calls too often. The loopback is a proxy of the operator, behind which all clients are. */
export function limitedByAddress(route: Route, { limits, clock }: LimitPorts): Route {
  return {
    ...route,
    run(call) {
      const { clientAddress: address } = call;
      const isFree = address === undefined || LOOPBACK.test(address) || limits.take(address, clock.monotonicMs());
      return isFree ? route.run(call) : plainText(429, "Too many requests.", { "Retry-After": String(RETRY_SECONDS) });
    },
  };
}
