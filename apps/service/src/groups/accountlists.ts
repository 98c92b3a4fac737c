import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { clearAccountlist } from "../routes/clearAccountlist/index.ts";
import { countAccountlist } from "../routes/countAccountlist/index.ts";
import { createAccountlist } from "../routes/createAccountlist/index.ts";
import { deleteAccountlist } from "../routes/deleteAccountlist/index.ts";
import { getAccountlist } from "../routes/getAccountlist/index.ts";
import { listAccountlists } from "../routes/listAccountlists/index.ts";
import { updateAccountlist } from "../routes/updateAccountlist/index.ts";

export function accountlistRoutes(ports: RoutePorts): Route[] {
  return [
    listAccountlists(ports),
    createAccountlist(ports),
    getAccountlist(ports),
    updateAccountlist(ports),
    deleteAccountlist(ports),
    countAccountlist(ports),
    clearAccountlist(ports),
  ];
}
