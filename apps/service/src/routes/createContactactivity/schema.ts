import { z } from "zod";

export const loggedAnswer = z.strictObject({ success: z.literal(true), id: z.string() });

export const loggedExample = { success: true, id: "VbZsDdSkFIHQqU5ESHo7:0:0" };

export const requestExample = {
  email: "ada@example.com",
  action: "webinar-attended",
  UID: "webinar-17-ada",
  properties: { webinar: "Streams", minutes: 42 },
};
