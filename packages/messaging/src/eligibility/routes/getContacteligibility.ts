import { waitForState } from "@headwater/api/consistency/after";
import { afterQuery, storableText } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import { canonicalChannel, toTimestamp } from "@headwater/contracts";
import { type Answer, type Caller, defineRoute, type Route } from "@headwater/http";
import { contactParams } from "@headwater/records/contacts/contactShape";
import { readView } from "@headwater/records/contacts/routes/getContact";
import { z } from "zod";
import { zoneOfContact } from "../../batchMessages/zoneOfContact.ts";
import type { RoutePorts } from "../../ports.ts";
import { readRecipients } from "../../sending/window/facts.ts";
import { judge, quietHoursEnd, reasonsAgainst } from "../../sending/window/verdict.ts";
import type { StoredSend } from "../../sends/sendRow.ts";

const query = z.strictObject({
  channel: storableText(128).min(1).overwrite(canonicalChannel),
  classification: z.enum(["promotional", "transactional"]).optional().meta({ description: "Default: `promotional`." }),
  ...afterQuery,
});
type EligibilityQuery = z.output<typeof query>;

const answer = z.strictObject({
  eligible: z.boolean().meta({ description: "False when a message to the contact would be skipped now." }),
  reasons: z.array(
    z.strictObject({
      reason: z.string(),
      until: z.string().optional().meta({ description: "The message would not be skipped, but wait until then." }),
    }),
  ),
});
const example = { eligible: false, reasons: [{ reason: "not-subscribed" }, { reason: "capped" }] };

/** A send that nobody has begun, of no message: what a message alone decides (holdouts, its expiry) is no matter here. */
function sendOf(
  account: number,
  contact: number,
  { channel, classification = "promotional" }: EligibilityQuery,
): StoredSend {
  return {
    ...{ account, message: "", contact, n: 1, kind: "a", cid: "", channel, classification, priority: 2, variant: null },
    ...{ want: null, resendsLeft: 0, address: null, dueAt: 0, state: "pending", reason: null, attempts: 0 },
    ...{ attemptsBefore: 0, createdAt: 0, firstAt: null, at: 0, transport: null, code: null, text: null },
  };
}

/** All reasons of the sender's own decision, in the order in which they count. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
async function readEligibility(
  primaryKey: string,
  { account }: Caller,
  { query: asked, ports }: { readonly query: EligibilityQuery; readonly ports: EligibilityPorts },
): Promise<Answer> {
  const { postgres, clock } = ports;
  const { number, shown } = await readView(primaryKey, account, ports);
  const attributes: unknown = Reflect.get(shown, "attributes");
  const zone = zoneOfContact(account, { ...Object(attributes) }) ?? account.settings.timezone;
  const nowMs = clock.nowMs();
  const send = sendOf(account.number, number, asked);
  const recipient = (await readRecipients(postgres, { account, sends: [send], nowMs })).get(send);
  const judging = {
    ...{ settings: account.settings.messaging, zone, nowMs },
    ...{ hasMessage: true, isHeldOut: false, isDuplicate: false },
  };
  const verdict = judge(send, recipient, judging);
  const all = recipient === undefined ? [] : [...reasonsAgainst(send, recipient, judging)];
  // Without an address there is no other reason; each of the others comes after the first.
  const skips = verdict.kind === "skip" && !all.includes(verdict.reason) ? [verdict.reason] : all;
  const until = quietHoursEnd(send, judging);
  const holds = until === undefined ? [] : [{ reason: "quiet-hours", until: toTimestamp(until) }];
  const body = { eligible: skips.length === 0, reasons: [...skips.map((reason) => ({ reason })), ...holds] };
  return { status: 200, body };
}

type EligibilityPorts = AfterPorts & Pick<RoutePorts, "attributeRules" | "clock" | "postgres">;

export function getContacteligibility(ports: EligibilityPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts/{primary_key}/eligibility",
    operationId: "getContacteligibility",
    summary: "Says whether a contact would get a message in a channel now, and every reason why not.",
    description:
      "The decision is the sender's own: `no-address`, `invalid-address`, `suppressed`, `not-subscribed`, `capped`. In quiet hours a message waits: `quiet-hours` with `until`, and the contact stays eligible.",
    tags: ["contacts"],
    answers: {
      200: { description: "The decision.", schema: answer, example },
      404: { description: "CONTACTS_CONTACT_NOT_FOUND: no contact has this key." },
    },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    params: contactParams,
    query,
    handler: async (call) => {
      await waitForState(call, ports);
      return readEligibility(call.params.primary_key, call.caller, { query: call.query, ports });
    },
  });
}
