export {
  countTransports,
  deleteTransport,
  insertTransport,
  isTransportNameTaken,
  lockTransport,
  lockTransports,
  pageTransports,
  readTransport,
  type StoredTransport,
  type TransportMembers,
  type TransportsPage,
  updateTransport,
} from "./transports.ts";
