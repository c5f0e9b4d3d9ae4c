# Run by the image of PostgreSQL once, when its volume is empty: the databases, and a login for each who uses one. The
# service's login can add to the audit log and change nothing in it; `migrate` gives its role the rights.
set -eu
psql --username postgres --no-psqlrc --set ON_ERROR_STOP=1 <<'SQL'
\set owner `cat /run/secrets/database-owner-password`
\set service `cat /run/secrets/database-service-password`
\set temporal `cat /run/secrets/database-temporal-password`
CREATE ROLE countersign_app NOLOGIN;
CREATE ROLE countersign_owner LOGIN PASSWORD :'owner';
CREATE ROLE countersign_service LOGIN PASSWORD :'service' IN ROLE countersign_app;
CREATE ROLE temporal LOGIN PASSWORD :'temporal';
CREATE DATABASE countersign OWNER countersign_owner;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
REVOKE CONNECT ON DATABASE countersign, temporal, temporal_visibility FROM PUBLIC;
GRANT CONNECT ON DATABASE countersign TO countersign_app;
SQL
