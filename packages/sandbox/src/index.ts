export type { EndReason, Host } from "./childProcess.ts";
export {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxOutcome,
  type TaskLimits,
} from "./createSandbox.ts";
export { ByteChunks } from "./frames.ts";
export type { AskHost } from "./protocol.ts";
export type { Refusable } from "./refusable.ts";
export { reportEnds } from "./reportEnds.ts";
export { type RunTwiceOptions, runTwice } from "./runTwice.ts";
export { hostOfSocket } from "./socketHost.ts";
