import { emailOf, itemText, SUPPLEMENT } from "../records/items.ts";
import { NUMBER_POSITION } from "../records/numberedCalls.ts";
import type { CallTemplate } from "../tasks/httpLoadTask.ts";
import type { WriteName } from "./bareWriter.ts";
import { TEMPLATE } from "./seedState.ts";

export interface WriteCall {
  readonly name: string;
  readonly call: CallTemplate;
  readonly status: number;
  /** The hand-written one that writes as many rows. */
  readonly bare: WriteName;
  /** It is about a contact that was seeded; no two at a time are about the same one. */
  readonly isAboutSeeded?: true;
}

/** One contact, order or record each, new ones and changes. */
export function writeCalls(): WriteCall[] {
  const { channels, ...attributes } = read("upsertContact").attributes;
  const { order } = read("upsertOrder");
  const [record] = read("upsertSupplementsRecords").records;
  const contact = { channels, attributes: { ...attributes, customer_id: `C${TEMPLATE}` }, identifyBy: ["customer_id"] };
  const email = emailOf(TEMPLATE);
  const found = `/v2/contacts/${email}`;
  const records = `/v2/supplements/${SUPPLEMENT}/records`;
  return [
    { name: "POST a new contact", call: numbered("POST", "/v2/contacts", contact), status: 201, bare: "contact" },
    {
      name: "PUT a contact",
      call: numbered("PUT", found, changes()),
      status: 200,
      bare: "contact",
      isAboutSeeded: true,
    },
    {
      name: "POST an order",
      call: numbered("POST", "/v2/orders", { ...order, orderID: `new-${TEMPLATE}`, email }),
      status: 201,
      bare: "order",
      isAboutSeeded: true,
    },
    {
      name: "POST a supplement record",
      call: numbered("POST", records, { ...record, id: `new-${TEMPLATE}`, email }),
      status: 201,
      bare: "record",
      isAboutSeeded: true,
    },
  ];
}

/** Every attribute gets a value that it did not have. */
function changes() {
  const { channels, ...attributes } = read("upsertContact", 1).attributes;
  return { attributes: { ...attributes, city: `City ${TEMPLATE}` } };
}

function read(operation: Parameters<typeof itemText>[0], round = 0) {
  return JSON.parse(itemText(operation, TEMPLATE, round));
}

function numbered(method: CallTemplate["method"], path: string, body: object): CallTemplate {
  const toPaths = (text: string) => text.replaceAll(String(TEMPLATE), NUMBER_POSITION);
  return { method, path: toPaths(path), body: toPaths(JSON.stringify(body)) };
}
