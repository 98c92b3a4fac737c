import { serviceDocument } from "./document.ts";

/** Prints the OpenAPI document of `/v2`: `npm run --silent document -w @headwater/service`. */
process.stdout.write(`${JSON.stringify(await serviceDocument(), undefined, 2)}\n`);
