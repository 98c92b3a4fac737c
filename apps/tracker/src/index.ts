export { createEventQueue, type EventQueue } from "./events/eventQueue.ts";
export { HeldClicks } from "./events/heldClicks.ts";
export { createTrackerServer, type TrackerOptions } from "./trackerServer.ts";
