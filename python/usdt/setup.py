# SPDX-License-Identifier: Apache-2.0
# For pip; the sources are where `make python-usdt` puts them beside this file.
from setuptools import Extension, setup

setup(
    name="usdt",
    version="1.0.0",
    description="Probes that a program makes while it runs, for dtrace, bpftrace and perf",
    license="Apache-2.0",
    python_requires=">=3.10",
    ext_modules=[Extension("usdt", ["src/" + name for name in ("module.c", "provider.c", "object.c", "file.c")],
                           include_dirs=["src"], define_macros=[("_GNU_SOURCE", None)],
                           extra_compile_args=["-std=gnu11", "-fvisibility=hidden"], py_limited_api=True)],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
