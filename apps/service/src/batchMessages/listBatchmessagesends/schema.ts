import { z } from "zod";
import { sendsQuery } from "../../sends/sendView.ts";

export const query = sendsQuery.extend({ sort_by: z.enum(["contact"]).optional() });
export type MessageSendsQuery = z.output<typeof query>;

export const sendsExample = {
  data: [
    {
      ...{ cID: "65f0c0ffee65f0c0ffee0001", address: "ada@example.com", state: "sent", attempts: 1 },
      mcID: "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00e1:b:65f0c0ffee65f0c0ffee0001:1",
      ...{ at: "2026-01-09T22:47:12.000Z", code: 250, text: "2.0.0 OK" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
