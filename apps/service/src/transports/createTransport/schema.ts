import { z } from "zod";
import { transportMembers } from "../transportView.ts";

export const body = z.object(transportMembers);
export type NewTransport = z.output<typeof body>;

export const requestExample = {
  ...{ name: "Short messages", channel: "sms", type: "http", default: true },
  settings: {
    url: "https://sms.example.com/v1/messages",
    headers: { accept: "application/json" },
    accepted: { statuses: [200, 202], idPath: "id" },
    perSecond: 20,
  },
};
