import { z } from "zod";
import { id, isMembers, maybeId } from "../../reading.ts";

const time = z.union([z.string(), z.number()]).optional();

const subscription = z.looseObject({
  id,
  customer_id: maybeId,
  email: z.string().optional(),
  customer: z.looseObject({ email: z.string().optional() }).optional(),
  status: z.string().optional(),
  created_at: time,
  updated_at: time,
  cancelled_at: time,
});

/** Wrapped as `{"subscription": {…}}`, or bare. */
export const body = z.preprocess(
  (input) => (isMembers(input) && isMembers(input.subscription) ? input.subscription : input),
  subscription,
);
/** The subscription as it is sent: while it is not cancelled, the time of that is null. */
const sent = subscription.extend({ cancelled_at: time.nullable() });
export const sentBody = z.union([z.looseObject({ subscription: sent }), sent]);
export type Body = z.infer<typeof subscription>;

/** Fields of the record and of the activity's properties; what else a sender adds is left out. */
export const fields = [
  "address_id",
  "customer_id",
  "product_title",
  "variant_title",
  "sku",
  "quantity",
  "price",
  "presentment_currency",
  "order_interval_unit",
  "order_interval_frequency",
  "charge_interval_frequency",
  "order_day_of_month",
  "order_day_of_week",
  "next_charge_scheduled_at",
  "expire_after_specific_number_of_charges",
  "has_queued_charges",
  "is_prepaid",
  "is_skippable",
  "is_swappable",
  "max_retries_reached",
  "external_product_id",
  "external_variant_id",
  "properties",
  "analytics_data",
  "created_at",
  "updated_at",
] as const;

/** Written with the others while a subscription is cancelled, and removed when it is not any more. */
export const cancellationFields = ["cancelled_at", "cancellation_reason", "cancellation_reason_comments"] as const;

export const sample = {
  subscription: {
    id: 90_001,
    customer_id: 4_711,
    address_id: 5_101,
    email: "ann@example.com",
    product_title: "Coffee, monthly",
    variant_title: "250 g",
    sku: "COF-250",
    quantity: 2,
    price: "9.50",
    presentment_currency: "GBP",
    status: "ACTIVE",
    order_interval_unit: "month",
    order_interval_frequency: "1",
    charge_interval_frequency: 1,
    order_day_of_month: 9,
    order_day_of_week: null,
    next_charge_scheduled_at: "2026-02-09T00:00:00",
    expire_after_specific_number_of_charges: null,
    has_queued_charges: true,
    is_prepaid: false,
    is_skippable: true,
    is_swappable: false,
    max_retries_reached: false,
    external_product_id: { ecommerce: "6642807668867" },
    external_variant_id: { ecommerce: "39519275974787" },
    properties: [{ name: "grind", value: "whole bean" }],
    analytics_data: {},
    cancellation_reason: null,
    cancelled_at: null,
    created_at: "2026-01-09 22:47:10",
    updated_at: "2026-01-09 22:47:12",
  },
};
