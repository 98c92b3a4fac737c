import { z } from "zod";
import { transportMembers } from "../transportView.ts";

export const body = z.object(transportMembers).partial();
export type TransportChanges = z.output<typeof body>;

export const requestExample = { settings: { perSecond: 80 }, enabled: true };
