export { createHeartbeat, type HeartbeatOptions } from "./heartbeat.ts";
export { type KnownProcess, PROCESS_NAMES, type ProcessName, readProcesses, reportProcess } from "./processes.ts";
