export { connect } from "./connections.ts";
export { type RunOptions, runCommand } from "./runCommand.ts";
