import { z } from "zod";
import type { IntakeRequest } from "../dataset/requests.ts";
import { DemoFailure } from "../demoFailure.ts";
import type { HttpApi } from "../httpApi.ts";
import { inParallel } from "./inParallel.ts";

const AT_ONCE = 4;

const answer = z.object({
  receipt: z.string(),
  rejected: z.number(),
  items: z.array(z.object({ index: z.number(), code: z.string().optional(), message: z.string().optional() })),
});

/** A batch that is in the log. */
export interface Accepted {
  readonly receipt: string;
  readonly records: number;
}

/** Sends batches, a few at a time. Throws DemoFailure when an item is refused: the data set is known to be right. */
export async function sendAll(
  api: Pick<HttpApi, "send">,
  requests: readonly IntakeRequest[],
  onAccepted: (records: number) => void,
): Promise<Accepted[]> {
  const accepted: Accepted[] = [];
  await inParallel(requests, AT_ONCE, async (request) => {
    const { receipt, rejected, items } = answer.parse(await api.send(request));
    if (rejected > 0) {
      const [first] = items;
      throw new DemoFailure(
        `${request.path} refused ${rejected} items; item ${first?.index}: ${first?.code} ${first?.message}`,
      );
    }
    accepted.push({ receipt, records: request.records });
    onAccepted(request.records);
  });
  return accepted;
}
