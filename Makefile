# The two commands to know: `make run` and `make test`. Everything else is in `make help`.

BUILD := build/release
JOBS  ?= $(shell nproc)
PRESET = cmake --preset $(1) $(if $(wildcard build/$(1)/build.ninja),>/dev/null) && \
         cmake --build build/$(1) --parallel $(JOBS) $(if $(2),--target $(2))

.PHONY: run test test-packaging build bench validate format check-format check-layering tidy asan \
        tsan debug coverage fuzz install clean help setup setup_page

run: setup ## build the program alone, then open the simulator with the gallery; Ctrl-C ends it
	@$(call PRESET,release,rigor_program)
	@$(BUILD)/rigor view $(ARGS)

test: setup_page build ## build and run all tests, those of the simulator's page in the browser included
	tools/test_all $(BUILD)

test-packaging: build ## use from other projects: FetchContent, shared libraries, without CLP (slow)
	tools/test $(BUILD) --tests-regex packaging

build: setup ## build the release preset; the program is at build/release/rigor
	@$(call PRESET,release)

setup:
	@tools/setup

setup_page:
	@tools/setup chromium-headless-shell

bench: setup ## micro-benchmarks
	@$(call PRESET,release,rigor_bench)
	$(BUILD)/bench/rigor_bench

validate: build ## the checks of validation/, as a table
	$(BUILD)/rigor validate

format: setup ## format all sources in place
	tools/format --fix

check-format: setup
	tools/format

check-layering: setup ## print the include graph by folder; fail on an upward edge
	tools/layering

tidy: ## clang-tidy over src/; FILES=... for some of it (slow)
	@tools/setup clang-tidy
	@cmake --preset release -B build/tidy -DRIGOR_QUICK_BUILD=OFF >/dev/null
	tools/tidy $(FILES)

asan tsan debug: setup ## the tests under address and undefined, thread, or no optimization
	@$(call PRESET,$@)
	tools/test build/$@

coverage: ## line coverage of src/ by the tests
	@tools/setup gcovr
	@$(call PRESET,coverage)
	tools/coverage

fuzz: ## the fuzz targets, 60 s each, seeded from the gallery
	@tools/setup clang libclang-rt-14-dev
	@$(call PRESET,fuzz)
	tools/fuzz

install: build ## install to PREFIX (default /usr/local)
	cmake --install $(BUILD) $(if $(PREFIX),--prefix $(PREFIX))

clean: ## remove all that was built
	rm -rf build

help: ## this list
	@grep -E '^[a-z -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20
