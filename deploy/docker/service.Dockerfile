# The image of the API, the worker and the operator's commands (countersign/service). From the root of a clone:
#   docker build --file deploy/docker/service.Dockerfile --tag countersign/service .
# Base images are pinned by version. To pin the bytes as well, put @sha256:… after the tag, as `docker buildx imagetools
# inspect node:24.21.0-trixie-slim` prints it, and change both together.
FROM node:24.21.0-trixie-slim AS build
# Of the commit: git log -1 --format=%ct, and --format=%H.
ARG SOURCE_DATE_EPOCH=0
ARG SOURCE_COMMIT=unknown
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/package.mjs --service-only service

FROM node:24.21.0-trixie-slim
ENV HOST=0.0.0.0
# Node.js 24 keeps more of what is young than a service with thousands of connections needs: 200 MB of memory. Compose and
# the chart have it from here.
ENV NODE_OPTIONS=--max-semi-space-size=16
# glibc keeps an arena for each thread, and large blocks among small ones: 200 MB of a worker after a crowd.
ENV GLIBC_TUNABLES=glibc.malloc.arena_max=2:glibc.malloc.mmap_threshold=131072:glibc.malloc.trim_threshold=131072
WORKDIR /opt/countersign
COPY --from=build /build/service ./
# No name in /etc/passwd, so that runAsNonRoot can be checked. Nothing is written to the file system: run it read-only.
USER 10001:10001
EXPOSE 8150
# Of the API. Run workers and commands with --no-healthcheck: a worker tells how it is by its metrics and in the status.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8150) + '/health').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["node", "dist/server.js"]
