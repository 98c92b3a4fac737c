import { z } from "zod";
import { programMembers } from "../programView.ts";

export const body = z.object(programMembers).partial();
export type ProgramChanges = z.output<typeof body>;

export const requestExample = { name: "Spring sale 2026", messages: { tags: ["spring", "sale"] } };
