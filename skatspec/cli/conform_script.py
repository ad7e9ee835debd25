"""`skatspec conform script`: the run as a script that a CI server takes as it is."""

from __future__ import annotations

import shlex

import click

from skatspec.cli.conform_options import engine_command, selection

_KINDS = ("shell", "github", "gitlab")
_REPORT = "skatspec-report.xml"


@click.command(short_help="Print a script that runs the suite on a CI server.")
@click.option(
    "--ci", "kind", type=click.Choice(_KINDS), default="shell", show_default=True,
    help="What the script is for.",
)  # fmt: skip
@selection
@click.option("--skip", metavar="FILE", help="Cases known to fail, a file of your repository.")
@click.option(
    "--install",
    metavar="WORDS",
    help="What pip installs: a version, an address, a folder. [default: this version]",
)
@engine_command
def command(
    kind: str, select: tuple[str, ...], skip: str | None, install: str | None,
    engine: tuple[str, ...],
    timeout: float, memory: int,
) -> int:  # fmt: skip
    """Print a script with this version of skatspec and the options given here.

    \b
    skatspec conform script -- ./engine > conform.sh
    skatspec conform script --ci github --select legal -- node engine.mjs \\
        > .github/workflows/skat.yml
    """
    from skatspec._version import __version__
    from skatspec.cli import CLEAN
    from skatspec.errors import UsageError

    words = ["skatspec", "conform", "run", "--output", f"junit:{_REPORT}"]
    for word in select:
        words += ["--select", word]
    if skip:
        words += ["--skip", skip]
    if timeout != _default("timeout"):
        words += ["--timeout", f"{timeout:g}"]
    if memory != _default("memory"):
        words += ["--memory", str(memory)]
    words += ["--", *engine]
    line = shlex.join(words)
    if "\n" in line:
        raise UsageError("a script cannot hold a command with line breaks")
    what = shlex.quote(install or f"skatspec=={__version__}")
    click.echo(
        _SCRIPTS[kind].format(install=f"python3 -m pip install {what}", run=line, report=_REPORT)
    )
    return CLEAN


def _default(name: str) -> object:
    params = click.get_current_context().command.params
    return next(one.default for one in params if one.name == name)


_SHELL = """\
#!/bin/sh
# Holds the engine against the suite of skatspec; fails where it does not conform.
set -eu
python3 -m venv .skatspec
. .skatspec/bin/activate
{install}
{run}"""

_GITHUB = """\
name: skat
on: [push, pull_request]
jobs:
  conform:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      # build your engine here
      - run: |
          {install}
      - run: |
          {run}
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: skatspec
          path: {report}"""

_GITLAB = """\
skat:
  # an image with Python, and with what your engine needs
  image: python:3.12
  script:
    # build your engine here
    - |
      {install}
    - |
      {run}
  artifacts:
    when: always
    reports:
      junit: {report}"""

_SCRIPTS = {"shell": _SHELL, "github": _GITHUB, "gitlab": _GITLAB}
