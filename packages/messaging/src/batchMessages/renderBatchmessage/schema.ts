import { storableText } from "@headwater/api/paging/query";
import { z } from "zod";

export { query, type RenderQuery, renderedExample, renderedShape } from "../../templates/routes/renderTemplate.ts";

export const params = z.strictObject({ id: storableText(1_024), contactID: storableText(1_024) });
