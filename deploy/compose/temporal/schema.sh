# Temporal's tables, made or brought to the version of the image. The password is in the environment of these commands
# alone, which read it from nowhere else.
set -eu
for database in temporal temporal_visibility; do
  folder=${database#temporal_}
  tool() {
    SQL_PASSWORD="$(cat /run/secrets/database-temporal-password)" temporal-sql-tool --plugin postgres12 \
      --ep postgres --port 5432 --user temporal --db "$database" "$@"
  }
  tool setup-schema --version 0.0
  tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$folder/versioned"
done
