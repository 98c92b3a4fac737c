export { connect } from "./connections.ts";
export { createMemoryTerminal } from "./memoryTerminal.ts";
export { type RunOptions, runCommand } from "./runCommand.ts";
