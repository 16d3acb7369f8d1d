# What the commands of this folder share. The page docs/high-availability.md explains the whole.
# shellcheck shell=bash

set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPOSITORY=$(cd "$HERE/../.." && pwd)
NODES='1 2 3'
# In the order of their start. A cable is a proxy that carries all network traffic of one PostgreSQL node.
COMPONENTS='etcd cable1 cable2 cable3 pg1 pg2 pg3 haproxy api1 api2 worker1 worker2'

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# `yes` if pgBackRest backs the cluster up.
BACKUPS=''
# Debian's packages, each with a file that only it brings.
PACKAGES='etcd-server:/usr/bin/etcd patroni:/usr/bin/patroni
  python3-etcd:/usr/lib/python3/dist-packages/etcd/__init__.py haproxy:/usr/sbin/haproxy curl:/usr/bin/curl
  util-linux:/usr/bin/setpriv postgresql:/usr/lib/postgresql/'

missing_packages() {
  local entry
  [ -z "$BACKUPS" ] || PACKAGES+=' pgbackrest:/usr/bin/pgbackrest'
  for entry in $PACKAGES; do [ -e "${entry#*:}" ] || printf '%s ' "${entry%%:*}"; done
}

require_packages() {
  local missing
  missing=$(missing_packages)
  [ -z "$missing" ] || fail "Debian packages are missing: $missing
Install them: apt-get install --no-install-recommends $missing
Debian starts some of them as services of their own. This cluster does not need those: systemctl disable --now etcd haproxy patroni"
  BIN=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -n | tail -1)
  [ -x "$BIN/initdb" ] || fail 'There is no PostgreSQL server in /usr/lib/postgresql. Install it: apt-get install postgresql'
  [ "$(basename "$(dirname "$BIN")")" -ge 15 ] || fail "PostgreSQL 15 or newer is needed, and the newest here is $BIN"
  [ -x "$REPOSITORY/node_modules/.bin/node" ] || fail "Run npm ci in $REPOSITORY first"
}

# The folder of a cluster that is there already.
open_cluster() {
  DIR=$(cd "$1" 2>/dev/null && pwd) || fail "$1 is no folder"
  [ -f "$DIR/cluster.conf" ] || fail "$DIR holds no cluster: deploy/cluster/up makes one"
  # shellcheck disable=SC1091
  . "$DIR/cluster.conf"
}

# Every port follows from the first one. Clients use PORT only.
ports() {
  HTTP_PORT=$PORT
  POSTGRES_PORT=$((PORT + 1))
  ETCD_PORT=$((PORT + 2))
  ETCD_PEER_PORT=$((PORT + 3))
}
node_ports() { # the node's real ports, and those of its cable, which the others know
  local base=$((PORT + 10 * $1))
  PG_PORT=$base REST_PORT=$((base + 1)) CABLE_PG_PORT=$((base + 2)) CABLE_REST_PORT=$((base + 3)) CABLE_ETCD_PORT=$((base + 4))
}
ingot_port() {
  case $1 in api1) say $((PORT + 41)) ;; api2) say $((PORT + 42)) ;; worker1) say $((PORT + 43)) ;; worker2) say $((PORT + 44)) ;; esac
}

# PostgreSQL refuses to run as root. An ordinary user runs everything itself.
as_account() {
  if [ "$(id -u)" = 0 ]; then
    exec setpriv --reuid "$ACCOUNT" --regid "$(id -g "$ACCOUNT")" --init-groups env HOME=/ "$@"
  else exec "$@"; fi
}
own() { [ "$(id -u)" != 0 ] || chown -R "$ACCOUNT:" "$@"; }

# A pid alone may belong to a later process, so a file keeps the moment of its start too.
started_at() { sed 's/^.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
pid_of() {
  local pid began
  read -r pid began 2>/dev/null <"$DIR/run/$1.pid" || return 1
  [ -n "$began" ] && [ "$(started_at "$pid")" = "$began" ] && say "$pid"
}
is_running() { pid_of "$1" >/dev/null; }

launch() { # NAME COMMAND…: in a session of its own, so that no Ctrl-C reaches it
  local name=$1
  shift
  setsid "$@" </dev/null >>"$DIR/log/$name.log" 2>&1 &
  local pid=$!
  # setsid and setpriv end in exec: the pid stays. A process that ended at once leaves no moment to record.
  say "$pid $(started_at "$pid")" >"$DIR/run/$name.pid"
}

start_component() {
  local name=$1
  is_running "$name" && return
  case $name in
    etcd) (start_etcd) ;;
    cable?) (launch "$name" "$HERE/as-account" "$DIR" /usr/sbin/haproxy -db -f "$DIR/cables/$name.cfg") ;;
    pg?) (launch "$name" "$HERE/as-account" "$DIR" env PGBACKREST_CONFIG="$DIR/$name/pgbackrest.conf" /usr/bin/patroni "$DIR/$name/patroni.yml") ;;
    haproxy) (launch "$name" "$HERE/as-account" "$DIR" /usr/sbin/haproxy -db -f "$DIR/haproxy/haproxy.cfg") ;;
    api? | worker?) (start_ingot "$name") ;;
    *) fail "There is no $name. The components: $COMPONENTS" ;;
  esac
}

start() {
  local name
  for name in "$@"; do start_component "$name"; done
}

start_etcd() {
  # etcd 3.4 refuses to run on arm64 unless it is told that this is meant.
  case $(uname -m) in aarch64 | arm64) export ETCD_UNSUPPORTED_ARCH=arm64 ;; esac
  local client="http://127.0.0.1:$ETCD_PORT" peer="http://127.0.0.1:$ETCD_PEER_PORT"
  # Patroni 3.0 with the v3 interface let a thawed node take its lost lock back. With v2 it does not.
  launch etcd "$HERE/as-account" "$DIR" /usr/bin/etcd --name ingot --data-dir "$DIR/etcd" --enable-v2 --logger zap --log-level warn \
    --listen-client-urls "$client" --advertise-client-urls "$client" \
    --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "ingot=$peer"
}

start_ingot() {
  ingot_environment "$1"
  cd "$REPOSITORY"
  launch "$1" "$REPOSITORY/node_modules/.bin/node" --max-semi-space-size=8 --max-old-space-size=256 src/main.js serve
}

# The environment of one server or worker, or of a command (no argument).
ingot_environment() {
  local name=${1:-command}
  export PATH="$REPOSITORY/node_modules/.bin:$PATH"
  export DATABASE_URL_FILE="$DIR/ingot/database-url" KEY_RING_FILE="$DIR/ingot/key-ring.json" DATA_DIR="$DIR/ingot/$name"
  export PUBLIC_URL="http://127.0.0.1:$HTTP_PORT" HOST=127.0.0.1 TRUSTED_PROXIES=127.0.0.1/32
  # One process each, because all of this shares one machine.
  export INGOT_PROCESSES=0
  case $name in
    api*) export INGOT_ROLES=api ;;
    worker*) export INGOT_ROLES=worker ;;
  esac
  set -a
  # shellcheck disable=SC1091
  . "$DIR/ingot/settings"
  set +a
  [ "$name" = command ] || PORT=$(ingot_port "$name")
  export PORT
}

wait_until() { # SECONDS WHAT COMMAND…
  local left=$(($1 * 5)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || fail "$what: not within the time. The logs are in $DIR/log"
    sleep 0.2
  done
}

# The name of the primary, from the first node that answers.
leader() {
  local node
  for node in $NODES; do
    if [ "$(curl -s -m 2 -o /dev/null -w '%{http_code}' "http://127.0.0.1:$((PORT + 10 * node + 3))/primary")" = 200 ]; then
      say "pg$node"
      return
    fi
  done
  return 1
}

superuser() {
  PGPASSWORD=$(cat "$DIR/superuser-password") "$BIN/psql" -h 127.0.0.1 -p "$POSTGRES_PORT" -U postgres -d postgres -qAtX -v ON_ERROR_STOP=1 "$@"
}
has_standbys() { [ "$(superuser -c "select count(*) filter (where sync_state = 'sync') >= 1 and count(*) >= 2 from pg_stat_replication")" = t ]; }
ingot() { (ingot_environment && cd "$REPOSITORY" && exec node src/main.js "$@"); }

# The file that docs/backup.md describes, for one of three servers on one machine: with its own folders, port and socket.
pgbackrest_conf() { # NODE PASSPHRASE, after node_ports
  local own=$DIR/pg$1
  sed -e "s|^repo1-path=.*|repo1-path=$DIR/backups|" \
    -e "s|^repo1-cipher-pass=.*|repo1-cipher-pass=$2|" \
    -e "s|^spool-path=.*|spool-path=$own/spool\nlock-path=$own/lock\nlog-path=$own/log|" \
    -e "s|^pg1-path=.*|pg1-path=$own/data\npg1-socket-path=$own\npg1-port=$PG_PORT\npg1-user=postgres|" \
    "$REPOSITORY/deploy/pgbackrest.conf"
}
require_backups() { [ -n "$BACKUPS" ] || fail "$DIR has no backups: deploy/cluster/up makes a cluster that has, with --backups"; }
# As the account postgres does on one of the servers. The primary's, because a standby alone cannot be backed up.
pgbackrest_there() {
  local name
  name=$(leader) || name=pg1 # what only reads the backups needs no server
  (cd / && as_account env PGBACKREST_CONFIG="$DIR/$name/pgbackrest.conf" PGPASSFILE="$DIR/$name/pgbackrest.pgpass" \
    /usr/bin/pgbackrest --stanza=ingot "$@")
}
