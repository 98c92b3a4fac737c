import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { clearAccountlist } from "./routes/clearAccountlist.ts";
import { countAccountlist } from "./routes/countAccountlist.ts";
import { createAccountlist } from "./routes/createAccountlist.ts";
import { deleteAccountlist } from "./routes/deleteAccountlist.ts";
import { getAccountlist } from "./routes/getAccountlist.ts";
import { listAccountlists } from "./routes/listAccountlists.ts";
import { updateAccountlist } from "./routes/updateAccountlist.ts";

export function accountlistRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres" | "queue">): Route[] {
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
