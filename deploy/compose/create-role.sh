#!/bin/sh
# Runs once, when the database is made. The service gets a role without rights over the server. The superuser keeps no
# password: it logs in inside the container only (docker compose exec -u postgres postgres psql).
set -eu
psql --quiet --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username=postgres --dbname=postgres <<'SQL'
create role ingot login password :'password';
create database ingot owner ingot;
alter role postgres password null;
SQL
