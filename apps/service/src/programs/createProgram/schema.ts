import { z } from "zod";
import { programExample, programMembers } from "../programView.ts";

export const body = z.object(programMembers);
export type NewProgram = z.output<typeof body>;

const { name, messages, orchestrations } = programExample;
export const requestExample = { name, messages, orchestrations };
