import type { Resource } from "../requests/run.ts";
import { alerts } from "./alerts.ts";
import { attributes } from "./attributes.ts";
import { audiences } from "./audiences.ts";
import { audit } from "./audit.ts";
import { contacts } from "./contacts.ts";
import { datajobs } from "./datajobs.ts";
import { events } from "./events.ts";
import { includes } from "./includes.ts";
import { jobs } from "./jobs.ts";
import { lists } from "./lists.ts";
import { messages } from "./messages.ts";
import { orchestrations } from "./orchestrations.ts";
import { orders } from "./orders.ts";
import { products } from "./products.ts";
import { programs } from "./programs.ts";
import { supplements } from "./supplements.ts";
import { suppressions } from "./suppressions.ts";
import { templates } from "./templates.ts";
import { transports } from "./transports.ts";
import { webhooks } from "./webhooks.ts";

/** Every resource that has commands, in the order of the help. */
export const resources: readonly Resource[] = [
  contacts,
  lists,
  attributes,
  audiences,
  events,
  orders,
  products,
  supplements,
  includes,
  messages,
  templates,
  orchestrations,
  transports,
  suppressions,
  programs,
  datajobs,
  alerts,
  webhooks,
  jobs,
  audit,
];
