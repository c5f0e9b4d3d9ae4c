#!/usr/bin/env bash
# A key ceremony, step by step: README.md beside it says who runs which command where. Private keys stay in the folder that
# a command makes; what is handed on is public, and each piece has a fingerprint to be read aloud.
set -euo pipefail
umask 077

MPC_NODE=${MPC_NODE:-mpc-node}

usage() {
  cat >&2 <<'TEXT'
usage: ceremony.sh node NUMBER FOLDER            on the host of a node: its keys
       ceremony.sh service FOLDER                on the host of the workers: their command key and certificate
       ceremony.sh offline FOLDER                on a machine without a network: the keys for repairs and backups
       ceremony.sh assemble THRESHOLD FILE...    anywhere: cluster.json, made of the public files
       ceremony.sh confirm CLUSTER FILE...       on every host: that cluster.json has what was handed out here
MPC_NODE names the node program; mpc-node on the PATH when absent.
TEXT
  exit 2
}

fail() {
  echo "ceremony.sh: $1" >&2
  exit 1
}

hash_of() { sha256sum | cut -c 1-64; }
# Of the content and not of its spelling: of keys in order, without blanks, and in groups that can be read aloud.
fingerprint() { jq -cSj . "$1" | hash_of | cut -c 1-32 | sed 's/..../& /g; s/ $//'; }

# One line for the minutes: when, on which host, with which program, what.
minute() {
  local program
  program=$(hash_of <"$(command -v "$MPC_NODE")")
  echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $(uname -n) $("$MPC_NODE" --version | head -n 1) sha256:$program: $1" | tee -a "$2"
}

new_folder() {
  [ ! -e "$1" ] || fail "$1 is there already. A ceremony begins with empty places."
  mkdir -p "$1"
}

# make LABEL PUBLIC-FILE FOLDER ARGUMENTS: runs the node program and keeps what it prints.
make() {
  local label=$1 file=$2 folder=$3
  shift 3
  "$MPC_NODE" "$@" >"$file"
  chmod 644 "$file"
  minute "$label, fingerprint $(fingerprint "$file")" "$folder/minutes.txt"
}

node() {
  [[ $1 =~ ^[1-9][0-9]?$ ]] || fail "$1 is not the number of a node."
  new_folder "$2"
  make "node $1" "$2/node-$1.json" "$2" init --dir "$2/node" --index "$1" --store-key-file "$2/store.key"
}

service() {
  new_folder "$1"
  make 'service' "$1/service.json" "$1" init-orchestrator --dir "$1/credentials"
}

offline() {
  new_folder "$1"
  make 'enrolment key' "$1/enrolment.json" "$1" init-enrolment --dir "$1/enrolment"
  make 'backup key' "$1/backup.json" "$1" init-backup --dir "$1/backup"
}

assemble() {
  local threshold=$1 cluster
  shift
  [[ $threshold =~ ^[1-9]$ ]] || fail "$threshold is no threshold."
  for file in "$@"; do jq -e 'type == "object"' "$file" >/dev/null || fail "$file is not what a command here made."; done
  cluster=$(jq -es --argjson threshold "$threshold" '
    {
      threshold: $threshold,
      nodes: map(select(has("identity_public_key"))) | sort_by(.index),
      services: map(select(has("command_public_key"))),
      enrolments: map(select(has("enrolment_public_key")))
    }
    | if [.nodes[].index] != [range(1; (.nodes | length) + 1)] then error("the nodes are not 1, 2, 3 … once each")
      elif (.services | length) != 1 then error("there must be one service.json")
      elif (.enrolments | length) != 1 then error("there must be one enrolment.json")
      else {threshold, nodes, orchestrator: .services[0]} + .enrolments[0] end' "$@") || fail 'no cluster.json was made.'
  local file
  file=$(mktemp)
  trap 'rm -f "$file"' RETURN
  printf '%s\n' "$cluster" >"$file"
  "$MPC_NODE" check-cluster --cluster "$file" >/dev/null || fail 'the node program refuses this cluster.'
  for public in "$@"; do echo "$(fingerprint "$public")  $public" >&2; done
  printf '%s\n' "$cluster"
}

confirm() {
  local cluster=$1
  shift
  "$MPC_NODE" check-cluster --cluster "$cluster" >/dev/null || fail "the node program refuses $cluster."
  for public in "$@"; do
    jq -e --slurpfile own "$public" '
      $own[0] as $own
      | if $own | has("identity_public_key") then .nodes | map(select(.index == $own.index)) == [$own]
        elif $own | has("command_public_key") then .orchestrator == $own
        elif $own | has("enrolment_public_key") then .enrolment_public_key == $own.enrolment_public_key
        else false end' "$cluster" >/dev/null || fail "$cluster does not have what $public says. Stop the ceremony."
  done
  local roster size
  roster=$("$MPC_NODE" check-cluster --cluster "$cluster" | jq -r .roster)
  size=$(jq -r '"\(.threshold) of \(.nodes | length) sign"' "$cluster")
  minute "$cluster has it, $size, roster $roster, fingerprint $(fingerprint "$cluster")" "$(dirname "$1")/minutes.txt"
}

command=${1:-}
[ $# -gt 0 ] && shift
case "$command:$#" in
  node:2) node "$@" ;;
  service:1) service "$@" ;;
  offline:1) offline "$@" ;;
  assemble:[0-9] | assemble:1[0-9]) [ $# -ge 4 ] || usage; assemble "$@" ;;
  confirm:[0-9]) [ $# -ge 2 ] || usage; confirm "$@" ;;
  *) usage ;;
esac
