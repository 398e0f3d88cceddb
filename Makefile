# pqlab: `make run` measures, `make test` checks. Each does its own set-up.
JOBS ?= $(shell nproc)
OPENSSL ?= openssl@3.5.5+fips
LIBOQS ?= liboqs@0.13.0
PQLAB = target/release/pqlab
# rustup installs here; a shell that was open before does not know it yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

.PHONY: run test test-full setup build bundles bench clean

run: build bundles ## Measure the quick plan against all providers
	@# 1 is a finding (a provider that does not conform, say), which the tables name; the measurement is there all the same.
	$(PQLAB) run quick || [ $$? -eq 1 ]

test: setup ## Format, lints, tests, documentation, one smoke run
	JOBS=$(JOBS) scripts/test.sh

test-full: ## And what takes long: bundles, full vectors, browser, fuzzing, licences
	scripts/setup.sh full
	JOBS=$(JOBS) scripts/test.sh
	$(MAKE) bundles
	JOBS=$(JOBS) scripts/test-full.sh

setup:
	@scripts/setup.sh

build: setup
	cargo build --release -p pqlab -j$(JOBS)

bundles: build ## The pinned OpenSSL and liboqs, built once and kept in the user's cache
	$(PQLAB) bundle build $(OPENSSL) $(LIBOQS) --jobs $(JOBS)

bench: build ## What the README claims, measured side by side (bench/README.md)
	bench/all.sh

clean:
	cargo clean
	rm -rf runs
