# One image with all six services, the gateway, the image decoder, the reader of trackers' files and the command line; the command says which one runs.
FROM swift:6.3-bookworm AS builder
# Debian keeps one version of a package per release and moves it by security updates: an exact pin would soon not resolve.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    libarchive-dev libcurl4-openssl-dev libexpat1-dev libnats-dev libpq-dev libprotobuf-c-dev libssl-dev libvips-dev \
    libzxcvbn-dev pkg-config rsync zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*
# Tests are not in the context, so what is said of them is left out of the package; so is what the command line has for tests.
ENV TANDEM_PROGRAMS_ONLY=image
WORKDIR /source
# The sources and what was built of them stay in a cache of the builder's: only files that differ are copied, so that the next build
# compiles what changed. Package.resolved may be of the build's own making.
RUN --mount=type=bind,target=/context --mount=type=cache,id=tandem-build,target=/source,sharing=locked \
  rsync -rlp --checksum --delete --exclude=/.build --filter='protect /Package.resolved' /context/ /source/ \
  && mkdir -p /programs \
  && folder=$(swift build -c release --show-bin-path) \
  && for program in suite image-decoder activity-file-reader; do \
    swift build -c release --static-swift-stdlib --explicit-target-dependency-import-check error --product "$program" \
      && strip -o "/programs/$program" "$folder/$program" || exit 1; done \
  && for program in identity matching catalog lending tracking importer gateway tandem; do \
    ln -s suite "/programs/$program" || exit 1; done

FROM debian:bookworm-slim
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# Debian's libvips brings readers of formats that no program here reads, and modules that load them: what no program is linked with goes
# again, a quarter of all. dpkg knows, so that what lists the image's packages tells what is there.
# hadolint ignore=DL3008
RUN --mount=type=bind,from=builder,source=/programs,target=/programs \
  dpkg-query --show --showformat '${Package}\n' >/tmp/kept \
  && apt-get update \
  && apt-get install -y --no-install-recommends \
    ca-certificates libarchive13 libcurl4 libexpat1 libnats3.4 libpq5 libprotobuf-c1 libssl3 libvips42 libzxcvbn0 tzdata \
  && printf '%s\n' ca-certificates openssl tzdata >>/tmp/kept \
  && ldd /programs/* >/tmp/linked \
  && sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' /tmp/linked | sort -u | xargs realpath >/tmp/files \
  && sed 's/^\/usr//; s/^/*/' /tmp/files | xargs dpkg-query --search | cut -d : -f 1 | sort -u >>/tmp/kept \
  && dpkg-query --show --showformat '${Package}\n' | grep -vxFf /tmp/kept | xargs dpkg --purge --force-depends \
  && rm -r /usr/lib/*/vips-modules-* \
  && ! ldd /programs/* | grep "not found" \
  && apt-get clean \
  && rm -rf /tmp/* /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tandem \
  && install -d -o tandem -g tandem -m 0750 /mail
COPY --from=builder /programs/ /usr/local/bin/
USER 10001
# Which service the container runs; the health check asks that one.
ENV HEALTHCHECK_SERVICE=""
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["/bin/sh", "-c", "exec tandem status --service \"$HEALTHCHECK_SERVICE\""]
CMD ["tandem", "--help"]
# Last, so that another version or revision alone makes no layer anew.
ARG VERSION=local
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Tandem" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
