import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ingress, startIngress, type TestAccount } from "../ingressFixture.ts";
import { callOf, contentOf, createPartnerAccount, endpointOf, pushed, withSecrets } from "./partnerFixture.ts";

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await createPartnerAccount(ingress, withSecrets);
});
afterAll(() => ingress.stop());

const LISTSYNC = "/api/listsync/listMembership/{accountId}";
const SUBSCRIPTION = "/api/subscriptionsync/subscription/{accountId}";
const rights = { canBeCreated: true, canBeUpdated: true };

type Twin = readonly [operation: string, body: object];

/** Twice the same thing: as the partner says it, and as calls of intake in the order in which the records stand. */
const twins: readonly (readonly [path: string, push: object, intake: readonly Twin[]])[] = [
  [
    LISTSYNC,
    {
      action_type: "segment.users.sync",
      customer_config: { fields: [{ field_type: "identity_mapping", value: { id: "customer_id" } }] },
      data: {
        segment: { id: 7, name: "Likely to buy" },
        sync_info: { page_number: "1", total_pages: 1, sync_task_id: "same-1" },
        add: [{ id: "u1" }],
        remove: [{ id: 2 }],
      },
    },
    [
      ["addContactsToList", { identifiers: [{ customer_id: "u1" }], canBeCreated: false }],
      ["removeContactsFromList", { identifiers: [{ customer_id: 2 }] }],
    ],
  ],
  [
    "/api/cdpsync/eventProcessing",
    {
      type: "event_processing_request",
      id: "same-1",
      timestamp_ms: 1_767_998_832_000,
      user_identities: [{ type: "email", encoding: "raw", value: "ann@example.com" }],
      user_attributes: { plan: "gold" },
      events: [
        { type: "custom_event", id: "s1", timestamp_ms: 1_767_998_830_000, name: "browse", attributes: { a: 1 } },
        {
          type: "product_action",
          id: "s2",
          timestamp_ms: 1_767_998_830_000,
          action: "purchase",
          transaction_id: "S-1",
          total_amount: "16.50",
          products: [{ id: "p", name: "n", price: 2.5, quantity: 2 }],
        },
        {
          type: "product_action",
          id: "s3",
          timestamp_ms: 1_767_998_830_000,
          action: "add_to_cart",
          products: [{ id: "p", variant: "v", name: "n", category: "c", quantity: 2.0 }],
        },
      ],
    },
    [
      ["upsertContact", { identifiers: { email: "ann@example.com" }, attributes: { plan: "gold" }, ...rights }],
      [
        "createContactactivities",
        {
          contact: { identifiers: { email: "ann@example.com" } },
          contactactivities: [{ name: "browse", time: "2026-01-09T22:47:10.000Z", UID: "s1", properties: { a: 1 } }],
        },
      ],
      [
        "upsertOrder",
        {
          contact: { identifiers: { email: "ann@example.com" } },
          order: {
            orderID: "S-1",
            purchaseDate: "2026-01-09T22:47:10.000Z",
            items: [{ productID: "p", sku: "p", name: "n", itemPrice: 2.5, qty: 2 }],
            totalAmount: "16.50",
          },
        },
      ],
      [
        "addProductsToCart",
        {
          contact: { identifiers: { email: "ann@example.com" } },
          products: [{ productID: "p", sku: "v", qty: 2, category: "c", name: "n" }],
        },
      ],
    ],
  ],
  [
    "/api/cdpsync/audienceMembershipChange",
    {
      type: "audience_membership_change_request",
      id: "same-2",
      timestamp_ms: 1,
      user_profiles: [
        {
          user_identities: [{ type: "customer", value: 4711 }],
          audiences: [
            { audience_id: 9, audience_name: "Loyal", action: "add" },
            { audience_id: 9, audience_name: "Loyal", action: "delete" },
            {
              audience_id: 9,
              audience_name: "Loyal",
              action: "attribute_update",
              user_attributes: [
                { key: "tier", value: "gold", action: "upsert" },
                { key: "old", action: "delete" },
              ],
            },
          ],
        },
      ],
    },
    [
      ["addContactsToList", { identifiers: [{ customer_id: 4711 }], canBeCreated: false }],
      ["removeContactsFromList", { identifiers: [{ customer_id: 4711 }] }],
      [
        "upsertContact",
        {
          identifiers: { customer_id: 4711 },
          attributes: { tier: "gold", old: null },
          canBeCreated: false,
          canBeUpdated: true,
        },
      ],
    ],
  ],
  [
    SUBSCRIPTION,
    {
      subscription: {
        id: 7,
        email: "ann@example.com",
        customer_id: 4711,
        price: "9.50",
        status: "CANCELLED",
        cancelled_at: "2026-01-09T22:47:12Z",
        updated_at: "2026-01-09T22:47:12Z",
      },
    },
    [
      [
        "createContactactivities",
        {
          contact: { identifiers: { email: "ann@example.com" } },
          contactactivities: [
            {
              name: "subscription-cancelled",
              time: "2026-01-09T22:47:12Z",
              UID: "subscription-7-cancelled-2026-01-09T22:47:12Z",
              properties: {
                id: "7",
                customer_id: "4711",
                price: "9.50",
                updated_at: "2026-01-09T22:47:12Z",
                cancelled_at: "2026-01-09T22:47:12Z",
                status: "cancelled",
              },
            },
          ],
        },
      ],
      [
        "upsertSupplementsRecords",
        {
          supplement: "subscriptions",
          records: [
            {
              id: "7",
              email: "ann@example.com",
              customer_id: "4711",
              price: "9.50",
              updated_at: "2026-01-09T22:47:12Z",
              cancelled_at: "2026-01-09T22:47:12Z",
              status: "cancelled",
            },
          ],
        },
      ],
    ],
  ],
  ...pipelineTwins(),
];

function pipelineTwins(): typeof twins {
  const who = { pipelineIdKey: "customer_id", pipelineId: 4711, userIdentities: { email: "ann@example.com" } };
  const identifiers = { customer_id: "4711", email: "ann@example.com" };
  const identifiersPriority = ["customer_id", "email"];
  const contact = { identifiers, identifiersPriority };
  const of = (name: string, push: object, intake: Twin): (typeof twins)[number] => [
    `/api/pipeline/${name}`,
    { ...who, ...push },
    [intake],
  ];
  const members = { identifiers: [identifiers], identifiersPriority };
  const product = { productID: "p", sku: "s", category: "c", name: "n", itemPrice: "2.55" };
  const order = { orderID: "P-1", purchaseDate: "2026-01-09 22:47:12", status: "paid", totalAmount: 5 };
  const items = [{ productID: "p", sku: "s", name: "n" }];
  const event = { time: "2026-01-09T22:47:12Z", properties: { a: 1 } };
  return [
    of("upsertContact", { attributes: { plan: "gold", old: null } }, [
      "upsertContact",
      { ...contact, attributes: { plan: "gold", old: null }, ...rights },
    ]),
    of("createContactactivity", { action: "browse", ...event, context: { ip: "203.0.113.7" } }, [
      "createContactactivities",
      { contact, contactactivities: [{ name: "browse", ...event, device: { ip: "203.0.113.7" } }] },
    ]),
    of("addContactToList", { groupId: 12, listName: "Beta" }, [
      "addContactsToList",
      { ...members, canBeCreated: true },
    ]),
    of("removeContactFromList", { groupId: 12 }, ["removeContactsFromList", members]),
    of("addProductToCart", { ...product, qty: "2.0", imageUrl: "https://x/p.jpg" }, [
      "addProductsToCart",
      { contact, products: [{ ...product, qty: 2, images: ["https://x/p.jpg"] }] },
    ]),
    of("removeProductFromCart", { productID: "p", qty: 1 }, [
      "removeProductsFromCart",
      { contact, products: [{ productID: "p", qty: 1 }] },
    ]),
    of("upsertOrder", { ...order, items }, ["upsertOrder", { contact, order: { ...order, items } }]),
  ];
}

/** Rights that intake gives only with attributes, and partners without; null members of a record that is written whole. */
function comparable(record: Record<string, unknown>): unknown {
  const { listId: _, listName: _name, ...rest } = contentOf(record);
  return JSON.parse(JSON.stringify(rest), (name, value: unknown) => {
    if (name === "contact" && typeof value === "object" && value !== null && !("attributes" in value)) {
      return { ...value, canBeCreated: undefined };
    }
    return value;
  });
}

test.each(twins)("%s writes the records that intake's own calls write", async (path, push, intake) => {
  const partner = await pushed(ingress, callOf(endpointOf(path), caller, push));
  const lists = partner.records.map(({ listId }) => listId).filter((listId) => listId !== undefined);
  const own = [];
  for (const [operation, body] of intake) {
    const target = operation.endsWith("List") ? { listId: lists[0] } : {};
    const call = { path: `/api/${operation}`, key: caller.key, body: { ...body, ...target } };
    const { answer, records } = await pushed(ingress, call);
    expect([operation, answer.status, answer.body.warnings]).toEqual([operation, 202, undefined]);
    own.push(...records);
  }
  expect(partner.answer.status).toBeLessThan(300);
  expect(partner.records.map(comparable)).toEqual(own.map(comparable));
  expect(new Set(lists).size).toBe(intake.some(([operation]) => operation.endsWith("List")) ? 1 : 0);
});
