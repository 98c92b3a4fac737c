#!/bin/sh
# Makes the secrets that infra/compose.yaml hands to containers as files; what is there stays. An own certificate goes into
# tls-certificate.pem and tls-key.pem.
#   sh infra/containers/makeSecrets.sh [FOLDER]     (default .headwater/compose-secrets)
set -eu
folder=${1:-$(dirname "$0")/../../.headwater/compose-secrets}
mkdir -p "$folder"
# Containers run as several users and see the files as they are here, so all may read them; the folder keeps others out.
chmod 700 "$folder"
umask 022
cd "$folder"
for name in postgres-password clickhouse-password receipt-secret erasure-secret settings-key grafana-password; do
  [ -s "$name" ] || openssl rand -hex 32 > "$name"
done
if [ ! -s tls-certificate.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,DNS:ingress,DNS:service,IP:127.0.0.1 \
    -keyout tls-key.pem -out tls-certificate.pem 2>/dev/null
  chmod 644 tls-key.pem
fi
echo "the secrets are in $(pwd)"
