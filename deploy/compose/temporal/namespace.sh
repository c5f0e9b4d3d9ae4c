# The namespace of the service, once. A worker does not start in one that forgets closed workflows within a day.
set -eu
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" > /dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 168h
