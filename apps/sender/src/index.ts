export { deleteOldSends } from "./housekeeping.ts";
export { createBatchSource, joinSources } from "./messages/batchSource.ts";
export { createTemplateSource } from "./messages/templateSource.ts";
export type { MessageSource, WantedMessage } from "./messages/wantedMessage.ts";
export type { SenderPorts } from "./ports.ts";
export { createSender, type Sender } from "./sender.ts";
export { createSenderMetrics } from "./senderMetrics.ts";
export { createHandovers, type Handovers, type OpenTransport, type OpenTransports } from "./transports/handovers.ts";
export { createTransportOpener } from "./transports/openTransport.ts";
