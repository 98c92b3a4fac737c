import { z } from "zod";

export const alertsShape = z.array(z.looseObject({})).describe("Alerts on this message.");

/** Alerts of a message: none, since nothing raises any. The member stands in every answer for callers that go through it. */
export const noAlerts: z.output<typeof alertsShape> = [];
