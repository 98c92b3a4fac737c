import { z } from "zod";
import { storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(1_024) });

export const requestExample = { status: "shipped", tax: "1.20", properties: { carrier: "van" } };
