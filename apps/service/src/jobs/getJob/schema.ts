import { z } from "zod";
import { afterQuery, storableText } from "../../paging/query.ts";
import { include } from "../jobSchema.ts";

export const params = z.strictObject({ id: storableText(64) });
export const query = z.strictObject({ ...afterQuery, include });
