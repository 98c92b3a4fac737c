#!/bin/sh
# Runs a command with the passwords in place: `{password}` in POSTGRES_URL and CLICKHOUSE_URL becomes what stands in the file
# that POSTGRES_PASSWORD_FILE and CLICKHOUSE_PASSWORD_FILE name. Neither `docker inspect` nor compose.yaml shows them so.
set -eu

# filled URL FILE: the address with the password of the file.
filled() {
  password=$(cat "$2")
  case $password in
    "" | *[!A-Za-z0-9._~-]*)
      echo "the password in $2 may hold letters, digits and . _ ~ - only, for it becomes part of an address" >&2
      exit 1
      ;;
  esac
  printf '%s%s%s' "${1%%"{password}"*}" "$password" "${1#*"{password}"}"
}

case ${POSTGRES_URL-} in
  *"{password}"*)
    POSTGRES_URL=$(filled "$POSTGRES_URL" "$POSTGRES_PASSWORD_FILE")
    export POSTGRES_URL
    ;;
esac
case ${CLICKHOUSE_URL-} in
  *"{password}"*)
    CLICKHOUSE_URL=$(filled "$CLICKHOUSE_URL" "$CLICKHOUSE_PASSWORD_FILE")
    export CLICKHOUSE_URL
    ;;
esac
exec "$@"
