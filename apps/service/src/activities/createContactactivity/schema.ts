import { z } from "zod";
import { successShape } from "../../answers/success.ts";

export const loggedAnswer = successShape.extend({ id: z.string() });

export const loggedExample = { success: true, id: "VbZsDdSkFIHQqU5ESHo7:0:0" };

export const requestExample = {
  email: "ada@example.com",
  action: "webinar-attended",
  UID: "webinar-17-ada",
  properties: { webinar: "Streams", minutes: 42 },
};
