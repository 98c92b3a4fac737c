import { criteriaSchema } from "@headwater/criteria";
import { publishedAs } from "@headwater/http";
import { z } from "zod";

/** Criteria in a body: the parser of criteria reports every mistake of them, with codes of its own. */
export const criteriaMember = publishedAs(z.looseObject({}), criteriaSchema);
