# Two commands matter: `make run` and `make test`. The others are parts of them, or for daily work.

SHELL := /bin/bash
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# debug or release. What runs is optimised, what is tested is not.
run bench soak enumeration: CONFIGURATION ?= release
CONFIGURATION ?= debug

# What `make run` hands to `tandem up`, e.g. `make run UP="--tour --ephemeral"`.
UP ?= --tour --demo

# An import of a module that a target does not declare is an error: that is how the layers hold.
SWIFT_BUILD = swift build --explicit-target-dependency-import-check error
# What runs is linked as what is deployed: the standard library is inside, which takes less memory and calls it faster.
LINK_release := --static-swift-stdlib
CONFIGURED_BUILD = $(SWIFT_BUILD) -c $(CONFIGURATION) $(LINK_$(CONFIGURATION))
STEP := .ci/step
TOOLS := .venv/bin
LINTS := swift locks proto sql migrations shell docker yaml console spelling
SWIFT_SOURCES = git ls-files -z --cached --others --exclude-standard '*.swift' \
  ':(exclude,glob)**/Generated/**' ':!Tests/StubGeneratorTests/Golden' ':!*.pb.swift'

.PHONY: help run test try lint $(LINTS:%=lint-%) format proto proto-check contract sql sql-check build build-tests test-swift test-raw-frames \
  test-gateway test-console test-interop test-rust test-grpc-swift test-release programs fuzz sanitize bench soak enumeration chaos nightly secrets upgrade back restart \
  backup test-compose test-ha clean

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: ## install what is missing, build, start everything, walk through a tour; Ctrl-C stops it
	@$(STEP) "install" .ci/install run
	@$(MAKE) programs CONFIGURATION=$(CONFIGURATION)
	@exec .build/$(CONFIGURATION)/tandem up $(UP)

test: ## install what is missing, then every check and every test
	@$(STEP) "install" .ci/install test
	@$(MAKE) lint
	@$(MAKE) build-tests
	@$(MAKE) proto-check
	@$(MAKE) sql-check
	@$(MAKE) test-raw-frames
	@$(MAKE) test-gateway
	@$(MAKE) test-interop
	@$(MAKE) test-swift
	@$(STEP) "tour" .ci/contained .ci/tour debug

lint: ## check the form of every file; `make lint-KIND` for one of: swift locks proto sql migrations shell docker yaml console spelling
	@.ci/lint

$(LINTS:%=lint-%): lint-%:
	@$(STEP) "lint: $*" .ci/lint $*

format: ## put Swift, protos and SQL into their form
	@$(STEP) "format: Swift" bash -c "set -o pipefail; $(SWIFT_SOURCES) \
	  | xargs -0 swift format format --in-place --parallel --configuration .swift-format"
	@$(STEP) "format: proto" $(TOOLS)/buf format Proto --write
	@$(STEP) "format: SQL" bash -c "set -o pipefail; git ls-files -z --cached --others --exclude-standard \
	  '*.sql' ':!*/Queries/*' | xargs -0 -r $(TOOLS)/sqlfluff fix --disable-progress-bar --quiet"

proto: ## regenerate the C and Swift of the contract
	@$(STEP) "generate from the contract" Proto/generate

proto-check: ## fail where the generated code differs from what the contract gives
	@$(STEP) "generated code is up to date" Proto/generate --check

contract: ## publish the contract in .build/contract: descriptors with comments, reasons as data, an archive of both
	@$(STEP) "contract" .ci/contract make

sql: ## regenerate the Swift of queries and migrations, as a PostgreSQL of its own describes them
	@$(STEP) "generate from the SQL" Shared/Data/generate-statements

sql-check: ## fail where a query does not suit its schema, or the generated Swift differs from what the SQL gives
	@$(STEP) "generated statements are up to date" Shared/Data/generate-statements --check

build: ## compile everything (CONFIGURATION=debug or release)
	@$(STEP) "build ($(CONFIGURATION))" $(CONFIGURED_BUILD)

build-tests: ## compile everything with its tests
	@$(STEP) "build with tests" $(SWIFT_BUILD) --build-tests

# make try T=JoinTests: finds the suite's target, compiles what it uses and nothing else, and runs the suites whose names match.
try: ## compile and run some tests, and nothing else: T=JoinTests, or T=MatchingTests for a whole target
	@SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(TESTS_AT_ONCE) .ci/try "$(T)"

# Tests that run at the same time. With all of them at once each waits for the others' work, and times out.
TESTS_AT_ONCE ?= $(shell expr 4 \* $$(nproc))

test-swift: ## the Swift tests, on what build-tests made
	@SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$(TESTS_AT_ONCE) $(STEP) "Swift tests" .ci/swift-tests

test-raw-frames: ## bytes on the wire, from Python, against the echo server
	@$(STEP) "raw frames" .ci/contained $(TOOLS)/pytest --quiet Tests/RawFrames

test-gateway: ## the whole suite by HTTP, from Python and curl
	@$(STEP) "gateway" .ci/contained $(TOOLS)/pytest --quiet Tests/Gateway

test-console: ## the console in a real Chromium, by clicking; pictures of its views in .build/console-shots
	@$(STEP) "install" .ci/install console
	@$(STEP) "console" .ci/contained $(TOOLS)/pytest --quiet Tests/Console

test-interop: ## clients in other languages, through the running services
	@$(STEP) "interop" .ci/contained Tests/Interop/run

test-rust: ## a client in Rust, through the running services: some 220 packages of Debian; a part of `make nightly`
	@$(STEP) "install" .ci/install rust
	@$(STEP) "Rust" .ci/contained Tests/Interop/rust/run

test-grpc-swift: ## a client by the stock generators of Swift, through the gateway: they are compiled first; a part of `make nightly`
	@$(STEP) "install" .ci/install test
	@$(STEP) "grpc-swift" .ci/contained Tests/Interop/grpc-swift/run

# In one go, which keeps every core busy. Tests and what they use are left out: they are not linked as what is deployed.
programs: ## compile what a suite consists of, and nothing else
	@TANDEM_PROGRAMS_ONLY=1 $(STEP) "build the programs ($(CONFIGURATION))" $(CONFIGURED_BUILD)

test-release: ## the tour with the programs as they are deployed: optimised, the standard library inside; a part of `make nightly`
	@$(MAKE) programs CONFIGURATION=release
	@$(STEP) "tour (release)" .ci/tour release

fuzz: ## give every decoder FUZZ_SECONDS (60) of bytes that libFuzzer thinks of
	@$(STEP) "install" .ci/install test
	@$(STEP) "fuzz" Tests/Fuzz/run

sanitize: ## the RPC tests under ThreadSanitizer and AddressSanitizer
	@$(STEP) "install" .ci/install test
	@$(STEP) "threads" Tests/Sanitize/run thread
	@$(STEP) "addresses" Tests/Sanitize/run address

bench: ## measure against other implementations
	@$(STEP) "install" .ci/install bench
	@$(STEP) "benchmarks" Tests/Benchmarks/run

# Seconds, the warm-up included.
SOAK ?= 600

soak: ## ten minutes of everything that clients do, ten of what strangers do; nothing may stay behind (SOAK=60 for a look)
	@$(STEP) "install" .ci/install test
	@for product in echo-server soak-mix identity image-decoder; do \
	  $(STEP) "build $$product ($(CONFIGURATION))" $(CONFIGURED_BUILD) --product $$product || exit 1; done
	@CONFIGURATION=$(CONFIGURATION) $(STEP) "soak" Tests/Soak/run --seconds $(SOAK)
	@CONFIGURATION=$(CONFIGURATION) $(STEP) "hostile clients" Tests/Soak/hostile --seconds $(SOAK)

# Samples of each method, and the minutes that all of them may take.
ENUMERATION ?= 10000
ENUMERATION_MINUTES ?= 60

enumeration: ## look whether the timing of login, passkey start or reset tells who has an account (ENUMERATION=400 for a look)
	@$(STEP) "install" .ci/install test
	@for product in identity image-decoder enumeration-probe; do \
	  $(STEP) "build $$product ($(CONFIGURATION))" $(CONFIGURED_BUILD) --product $$product || exit 1; done
	@CONFIGURATION=$(CONFIGURATION) $(STEP) "enumeration" Tests/Enumeration/run --samples $(ENUMERATION) \
	  --minutes $(ENUMERATION_MINUTES)

# LONG=1: everything at once, for CHAOS_MINUTES (80), the checks included.
CHAOS_PARTS := $(if $(LONG),long,run jobs loans chat imports memory tracking matching suites)

chaos: ## kill services again and again while they work (CHAOS_SEED repeats a run; CHAOS_EVENTS, CHAOS_KILLS; LONG=1: all at once)
	@$(STEP) "install" .ci/install test
	@$(MAKE) build-tests
	@for part in $(CHAOS_PARTS); do $(STEP) "chaos: $$part" Tests/Chaos/$$part || exit 1; done

nightly: ## what takes too long for every change: release build, sanitizers, fuzzing, soak, chaos; a table at its end
	@$(STEP) "install" .ci/install test
	@$(STEP) "nightly" Tests/Nightly/run

# RENEW=all or RENEW="identity catalog", GATEWAY=name, NATS=1: more than what is missing.
secrets: ## make what docker-compose.yml needs in .secrets, where it is missing; RENEW=all, GATEWAY=name, NATS=1 for more
	@.ci/secrets
	@$(if $(RENEW),.ci/secrets renew $(filter-out all,$(RENEW)))
	@$(if $(GATEWAY),.ci/secrets gateway $(GATEWAY))
	@$(if $(NATS),.ci/secrets nats)

upgrade: ## bring what docker-compose.yml runs to this version (BUILD=no: to the image TANDEM_VERSION); a failure leaves it running
	@BUILD=$(or $(BUILD),yes) .ci/upgrade

back: ## go back to the version that ran before the last upgrade
	@.ci/upgrade back

restart: ## replace every replica that docker-compose.yml runs, one after the other: settings and secrets are read anew
	@.ci/upgrade restart

backup: ## the database, .secrets, .env and the mail of what docker-compose.yml runs, into backups/ (BACKUP=folder)
	@.ci/backup $(BACKUP)

test-compose: ## bring docker-compose.yml up for real, break it and mend it (needs Docker; IMAGE=tandem:tag saves the build)
	@$(STEP) "compose" Tests/Compose/run

# Which way to find the primary, and which fault, where not all of them: HA="--way hosts --fault kill".
test-ha: ## take the primary away from a suite on Patroni, etcd and HAProxy while clients write; a table at its end
	@$(STEP) "install" .ci/install ha
	@$(MAKE) programs CONFIGURATION=debug
	@$(STEP) "high availability" .ci/contained Tests/HighAvailability/run $(HA)

clean: ## remove what was built; data (.tandem) and secrets stay
	rm -rf .build .build-fuzz .build-thread .build-address Tests/Benchmarks/.build Tests/Interop/swift/.build \
	  Tests/Interop/grpc-swift/.build Tests/Interop/grpc-swift/Sources/inbox/Generated
