#!/bin/sh
# Builds the image of every app: `npm run build`, or `npx turbo run build`, which does it when something in them has changed.
# A list of apps builds those alone: sh infra/containers/buildImages.sh ingress service
set -eu
cd "$(dirname "$0")/../.."
for app in ${*:-$(ls apps)}; do
  docker build --file infra/Dockerfile --build-arg "APP=$app" --tag "headwater-$app" .
done
