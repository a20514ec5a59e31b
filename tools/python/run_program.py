"""Runs a command of the engine for a Python program, without a language host for Python.

The project is in the current folder.

Usage: run_program.py <stack> <preview | up | refresh | destroy> [configuration key=value ...]
"""

import os
import runpy
import signal
import sys

import pulumi.automation as auto

stack_name, command, *settings = sys.argv[1:]
folder = os.getcwd()
project = auto.LocalWorkspace(work_dir=folder).project_settings()
main = os.path.join(folder, project.main or ".", "__main__.py")


def program() -> None:
    runpy.run_path(main, run_name="__main__")


# The engine also receives Ctrl-C, and stops the command.
signal.signal(signal.SIGINT, lambda *_: None)
stack = auto.select_stack(
    stack_name, project.name, program, opts=auto.LocalWorkspaceOptions(work_dir=folder)
)
for setting in settings:
    key, value = setting.split("=", 1)
    stack.set_config(key, auto.ConfigValue(value))
try:
    color = "always" if sys.stdout.isatty() else "never"
    getattr(stack, command)(on_output=print, on_error=print, color=color)
except auto.CommandError:
    # The output contains the error.
    sys.exit(1)
