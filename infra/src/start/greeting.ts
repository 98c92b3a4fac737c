import type { Connection } from "./connection.ts";
import { connectionFile } from "./connection.ts";

/** Returns the greeting once all is ready: addresses, key, a first request. */
export function greeting(connection: Connection, home: string): string[] {
  const { ingressUrl, serviceUrl, operationsUrl, trackingUrl, mailUrl, mailSmtpUrl, apiKey } = connection;
  const key = apiKey ?? "YOUR_KEY";
  const body = '{"identifiers":{"email":"ann@example.com"},"attributes":{"first_name":"Ann"},"canBeCreated":true}';
  return [
    "Headwater is ready.",
    `  intake       ${ingressUrl}/api  (described at ${ingressUrl}/docs)`,
    `  queries      ${serviceUrl}/v2`,
    `  tracking     ${trackingUrl}/t`,
    ...(mailUrl === null ? [] : [`  mail         ${mailUrl} (its mailboxes), ${mailSmtpUrl}`]),
    `  operations   ${operationsUrl}/health and /metrics`,
    `  key          ${apiKey ?? "known only to the home that made the account"}`,
    `  all of it    ${connectionFile(home)}`,
    "A first request:",
    `  curl -s ${ingressUrl}/api/upsertContact -H 'x-api-key: ${key}' -H 'content-type: application/json' -d '${body}'`,
  ];
}
