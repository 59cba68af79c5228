"""Runs the tests of packages that use webencodings or a detector, with these and with this package in their place.

    python tests/peers.py

It needs pip and access to PyPI, for the source distributions of the packages, and takes two minutes; names of packages
as arguments run only their tests. pytest does not run it. It prints a table, and fails if a test passes with the other
package, fails with this one, and is not in `DIFFERENCES`.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import textcodec

# The package, its version, what its tests need, and the arguments for pytest. What this package takes the place of is
# the last thing that they need. The tests of html5lib need an old pytest, whose assertions do not understand the syntax
# trees of new versions of Python.
PEERS = [
    ("webencodings", "0.6.1", ["pytest"], ["tests"]),
    ("tinycss2", "1.5.1", ["pytest", "webencodings"], ["tests"]),
    ("tinyhtml5", "2.1.0", ["pytest", "webencodings"], ["tests"]),
    (
        "html5lib",
        "1.1",
        ["pytest<5.4", "attrs<22", "pytest-expect", "mock", "six", "webencodings"],
        ["--assert=plain", "html5lib/tests"],
    ),
    *(
        ("requests", "2.34.2", ["pytest<9", "pytest-httpbin", "pytest-mock", "trustme", "PySocks", "requests", detector], ["tests"])
        for detector in ("chardet", "charset-normalizer")
    ),
    *(
        ("beautifulsoup4", "4.15.0", ["pytest", "lxml", "html5lib", "soupsieve", "typing_extensions", detector], ["bs4/tests"])
        for detector in ("chardet", "charset-normalizer", "faust-cchardet")
    ),
]

# Tests that expect something else than the Standard, and what it is.
DIFFERENCES: dict[str, str] = {
    "tests.test_webencodings.test_remapping": "it asks for the names of Python's codecs, which this package does not use",
}

# The module in the place of what the tests need last.
MODULES = {"charset-normalizer": "charset_normalizer", "chardet": "chardet", "faust-cchardet": "cchardet"}
PLUGIN = "import textcodec.{module}\ntextcodec.{module}.install()\n"


def run(python: Path, folder: Path, tests: list[str], module: str | None) -> dict[str, str]:
    """The outcome of each test by its name. `module` is the module of this package that takes the place of another."""
    # The package is installed for another environment, and it needs no other package. A folder with nothing but a link
    # to it keeps the packages of that environment out, for example its pytest.
    package = folder.parent / "package"
    package.mkdir(exist_ok=True)
    if not (package / "textcodec").exists():
        (package / "textcodec").symlink_to(Path(textcodec.__file__).parent, target_is_directory=True)
    paths = [str(folder), str(package)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    report = folder / "report.xml"
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-q", f"--junitxml={report}", "-W", "ignore", *tests]
    if module:
        (folder / "textcodec_plugin.py").write_text(PLUGIN.format(module=module))
        command += ["-p", "textcodec_plugin"]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if not report.exists():
        raise SystemExit(result.stdout + result.stderr)
    outcomes: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        name, number = f"{case.get('classname')}.{case.get('name')}", 2
        while name in outcomes:
            # html5lib has tests with the same name.
            name, number = f"{case.get('classname')}.{case.get('name')} {number}", number + 1
        outcomes[name] = next(iter(kinds), "passed")
        if kinds & {"failure", "error"}:
            outcomes[name] += ": " + (next(iter(case)).get("message") or "")[:300]
    report.unlink()
    return outcomes


def main() -> int:
    status = 0
    print("| package | tests | with | pass | pass with textcodec |")
    print("| --- | ---: | --- | ---: | ---: |")
    details = []
    with tempfile.TemporaryDirectory() as temporary:
        # html5lib's setup.py needs an old setuptools.
        constraint = Path(temporary, "constraint.txt")
        constraint.write_text("setuptools<66\n")
        for name, version, needs, tests in PEERS:
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            other = needs[-1] if needs[-1] in MODULES else "webencodings"
            venv = Path(temporary, f"venv-{name}-{other}")
            subprocess.run([sys.executable, "-m", "venv", venv], check=True)
            python = venv / "bin" / "python"
            pip = [python, "-m", "pip", "--disable-pip-version-check", "-q"]
            subprocess.run([*pip, "install", *needs], check=True)
            environment = {**os.environ, "PIP_CONSTRAINT": str(constraint)} if name == "html5lib" else {**os.environ}
            download = [*pip, "download", "--no-deps", "--no-binary", ":all:", "-d", temporary, f"{name}=={version}"]
            subprocess.run(download, env=environment, check=True)
            with tarfile.open(next(Path(temporary).glob(f"{name}-*.tar.gz"))) as archive:
                archive.extractall(temporary)
            folder = next(path for path in Path(temporary).glob(f"{name}-*") if path.is_dir())
            theirs, ours = run(python, folder, tests, None), run(python, folder, tests, MODULES.get(other, other))
            passed = [sum(outcome == "passed" for outcome in outcomes.values()) for outcomes in (theirs, ours)]
            print(f"| {name} {version} | {len(theirs)} | {other} | {passed[0]} | {passed[1]} |", flush=True)
            for test in sorted(set(theirs) | set(ours)):
                if theirs.get(test) != ours.get(test):
                    reason = DIFFERENCES.get(test)
                    details.append(f"{name} with {other}: {test}: {theirs.get(test)} -> {ours.get(test)} ({reason or 'unexplained'})")
                    if theirs.get(test) == "passed" and not reason:
                        status = 1
    print()
    print("\n".join(details))
    return status


if __name__ == "__main__":
    sys.exit(main())
