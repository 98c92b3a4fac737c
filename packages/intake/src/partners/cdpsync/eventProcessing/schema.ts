import { z } from "zod";
import { accountEnvelope, accountSample } from "../envelope.ts";

export const body = z.looseObject({
  ...accountEnvelope,
  user_identities: z.array(z.unknown()).optional(),
  user_attributes: z.record(z.string(), z.unknown()).optional(),
  user_attribute_lists: z.record(z.string(), z.unknown()).optional(),
  events: z.array(z.unknown()).optional(),
});
export type Body = z.infer<typeof body>;

export const TYPE = "event_processing_request";

const product = {
  id: "85123A",
  name: "White hanging heart",
  brand: "Hearth",
  category: "Decoration",
  variant: "85123A-W",
  price: 2.55,
  quantity: 6.0,
  total_amount: 15.3,
  attributes: { colour: "white" },
};

export const sample = {
  type: TYPE,
  id: "52b23d2e-1b7a-4f0a-9f4e-000000000002",
  timestamp_ms: 1_767_998_832_000,
  firehose_version: "2.1.0",
  ...accountSample,
  source_channel: "web",
  mpid: "5445343434343443",
  user_identities: [
    { type: "email", encoding: "raw", value: "ann@example.com" },
    { type: "customer", encoding: "raw", value: "4711" },
  ],
  user_attributes: { first_name: "Ann", plan: "gold" },
  user_attribute_lists: { interests: ["shoes", "hats"] },
  partner_identities: null,
  consent_state: {},
  events: [
    {
      type: "custom_event",
      id: "3145561000000000001",
      timestamp_ms: 1_767_998_830_000,
      source_id: "web-1",
      session_id: 4_451_000_001,
      name: "browse",
      custom_event_type: "navigation",
      location: { latitude: 51.5, longitude: -0.12 },
      attributes: { category: "Shoes" },
    },
    { type: "screen_view", id: "3145561000000000002", timestamp_ms: 1_767_998_831_000, screen_name: "Home" },
    {
      type: "product_action",
      id: "3145561000000000003",
      timestamp_ms: 1_767_998_831_500,
      action: "purchase",
      transaction_id: "A-3001",
      total_amount: 16.5,
      tax_amount: 1.2,
      shipping_amount: 0,
      currency_code: "GBP",
      coupon_code: "WINTER",
      products: [product],
    },
    {
      type: "product_action",
      id: "3145561000000000004",
      timestamp_ms: 1_767_998_831_600,
      action: "add_to_cart",
      products: [product],
    },
    { type: "session_end", id: "3145561000000000005", timestamp_ms: 1_767_998_832_000 },
  ],
};
