import { z } from "zod";
import { recordBody } from "../recordShape.ts";

/** An `id` that is given is that of the path. */
export const body = recordBody.extend({ id: z.unknown().optional() });
