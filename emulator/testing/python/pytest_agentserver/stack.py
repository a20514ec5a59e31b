"""Stacks of the Automation API with a temporary backend."""

from __future__ import annotations

import importlib
import json
import os
import re
import runpy
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pulumi.automation import PulumiFn, Stack

# Passphrase of the temporary stacks. It does not need to be secret, because the stacks are deleted.
_PASSPHRASE = "agentserver-testing"
_PLUGIN_PACKAGE = "pulumi-agentserver"


def create_work_folder() -> Path:
    """Creates the folder for the files of a stack."""
    return Path(tempfile.mkdtemp(prefix="agentserver-testing-")).resolve()


def create_stack(
    program: PulumiFn | Path,
    work_folder: Path,
    *,
    folder: Path,
    modules: Path,
    connection: Mapping[str, str],
    name: str,
    project: str | None,
    config: Mapping[str, str],
    environment: Mapping[str, str],
) -> Stack:
    """Creates a stack with a backend in the work folder. If the program is a function, its project is in `folder` or in
    a parent folder."""
    try:
        from pulumi import automation
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Stacks need pulumi. Install it with `pip install pulumi`.") from None

    if isinstance(program, Path):
        folder = program
        project = project or _project_name(program)
        program = _program_in(program)
    for name_of_folder in ("backend", "home", "project"):
        (work_folder / name_of_folder).mkdir()
    _link_plugins(work_folder / "home")
    # The provider starts in the folder of `main`, and relative paths refer to the project in that folder or a parent.
    main = str(folder.resolve())
    settings: dict[str, object] = {"name": project or "test", "runtime": "python", "main": main}
    if (modules / _PLUGIN_PACKAGE).exists():
        provider = {"name": "agentserver", "path": str(modules / ".bin")}
        settings["plugins"] = {"providers": [provider]}
    # JSON is also YAML.
    (work_folder / "project" / "Pulumi.yaml").write_text(json.dumps(settings), encoding="utf-8")
    # The settings of the user may refer to another control plane.
    others = {key: "" for key in os.environ if key.startswith("AGENTSERVER_")}
    stack = automation.create_stack(
        name,
        project_name=str(settings["name"]),
        program=program,
        opts=automation.LocalWorkspaceOptions(
            work_dir=str(work_folder / "project"),
            pulumi_home=str(work_folder / "home"),
            env_vars={
                **others,
                "PULUMI_BACKEND_URL": (work_folder / "backend").as_uri(),
                "PULUMI_CONFIG_PASSPHRASE": _PASSPHRASE,
                "PULUMI_SKIP_UPDATE_CHECK": "true",
                **connection,
                **environment,
            },
        ),
    )
    if config:
        stack.set_all_config({key: automation.ConfigValue(value) for key, value in config.items()})
    return stack


def _link_plugins(home: Path) -> None:
    """Lets the engine use the plugins that the user has installed, but not the user's logins."""
    user_home = Path(os.environ.get("PULUMI_HOME") or Path.home() / ".pulumi")
    for folder in ("plugins", "bin"):
        if not (user_home / folder).is_dir():
            continue
        try:
            (home / folder).symlink_to(user_home / folder, target_is_directory=True)
        except OSError:
            # On Windows, links require a permission. Without links, the engine downloads the plugins that it needs.
            return


def _project_name(folder: Path) -> str | None:
    file = folder / "Pulumi.yaml"
    if not file.is_file():
        return None
    found = re.search(r"^name:\s*[\"']?([\w.-]+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else None


def _program_in(folder: Path) -> PulumiFn:
    """Returns a function that runs the program in a folder. Each run loads the modules of the folder again."""
    folder = folder.resolve()
    main = folder / "__main__.py"
    if not main.is_file():
        raise FileNotFoundError(f"{main} does not exist. Specify a function, or the folder of a Python program.")

    def run() -> None:
        before = set(sys.modules)
        working_folder = os.getcwd()
        sys.path.insert(0, str(folder))
        os.chdir(folder)
        importlib.invalidate_caches()
        try:
            runpy.run_path(str(main), run_name="__main__")
        finally:
            os.chdir(working_folder)
            sys.path.remove(str(folder))
            for name in set(sys.modules) - before:
                file = getattr(sys.modules[name], "__file__", None)
                if file is not None and Path(file).resolve().is_relative_to(folder):
                    del sys.modules[name]

    return run
