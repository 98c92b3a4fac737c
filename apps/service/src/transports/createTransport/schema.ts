import { z } from "zod";
import { transportMembers } from "../transportView.ts";

/** Shape of a transport; the handler holds the body against it, so that what is wrong with its settings is told as well. */
export const newTransport = z.object(transportMembers);
export type NewTransport = z.output<typeof newTransport>;

export const body = z.record(z.string(), z.unknown());

export const requestExample = {
  ...{ name: "Short messages", channel: "sms", type: "http", default: true },
  settings: {
    url: "https://sms.example.com/v1/messages",
    headers: { accept: "application/json" },
    accepted: { statuses: [200, 202], idPath: "id" },
    perSecond: 20,
  },
};
