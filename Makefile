# The front door: `make help` lists what it opens. Every target first installs the Debian packages
# it needs and lacks; when nothing is missing that costs a few milliseconds.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
.PHONY: help build demo quick test check test-all flaky bench performance accuracy modules fit-gpu-time experiments \
        convergence large-batches format hooks fuzz soak reliability schema wheel python-sweep install package web \
        pictures pagespeed clean

JOBS := $(shell nproc)
# Many tests wait: for a server, a worker, a time limit. Two more than there are cores keep the cores at work.
TESTS_AT_ONCE := $(shell expr $(JOBS) + 2)
FUZZ_SECONDS ?= 60
FLAKY_RUNS ?= 10
TIDY_MINUTES ?= 8

BUILD_PACKAGES := cmake ninja-build g++ libfmt-dev nlohmann-json3-dev libcli11-dev libprotobuf-dev protobuf-compiler \
                  libonnx-dev libdnnl-dev libhwloc-dev libmicrohttpd-dev libopenmpi-dev openmpi-bin libpng-dev \
                  libturbojpeg0-dev libwebp-dev zlib1g-dev
TEST_PACKAGES := $(BUILD_PACKAGES) libgtest-dev pkg-config libonnx-testdata python3 python3-venv chromium iproute2 \
                 $(if $(shell command -v npm),,npm)
CHECK_PACKAGES := $(TEST_PACKAGES) clang clang-format clang-tidy libomp-dev git
ALL_PACKAGES := $(CHECK_PACKAGES) slurmctld slurmd slurm-client util-linux mmdebstrap
FUZZ_PACKAGES := $(TEST_PACKAGES) clang libclang-rt-14-dev
BENCH_PACKAGES := $(TEST_PACKAGES) libbenchmark-dev python3-torch python3-torchvision libopenblas0-pthread

INSTALL := tools/install_packages.sh

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

# A first `make` needs no test packages; a build directory made by `make test` stays as it is.
build: ## build build/plimsoll
	@$(INSTALL) $(BUILD_PACKAGES)
	@[ -f build/build.ninja ] || cmake --preset release -DBUILD_TESTING=OFF
	@cmake --build build --parallel $(JOBS) --target plimsoll

demo: build ## build, then show what plimsoll can do
	@tools/demo.sh build/plimsoll

quick: ## what to run every few minutes: build, rules, format of what changed, the fast tests
	@$(INSTALL) $(TEST_PACKAGES) clang-format
	@grep -qs '^BUILD_TESTING:.*=ON' build/CMakeCache.txt || cmake --preset release
	@tools/check_format.sh --changed
	@python3 -B tools/check_layers.py
	@python3 -B tools/house_rules.py
	@cmake --build build --parallel $(JOBS) --target plimsoll unit_tests error_tests
	@python3 -B tools/quick_tests.py build $(JOBS)

test: ## build and run every test but those that take long
	@$(INSTALL) $(TEST_PACKAGES)
	@cmake --preset release
	@tools/install_python_tools.sh build/venv & cmake --build build --parallel $(JOBS); built=$$?; wait; exit $$built
	@ctest --preset release --parallel $(TESTS_AT_ONCE) --label-exclude '^long$$'
	@tools/tree_state.sh > build/tests-passed

check: ## what is seen without running anything: format, layers, house rules, clang-tidy on what changed
	@$(INSTALL) $(CHECK_PACKAGES)
	@tools/check_format.sh
	@python3 -B tools/check_layers.py
	@python3 -B tools/house_rules.py
	@cmake --preset tidy
	@cmake --build build-tidy --target generated_headers
	@tools/check_tidy.py build-tidy $(JOBS) --changed --minutes $(TIDY_MINUTES)

test-all: ## test, check, both sanitizers, the planning floors alone, Slurm, and what takes long
	@$(INSTALL) $(ALL_PACKAGES)
	@tools/test_all.py $(JOBS)

flaky: ## the tests FLAKY_RUNS=10 times beside a busy process: which fail sometimes?
	@$(INSTALL) $(TEST_PACKAGES)
	@cmake --preset release
	@cmake --build build --parallel $(JOBS)
	@tools/flaky.py build $(JOBS) $(FLAKY_RUNS)

bench: ## time and memory of plimsoll, and of PyTorch at the same work
	@$(INSTALL) $(BENCH_PACKAGES)
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target plimsoll
	@bench/run.sh build/plimsoll

performance: ## measure against PyTorch and onnxruntime and write docs/performance.md; about an hour
	@$(INSTALL) $(BENCH_PACKAGES)
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target plimsoll
	@tools/install_python_tools.sh build/venv
	@build/plimsoll probe
	@bench/write_performance.py build/plimsoll

accuracy: ## hold predicted step times against measured ones and write the tables of their errors
	@$(INSTALL) $(TEST_PACKAGES)
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target step_time_rows
	@build/tests/step_time_rows --table > build/accuracy_table.inc
	@build/tests/step_time_rows --scaling-table > build/scaling_accuracy_table.inc
	@build/tests/step_time_rows --document > build/accuracy.md
	@mv build/accuracy_table.inc src/plan/time/accuracy_table.inc
	@mv build/scaling_accuracy_table.inc src/plan/time/scaling_accuracy_table.inc
	@mv build/accuracy.md docs/accuracy.md

fit-gpu-time: ## fit the numbers of PyTorch's kernels to measured steps, and hold out cards and families (10 minutes)
	@$(INSTALL) $(TEST_PACKAGES) python3-numpy python3-scipy
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target gpu_time_rows
	@python3 -B tools/fit_gpu_time.py --write
	@cmake --build build --parallel $(JOBS) --target gpu_time_rows
	@python3 -B tools/fit_gpu_time.py

experiments: build ## train the networks of docs/recipes.md that have no result yet (hours)
	@$(INSTALL) python3 $(if $(shell command -v npm),,npm)
	@python3 tools/experiments.py build/plimsoll
	@cmake --build build --parallel $(JOBS) --target descent_paths
	@build/examples/descent_paths | python3 tools/plot_descent.py > docs/pictures/descent.svg

convergence: build ## the published convergence table on eight workers, as published and as it should be (hours)
	@$(INSTALL) python3 $(if $(shell command -v npm),,npm)
	@python3 tools/convergence.py build/plimsoll

large-batches: build ## what keeps the accuracy when the batch grows: docs/large_batches.md (about half an hour)
	@$(INSTALL) python3 $(if $(shell command -v npm),,npm)
	@python3 tools/large_batches.py build/plimsoll

hooks: ## format and house rules before each commit of this clone
	@$(INSTALL) clang-format python3 git
	@git config core.hooksPath tools/hooks

format: ## rewrite the C++ sources in the house's format
	@$(INSTALL) clang-format
	@tools/check_format.sh --fix

fuzz: ## fuzz the doors that read strangers' files, FUZZ_SECONDS=60 each
	@$(INSTALL) $(FUZZ_PACKAGES)
	@cmake --preset fuzz
	@cmake --build build-fuzz --parallel $(JOBS)
	@tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

schema: ## write schema/, the page's types and the Python package's again, from the rows of requests and answers
	@$(INSTALL) $(BUILD_PACKAGES)
	@[ -f build/build.ninja ] || cmake --preset release -DBUILD_TESTING=OFF
	@cmake --build build --parallel $(JOBS) --target write_schemas
	@build/src/write_schemas schema web/src/generated.ts
	@python3 -B tools/write_python.py

wheel: ## one wheel for every Python from 3.9 on, in build/wheel
	@$(INSTALL) $(BUILD_PACKAGES) python3-venv
	@[ -f build/build.ninja ] || cmake --preset release -DBUILD_TESTING=OFF
	@cmake --build build --parallel $(JOBS) --target plimsoll_library
	@tools/wheel.sh build

python-sweep: wheel ## some 70 modules of torchvision, timm and transformers against torch's own counts (half an hour)
	@python/tests/in_clean_venv.sh build sweep

PREFIX ?= /usr/local

install: build ## install the program, the libraries, headers and schemas below PREFIX=/usr/local
	@cmake --build build --parallel $(JOBS) --target plimsoll_library plimsoll_run_library
	@cmake --install build --prefix $(PREFIX)

package: build ## a .deb of the same, in build/
	@$(INSTALL) dpkg-dev file
	@cmake --build build --parallel $(JOBS) --target plimsoll_library plimsoll_run_library
	@cd build && cpack --config CPackConfig.cmake

web: ## pack the page (web/src) into web/dist again; needs npm
	@$(INSTALL) $(if $(shell command -v npm),,npm)
	@cd web && npm install --no-save --ignore-scripts && npm run build

pictures: build ## draw docs/pictures again from what the program prints, and take those of the page and the report
	@$(INSTALL) python3 chromium $(if $(shell command -v npm),,npm)
	@tools/pictures.sh build/plimsoll docs/pictures
	@PAGE_SCRIPTS=pictures PAGE_PICTURES=$(CURDIR)/docs/pictures tools/page_tests.sh build/plimsoll build/page

modules: ## export networks of PyTorch's libraries and compare with what they count (PEERS=a python, an hour)
	@$(INSTALL) $(TEST_PACKAGES)
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target numeric_tests
	@$(or $(PEERS),python3) -B tools/module_sweep.py build/modules --check build/tests/numeric_tests

pagespeed: build ## how long the page and the report take in a browser, for every network (minutes)
	@$(INSTALL) chromium $(if $(shell command -v npm),,npm)
	@PAGE_SCRIPTS=measure tools/page_tests.sh build/plimsoll build/page

clean: ## remove every build directory
	@rm -rf build build-debug build-debug-plain build-fuzz build-plan-only build-profile build-tidy build-tsan

SOAK_KILLS ?= 1000
SOAK_MINUTES ?= 60

soak: ## kill, stop and starve trainings, resume them and compare: SOAK_KILLS=1000, at most SOAK_MINUTES=60
	@$(INSTALL) $(TEST_PACKAGES)
	@cmake --preset release
	@cmake --build build --parallel $(JOBS) --target plimsoll failing_calls
	@python3 -B tools/soak.py build --kills $(SOAK_KILLS) --minutes $(SOAK_MINUTES)
	@python3 -B tools/reliability.py

reliability: ## write docs/reliability.md from what soaks and fuzzers have run so far
	@$(INSTALL) python3
	@python3 -B tools/reliability.py
