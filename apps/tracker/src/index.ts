export { createEventQueue, type EventQueue } from "./events/eventQueue.ts";
export { HeldClicks } from "./events/heldClicks.ts";
export { type MailboxAddress, readMailbox } from "./mail/mailbox.ts";
export { createMailIntake } from "./mail/mailIntake.ts";
export { createMailServer, type MailServer } from "./mail/mailServer.ts";
export { createTransportLookup } from "./provider/transportLookup.ts";
export { createTrackerServer, type TrackerOptions } from "./trackerServer.ts";
export { createRenderView, type RenderView } from "./view/renderView.ts";
