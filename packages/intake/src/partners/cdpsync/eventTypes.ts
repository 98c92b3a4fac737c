/** Kinds of events that become something here; others are passed over, and said so. */
export const mappedEventTypes = [
  "custom_event",
  "screen_view",
  "product_action",
  "user_attribute_change",
  "user_identity_change",
] as const;
