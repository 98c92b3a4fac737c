import type { Route } from "@headwater/http";
import { activityBody, contactBody, orderBody, rowsBody } from "./importBodies.ts";
import { defineImportRoute } from "./importRoute.ts";
import type { ImportPorts } from "./startImport.ts";

/** Routes of the five kinds of imports. */
export function importRoutes(ports: ImportPorts): Route[] {
  return [activityImport(ports), contactImport(ports), orderImport(ports), productImport(ports), recordImport(ports)];
}

function activityImport(ports: ImportPorts): Route {
  const description =
    "The file is csv, text, JSON, Parquet or .xlsx. A column is `name` (or `action`), `time`, `UID`, `properties.…`, `geo`, `device`, an identifier of the contact, or else a property of its name. An activity is known again by its `UID`; a row without one gets a UID made of its content, so a file that is imported twice adds nothing. A row about an unknown contact is rejected, unless `canBeCreated` is true.";
  return defineImportRoute(
    {
      jobName: "ImportActivities",
      path: "/v2/activityimports",
      operationId: "createActivityimport",
      rows: "activities",
      description,
      scope: "activityimports:write",
      body: activityBody,
      example: {
        importName: "visits of 2025",
        hasHeader: true,
        mapping: { Visitor: "customer_id", Page: "properties.page" },
      },
      inputOf: (input) => input,
    },
    ports,
  );
}

function contactImport(ports: ImportPorts): Route {
  const description =
    "The file is csv, tsv, text, lines of JSON or Parquet, plain or packed by gzip or zstd. Columns are read by `mapping`, else by their names: identifiers, `channels.…`, `attributes.…`, `lists.…`, lists, attributes. Rows go through the log, so they follow the rules of `upsertContact`. The job counts each row as inserted, updated, ignored or rejected; `GET /v2/jobs/{id}/rejections` lists the rejected ones with their lines.";
  return defineImportRoute(
    {
      jobName: "ImportContacts",
      path: "/v2/contactimports",
      operationId: "createContactimport",
      rows: "contacts",
      description,
      scope: "contactimports:write",
      body: contactBody,
      example: {
        importName: "newsletter subscribers",
        hasHeader: true,
        mapping: { "E-mail": "email", "First name": "attributes.first_name", Internal: null },
        lists: { addTo: ["newsletter"] },
        strategy: "upsert",
      },
      inputOf: (provided) => provided,
    },
    ports,
  );
}

function orderImport(ports: ImportPorts): Route {
  const description =
    "Each line of the file is JSON: the body of `POST /v2/orders`. Orders are upserted by `orderID`, in the order of the file. A line about an unknown contact is rejected, unless `canBeCreated` is true.";
  return defineImportRoute(
    {
      jobName: "ImportOrders",
      path: "/v2/ordersimport",
      operationId: "createOrdersimport",
      rows: "orders",
      description,
      scope: "ordersimport:write",
      body: orderBody,
      example: { importName: "orders of 2025", canBeCreated: true },
      isJsonOnly: true,
      inputOf: (received) => received,
    },
    ports,
  );
}

function productImport(ports: ImportPorts): Route {
  const description =
    "The file is csv, with dotted columns for parts of members (`variants.0.sku`), lines of JSON as `POST /v2/products` takes them, or Parquet. Products are upserted by `productID`.";
  return defineImportRoute(
    {
      jobName: "ImportProducts",
      path: "/v2/productimports",
      operationId: "createProductimport",
      rows: "products",
      description,
      scope: "productimports:write",
      body: rowsBody,
      example: { importName: "catalogue", hasHeader: true },
      inputOf: (given) => given,
    },
    ports,
  );
}

function recordImport(ports: ImportPorts): Route {
  const description =
    "The file is csv or Parquet, each column a field, or lines of JSON. Records are upserted by `id`, in the order of the file.";
  return defineImportRoute(
    {
      jobName: "ImportSupplements",
      path: "/v2/supplements/{key}/imports",
      operationId: "createSupplementimport",
      rows: "records of a supplement table",
      description,
      scope: "supplements:write",
      body: rowsBody,
      example: { hasHeader: true, strategy: "upsert" },
      isOfTable: true,
      inputOf: (given, supplement) => ({ ...given, supplement }),
    },
    ports,
  );
}
