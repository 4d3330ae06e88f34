# The words of this project. Each target sets itself up on a machine that has Python 3.11 or newer,
# make and a C++ compiler.
PYTHON ?= python3
BIN := .venv/bin
NATIVE := CMakeLists.txt $(wildcard native/*/*.cc native/*/*.hh)
CXX ?= c++
room ?=

.PHONY: help demo test test-all lint format stubs bench sanitize reproduce docs lock clean
help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

.venv/deps: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Miriam needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Name another: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q -c constraints.txt "pip>=25.1"
	$(BIN)/python -m pip install -q -c constraints.txt --group dev $$($(BIN)/python bench/requirements.py)
	@touch $@

.venv/built: .venv/deps $(NATIVE)
	$(BIN)/python -m pip install -q --no-build-isolation --no-deps -e .
	@touch $@

demo: .venv/built  ## show what Miriam does, on an embedded example
	$(BIN)/miriam demo --out demo

test: .venv/built native-test  ## all tests that take seconds
	$(BIN)/python -m pytest -n auto

test-all: .venv/built native-test  ## the slow tests too
	$(BIN)/python -m pytest -n auto -m "slow or not slow"

.PHONY: native-test
native-test: .venv/deps  ## the tests of the C++ core
	$(call native_tests,build/native,)

# $(1) the build folder, $(2) the sanitizers
define native_tests
	@$(BIN)/cmake -G Ninja -S . -B $(1) -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja -DMIRIAM_TESTS=ON \
	  -DMIRIAM_SANITIZE=$(2) -DCMAKE_BUILD_TYPE=RelWithDebInfo $(CMAKE_ARGS) > /dev/null
	@$(BIN)/cmake --build $(1) -- --quiet
	@$(BIN)/ctest --test-dir $(1) --output-on-failure
endef

lint: .venv/built  ## style, types, the order of the rooms, the committed stubs
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run --Werror $(wildcard native/*/*.cc native/*/*.hh)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(call make_stubs,build/stubs)
	diff -r build/stubs/_core src/miriam/_core

format: .venv/deps  ## put the sources into their style
	$(BIN)/ruff check --fix-only -q
	$(BIN)/ruff format -q
	$(BIN)/clang-format -i $(wildcard native/*/*.cc native/*/*.hh)

stubs: .venv/built  ## write src/miriam/_core/*.pyi, the types of the native core
	$(call make_stubs,src/miriam)

define make_stubs
	@rm -rf $(1)/_core && mkdir -p $(1)
	@$(BIN)/python -m nanobind.stubgen -q -r -m miriam._core -O $(1)
	@$(BIN)/ruff check --fix-only -q --select I,F401 $(1)/_core; $(BIN)/ruff format -q $(1)/_core
endef

bench: .venv/built  ## measure; room=NAME for one room only
	$(BIN)/python bench/run.py $(room)

# The whole property suite under ASan and UBSan: it compares every native kernel with its oracle.
sanitize: .venv/deps  ## native tests and the property tests under ASan, UBSan and TSan
	$(call native_tests,build/asan,address$(comma)undefined)
	$(call native_tests,build/tsan,thread)
	$(BIN)/python -m pip install -q --no-build-isolation --no-deps --upgrade --target build/asan-python \
	  -C build-dir=build/asan-wheel -C cmake.define.MIRIAM_SANITIZE=address,undefined .
	$(sanitized_python) -c "import miriam._core as core; assert '/build/asan-python/' in core.__file__, core"
	$(sanitized_python) -m pytest tests/property
comma := ,
# -S, and the libraries by PYTHONPATH: else the editable install would be imported instead.
sanitized_python = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
  PYTHONPATH="$(CURDIR)/build/asan-python:$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
  $(BIN)/python -S

reproduce: .venv/built  ## remake the papers' tables: days of computing, to be stopped at any moment
	$(BIN)/python reproduce/run.py
	$(BIN)/python reproduce/page.py

docs: .venv/built  ## the documentation, in docs/_build/index.html
	$(BIN)/python -m sphinx -q -W -b html docs docs/_build

lock: .venv/deps  ## pin the versions of the development environment
	$(BIN)/python -m pip freeze --exclude-editable > constraints.txt

clean:  ## remove what was built
	rm -rf .venv build docs/_build
