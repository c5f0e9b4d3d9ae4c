# Signs one request with curl and openssl and sends it: countersign METHOD PATH [BODY]. Prints the answer, and fails for
# every answer that is not a success. Reads the credentials that `npm start` writes. For trying things out: a program
# uses the client in src/client, or signs by itself in the same way.
credential() { jq -r ".$1" .local/credentials.json; }

countersign() {
  local method=$1 path=$2 body=${3:-} timestamp signature
  timestamp=$(date +%s)
  signature=$(printf 'method=%s&path=%s&timestamp=%s&body=%s' "$method" "$path" "$timestamp" "$body" |
    openssl dgst -sha256 -hmac "$(credential api_secret)" -hex | sed 's/.* //')
  curl --silent --show-error --fail-with-body --request "$method" "$(credential base_url)$path" \
    --header "ACCESS-API-KEY: $(credential api_key)" --header "ACCESS-TIMESTAMP: $timestamp" \
    --header "ACCESS-SIGN: $signature" --header "X-Idempotency-Key: $(openssl rand -hex 16)" \
    --header 'Prefer: wait=30' ${body:+--header 'Content-Type: application/json' --data-raw "$body"}
}
