# A thin front of CMake and tools/. Works on a machine that has nothing but git and make.
.DEFAULT_GOAL := help
.PHONY: help build demo test format format-check bench fuzz install docs docs-reference clean

PREFIX  ?= /usr/local
SECONDS ?= 60

SOURCES = git ls-files -z --cached --others --exclude-standard '*.c' '*.h' '*.inc' '*.cpp'

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-15s %s\n", $$1, $$2}' Makefile

build: ## install missing packages, build build/limber and build/liblimber.*
	@tools/install-packages build test
	@cmake --preset release >/dev/null
	@cmake --build --preset product

demo: build ## build, then run the example
	@tools/demo

test: ## install missing packages, build, run every test
	@tools/install-packages build test browser
	@cmake --preset release >/dev/null
	@cmake --build --preset release
	@ctest --preset release --parallel $$(($$(nproc) + 1)) # some wait

format: ## format all C sources
	@tools/install-packages ci
	@$(SOURCES) | xargs -0 clang-format -i

format-check: ## say which C sources are not formatted
	@tools/install-packages ci
	@$(SOURCES) | xargs -0 clang-format --dry-run -Werror

bench: ## run the benchmarks, beside other codes where they can be installed
	@tools/install-packages build test
	@tools/bench

fuzz: ## run every fuzz target for SECONDS (60), as many at once as there are cores
	@tools/install-packages build ci
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@tools/fuzz $(SECONDS)

install: build ## install to PREFIX (/usr/local), below DESTDIR if set
	@cmake --install build --prefix $(PREFIX)

docs: build ## make the figures and the gallery of docs/ anew, from real runs
	@tools/install-packages test browser
	@docs/make

docs-reference: build ## write docs/reference/model.md and units.md anew from the program's tables
	@mkdir -p docs/reference
	@build/limber schema --markdown > build/model.md
	@mv build/model.md docs/reference/model.md
	@build/limber schema --units > build/units.md
	@mv build/units.md docs/reference/units.md

clean: ## remove all build folders
	@rm -rf build build-debug build-sanitize build-thread build-fuzz
