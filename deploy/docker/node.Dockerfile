# The image of the node program (countersign/mpc-node). From the root of a clone:
#   docker build --file deploy/docker/node.Dockerfile --tag countersign/mpc-node \
#     --build-arg SOURCE_COMMIT="$(git rev-parse HEAD)" .
# Base images are pinned by version. To pin the bytes as well, put @sha256:… after the tag, as `docker buildx imagetools
# inspect debian:13.2-slim` prints it, and change both together.
FROM rust:1.95.0-slim-trixie AS build
WORKDIR /build
COPY mpc/Cargo.toml mpc/Cargo.lock mpc/
COPY mpc/src mpc/src
# The node says it at /health.
ARG SOURCE_COMMIT=unknown
RUN cargo build --profile shipped --locked --bin mpc-node --manifest-path mpc/Cargo.toml

FROM debian:13.2-slim
COPY --from=build /build/mpc/target/shipped/mpc-node /usr/local/bin/mpc-node
# No name in /etc/passwd, so that runAsNonRoot can be checked. The node writes into its --dir alone, which is a volume.
USER 10001:10001
WORKDIR /var/lib/mpc-node
EXPOSE 7000
# Of a node that is started with --observe 127.0.0.1:9150.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["/usr/local/bin/mpc-node", "health", "--observe", "127.0.0.1:9150"]
ENTRYPOINT ["/usr/local/bin/mpc-node"]
