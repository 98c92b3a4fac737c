import { AsyncLocalStorage } from "node:async_hooks";
import type { FlowKey } from "./fairQueue.ts";

/** Work that serves every account: shared checks, metrics, keys. */
export const SYSTEM_FLOW = "system";

/** Carries the account whose work runs down to the connection it takes. */
export interface FlowContext {
  /** Runs the function, and all that it starts, as work of the flow. */
  run<Result>(flow: FlowKey, work: () => Result): Result;
  /** `SYSTEM_FLOW` outside of `run`. */
  current(): FlowKey;
}

/**
 * Creates the context of the service, whose pool would need a parameter through every module of SQL otherwise. Ingress and projector have
 * none: their paths are hotter, and every await would pay for it.
 */
export function createFlowContext(): FlowContext {
  const storage = new AsyncLocalStorage<FlowKey>();
  return {
    run: (flow, work) => storage.run(flow, work),
    current: () => storage.getStore() ?? SYSTEM_FLOW,
  };
}
