#!/bin/sh
# Makes once what compose.yaml needs, in .compose/ (or the folder that is named): passwords, the key-encryption key, the
# keys of three nodes and of the workers, cluster.json, a policy with limits, the configuration of Temporal. Keeps every
# file that is there. Prints no secret. Run it as root: the nodes' folders are given to the user of their containers.
set -eu
umask 077
folder=$(mkdir -p "${1:-.compose}" && cd "${1:-.compose}" && pwd)
secrets=$folder/secrets
# As in the images.
user=10001
version=${COUNTERSIGN_VERSION:-0.1.0}

# The node program: MPC_NODE where it is installed, else the one in the image.
mpc_node() {
  if [ -n "${MPC_NODE:-}" ]; then "$MPC_NODE" "$@"; else
    docker run --rm --network none --user "$(id -u):$(id -g)" --volume "$folder:$folder" \
      --entrypoint /usr/local/bin/mpc-node "countersign/mpc-node:$version" "$@"
  fi
}

# A file is written whole or not at all.
write() { [ -e "$1" ] || { cat > "$1.new" && mv "$1.new" "$1"; }; }
random() { openssl rand -hex 32 | write "$secrets/$1"; }
url() { echo "postgres://$1:$(cat "$secrets/$2")@postgres:5432/countersign" | write "$secrets/$3"; }

mkdir -p "$secrets"
for name in postgres-password database-owner-password database-service-password database-temporal-password \
  key-encryption-key metrics-token mpc-node-1-store-key mpc-node-2-store-key mpc-node-3-store-key; do
  random "$name"
done
url countersign_owner database-owner-password database-owner-url
url countersign_service database-service-password database-url
sed "s/PASSWORD/$(cat "$secrets/database-temporal-password")/" "$(dirname "$0")/temporal/server.yaml" |
  write "$secrets/temporal-configuration"

nodes=
for index in 1 2 3; do
  node=$folder/mpc-node-$index
  mkdir -p "$node/state" "$node/rules"
  public=$(mpc_node init --dir "$node/state/node" --index "$index" --store-key-file "$secrets/mpc-node-$index-store-key")
  nodes="$nodes${nodes:+,}$public"
done
orchestrator=$(mpc_node init-orchestrator --dir "$folder/orchestrator")
enrolment=$(mpc_node init-enrolment --dir "$folder/enrolment" | sed 's/^{//; s/}$//')
write "$secrets/command-key" < "$folder/orchestrator/command.key"
write "$secrets/orchestrator-tls-key" < "$folder/orchestrator/tls.key"
write "$secrets/orchestrator-tls-certificate" < "$folder/orchestrator/tls.crt"

mkdir -p "$folder/workers"
cluster="{\"threshold\":2,\"nodes\":[$nodes],\"orchestrator\":$orchestrator,$enrolment}"
printf '%s\n' "$cluster" | write "$folder/workers/cluster.json"
for index in 1 2 3; do
  rules=$folder/mpc-node-$index/rules
  printf '%s\n' "$cluster" | write "$rules/cluster.json"
  write "$rules/policy.json" < "$(dirname "$0")/policy.json"
  chmod -R go+rX "$rules"
  if [ "$(id -u)" -eq 0 ]; then chown -R "$user:$user" "$folder/mpc-node-$index/state"; else
    echo "Give $folder/mpc-node-$index/state to the user $user: only root can." >&2
  fi
done
chmod -R go+rX "$folder/workers"
mkdir -p "$folder/exports"
if [ "$(id -u)" -eq 0 ]; then chown "$user:$user" "$folder/exports"; else
  echo "Give $folder/exports to the user $user: only root can." >&2
fi
# The users of the containers read what is mounted; nobody else comes through the folder.
chmod 0444 "$secrets"/*
echo "Take $folder/enrolment away from this host: it is for repairs, and stays offline."
