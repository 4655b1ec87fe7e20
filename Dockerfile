# One image with all six services, the image decoder and the command line; the command says which one runs.
FROM swift:6.3-bookworm AS builder
# Debian keeps one version of a package per release and moves it by security updates: an exact pin would soon not resolve.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    libcurl4-openssl-dev libnats-dev libpq-dev libprotobuf-c-dev libssl-dev libvips-dev \
    libzxcvbn-dev pkg-config zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# Dependencies first: they change less often than the sources.
COPY Package.* ./
RUN swift package resolve
COPY Proto Proto
COPY Shared Shared
COPY Services Services
COPY Tests Tests
RUN mkdir -p /programs \
  && folder=$(swift build -c release --show-bin-path) \
  && for program in identity matching catalog lending tracking importer image-decoder tandem; do \
    swift build -c release --static-swift-stdlib --explicit-target-dependency-import-check error --product "$program" \
      && strip -o "/programs/$program" "$folder/$program" || exit 1; done

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    ca-certificates libcurl4 libnats3.4 libpq5 libprotobuf-c1 libssl3 libvips42 libzxcvbn0 tzdata \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tandem \
  && install -d -o tandem -g tandem -m 0750 /mail
COPY --from=builder /programs/ /usr/local/bin/
USER 10001
# Which service the container runs; the health check asks that one.
ENV HEALTHCHECK_SERVICE=""
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["/bin/sh", "-c", "exec tandem status --service \"$HEALTHCHECK_SERVICE\""]
CMD ["tandem", "--help"]
